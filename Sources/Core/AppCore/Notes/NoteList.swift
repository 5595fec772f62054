/// Every note that is known: each reachable by its id, and all in the order in which a person sees them.
///
/// The order is: pinned ones first, then the one that was changed last. A changed note finds its place without a look at
/// the others.
package struct NoteList: Sendable {
    private var notes: [NoteID: ListedNote] = [:]
    private var order: [Place] = []
    /// How many notes that are not deleted have each tag.
    package private(set) var tags: [String: Int] = [:]
    /// How many notes that are not deleted are in each folder, without those in folders in it.
    package private(set) var inFolders: [FolderID: Int] = [:]
    package private(set) var pinned = 0
    package private(set) var deleted = 0

    private struct Place: Sendable, Hashable, Comparable {
        let pinned: Bool
        let modified: Timestamp
        let id: NoteID

        init(_ note: ListedNote) {
            pinned = note.pinned
            modified = note.modified
            id = note.id
        }

        static func < (left: Place, right: Place) -> Bool {
            if left.pinned != right.pinned { return left.pinned }
            return (right.modified, left.id) < (left.modified, right.id)
        }
    }

    /// So many changes at once are sorted in together.
    private static let bulk = 64

    package init() {}

    package var count: Int { notes.count }
    package var isEmpty: Bool { notes.isEmpty }
    package subscript(id: NoteID) -> ListedNote? { notes[id] }

    /// In the order in which they are shown, from the first one on, without a copy.
    package var inOrder: some Sequence<ListedNote> { order.lazy.compactMap { notes[$0.id] } }

    /// Adds notes, or replaces what was known of them. Beyond ``NotebookLimits/notes`` none is added.
    mutating func put(_ changed: [ListedNote]) {
        let isBulk = changed.count > Self.bulk
        for note in changed {
            let old = notes[note.id]
            guard old != nil || notes.count < NotebookLimits.notes else { continue }
            if let old { forget(old, keepsOrder: isBulk) }
            notes[note.id] = note
            count(note, by: 1)
            if !isBulk { order.insert(Place(note), at: position(of: Place(note))) }
        }
        if isBulk { order = notes.values.map(Place.init).sorted() }
    }

    mutating func remove(_ ids: [NoteID]) {
        for id in ids {
            guard let old = notes.removeValue(forKey: id) else { continue }
            forget(old, keepsOrder: ids.count > Self.bulk)
        }
        if ids.count > Self.bulk { order.removeAll { notes[$0.id] == nil } }
    }

    private mutating func forget(_ note: ListedNote, keepsOrder: Bool) {
        count(note, by: -1)
        let position = position(of: Place(note))
        if !keepsOrder, order.indices.contains(position), order[position].id == note.id { order.remove(at: position) }
    }

    private mutating func count(_ note: ListedNote, by step: Int) {
        guard !note.deleted else { return deleted += step }
        if note.pinned { pinned += step }
        if let folder = note.folder { Self.add(step, to: &inFolders[folder]) }
        for tag in note.tags { Self.add(step, to: &tags[tag]) }
    }

    private static func add(_ step: Int, to count: inout Int?) {
        let sum = (count ?? 0) + step
        count = sum > 0 ? sum : nil
    }

    /// Where this place is, or would be.
    private func position(of place: Place) -> Int {
        var range = order.startIndex..<order.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = order[middle] < place ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}

extension NoteList: Hashable {
    package static func == (left: NoteList, right: NoteList) -> Bool { left.notes == right.notes }
    package func hash(into hasher: inout Hasher) { hasher.combine(notes.count) }
}

extension NoteList: Codable {
    package init(from decoder: any Decoder) throws {
        put(try decoder.singleValueContainer().decode([ListedNote].self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Array(inOrder))
    }
}
