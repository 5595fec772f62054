/// Notes that both sides of a room edit at once. ``RoomReport/noteStateVectorWanted(room:note:)`` says when one is live, and
/// what its owner has to say first.
extension RoomsService {
    /// Shows a note to the other side, now or when the link is back, until ``stopSharingNote(_:in:)``, the end of the room or
    /// of the process. It is live when both sides share it. Repeating the request changes the title.
    /// - Throws: ``RoomsFailure`` with `badRequest` if the room has ``NoteLimits/notes`` notes already.
    package func shareNote(_ note: SharedNote, in room: String) async throws {
        try await conversation(room).share(note)
    }

    /// Keeps a note to this side from here on; what the other side has of it stays there.
    package func stopSharingNote(_ note: String, in room: String) async {
        await conversations[room]?.stopSharing(note)
    }

    /// Sends what a note's document has to say to the other side's. Does nothing while the note is not live: what was missed is
    /// exchanged when it becomes live.
    /// - Throws: ``RoomsFailure`` with `messageTooLarge` beyond the ``NoteLimits``.
    package func sendNote(_ content: NoteContent, of note: String, in room: String) async throws {
        try await conversations[room]?.send(content, of: note)
    }

    /// What has gone over the channel of notes.
    package func noteCounts(in room: String) async -> NoteCounts {
        await conversations[room]?.notes.counts ?? NoteCounts()
    }
}
