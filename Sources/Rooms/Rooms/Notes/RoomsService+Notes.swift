/// Notes that both sides of a room edit at the same time. ``RoomReport/noteStateVectorWanted(room:note:)`` reports when
/// one is live, and asks its owner for the state vector.
extension RoomsService {
    /// Shows a note to the other side, now or when the link is back, until ``stopSharingNote(_:in:)``, the end of the room or
    /// of the process. It is live when both sides share it. Repeating the request changes the title.
    /// - Throws: ``RoomsFailure`` with `badRequest` if the room has ``NoteLimits/notes`` notes already.
    package func shareNote(_ note: SharedNote, in room: String) async throws {
        try await conversation(room).share(note)
    }

    /// Stops sharing a note. The other side keeps what it has of it.
    package func stopSharingNote(_ note: String, in room: String) async {
        await conversations[room]?.stopSharing(note)
    }

    /// Sends content of a note's document to the other side's. Does nothing while the note is not live; it exchanges
    /// missed updates when it becomes live.
    /// - Throws: ``RoomsFailure`` with `messageTooLarge` beyond the ``NoteLimits``.
    package func sendNote(_ content: NoteContent, of note: String, in room: String) async throws {
        try await conversations[room]?.send(content, of: note)
    }

    /// Asks the other side for a picture that a live note shows. ``RoomReport/notePicture(room:_:bytes:)`` brings it; nothing comes if the
    /// connection ends before, and one that is asked for while another one is under way is not.
    package func wantPicture(_ picture: SharedPicture, in room: String) async {
        await conversations[room]?.want(picture)
    }

    /// Tells the other side where this person is in a note that is live, or that they are nowhere in it.
    package func sendCursor(_ cursor: NoteCursor, in room: String) async {
        await conversations[room]?.point(cursor)
    }

    /// The traffic of the channel of notes.
    package func noteCounts(in room: String) async -> NoteCounts {
        await conversations[room]?.notes.counts ?? NoteCounts()
    }
}
