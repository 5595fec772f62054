import DataChannels

/// Shared notes, over their own channel. Like the bytes of files they are protected only by DTLS, between sides that
/// verified the connection.
extension Conversation {
    /// How long to wait after the owner could not keep up.
    private static let recoveryPause = Duration.seconds(1)

    func share(_ note: SharedNote) throws(RoomsFailure) {
        try notes.share(note)
        pumpNotes()
    }

    func stopSharing(_ note: String) {
        notes.stop(note)
        pumpNotes()
    }

    func send(_ content: NoteContent, of note: String) throws(RoomsFailure) {
        try notes.send(content, of: note)
        pumpNotes()
    }

    func want(_ picture: SharedPicture) {
        notes.want(picture)
        pumpNotes()
    }

    func point(_ cursor: NoteCursor) {
        notes.point(cursor)
        pumpNotes()
    }

    /// The other side's hello says whether it has a channel of notes.
    func greetedForNotes(_ knowsNotes: Bool) {
        notes.greeted(knowsNotes: knowsNotes)
        pumpNotes()
    }

    /// Takes bytes from the channel of notes.
    func received(note bytes: [UInt8]) {
        notes.received(bytes)
        pumpNotes()
        recoverNotes()
    }

    /// Fills the channel up to its high-water mark, and continues when it has drained.
    func pumpNotes() {
        guard let channel = channels[.notes] else { return }
        while channel.bufferedAmount < NoteLimits.highWater, let frame = notes.next() {
            do {
                try channel.send(frame.bytes)
                notes.sent(frame)
            } catch let error as PeerConnectionError where error.code == .messageTooLarge {
                guard notes.shrinkParts() else { return }
            } catch {
                // It is full and will drain, or it is about to close and the next connection will repeat this.
                return
            }
        }
    }

    private func recoverNotes() {
        guard notesRecovery == nil, !notes.lost.isEmpty else { return }
        notesRecovery = Task { [weak self] in
            repeat { try? await Task.sleep(for: Self.recoveryPause) } while await self?.recoveryGoesOn() == true
        }
    }

    private func recoveryGoesOn() -> Bool {
        if notes.recover() { return true }
        notesRecovery = nil
        return false
    }
}
