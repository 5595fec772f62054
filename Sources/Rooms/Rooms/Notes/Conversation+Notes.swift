import DataChannels

/// Shared notes, over a channel of their own. Like the bytes of files they rest on DTLS, between sides that the verification
/// of the connection has settled.
extension Conversation {
    /// How long an owner that could not keep up is left alone.
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

    /// The other side has said hello, and whether it has a channel of notes.
    func greetedForNotes(_ knowsNotes: Bool) {
        notes.greeted(knowsNotes: knowsNotes)
        pumpNotes()
    }

    /// Takes what came over the channel of notes.
    func received(note bytes: [UInt8]) {
        notes.received(bytes)
        pumpNotes()
        recoverNotes()
    }

    /// Fills the channel up to its high-water mark; goes on when it has drained.
    func pumpNotes() {
        guard let channel = channels[.notes] else { return }
        while channel.bufferedAmount < NoteLimits.highWater, let frame = notes.next() {
            do {
                try channel.send(frame.bytes)
                notes.sent(frame)
            } catch let error as PeerConnectionError where error.code == .messageTooLarge {
                guard notes.shrinkParts() else { return }
            } catch {
                // It is full, and drains; or it is about to close, and the next connection makes up for it.
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
