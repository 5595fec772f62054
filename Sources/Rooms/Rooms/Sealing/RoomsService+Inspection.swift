package import Sealing

/// Inspects sealed messages of a room as an attacker would: for tests and the demo.
extension RoomsService {
    /// The state of a room's keys, also without a connection.
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
