package import Sealing

/// Looking at the seals of a room as somebody would who tries to cheat them: for tests and the demo.
extension RoomsService {
    /// How the keys of a room stand, also while nobody is connected.
    package func sealingState(_ room: String) throws -> SealingState { try conversation(room).session.state }

    /// Tries to open a sealed message, with nothing marked and nothing stored.
    /// - Returns: why it is refused; nil if it opens.
    package func refusal(of sealed: [UInt8], in room: String) -> SealingError.Code? {
        do {
            _ = try conversation(room).session.open(sealed)
            return nil
        } catch let error as SealingError {
            return error.code
        } catch {
            return .storageFailed
        }
    }

    /// Whether the private key that opens a message is no longer on the disk.
    package func keyIsErased(of sealed: [UInt8], in room: String) throws -> Bool {
        try !conversation(room).session.holdsKey(of: SealingSession.peek(sealed))
    }
}
