import Rooms

/// Where people are in the notes that they share.
extension NoteSharing {
    /// Tells whenever somebody goes elsewhere in a note: ``cursors(in:)`` says where.
    /// - Returns: what ``unwatch(_:)`` takes.
    func watch(_ note: String, _ tell: @escaping @Sendable () async -> Void) -> Int {
        nextWatcher += 1
        watchers[nextWatcher] = (note, tell)
        return nextWatcher
    }

    func unwatch(_ number: Int) { watchers[number] = nil }

    /// Tells the others where this person is.
    func point(_ cursor: NoteCursor) async {
        for place in live where place.note == cursor.note { await rooms.sendCursor(cursor, in: place.room) }
    }

    /// Takes the place of the other person of a room.
    func place(_ cursor: NoteCursor, in room: String) {
        let place = Place(room: room, note: cursor.note)
        guard live.contains(place) else { return }
        cursors[place] = cursor.isSomewhere ? cursor : nil
        tell(cursor.note)
    }

    func forgetCursors(where isGone: (Place) -> Bool) {
        for place in Array(cursors.keys) where isGone(place) {
            cursors[place] = nil
            tell(place.note)
        }
    }

    /// Where others are, by their rooms.
    func cursors(in note: String) -> [String: NoteCursor] {
        Dictionary(cursors.filter { $0.key.note == note }.map { ($0.key.room, $0.value) }, uniquingKeysWith: { $1 })
    }

    private func tell(_ note: String) {
        for watcher in watchers.values where watcher.note == note { Task { await watcher.tell() } }
    }
}
