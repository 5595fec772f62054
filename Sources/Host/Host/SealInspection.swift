package import AppCore
import Rooms
package import Sealing

/// Looking at the seals as somebody would who tries to cheat them: for tests and the demo.
extension AppHost {
    /// Tries to open a sealed message.
    /// - Returns: why it is refused; nil if it opens.
    package func refusal(of sealed: [UInt8], in room: RoomID) async -> SealingError.Code? {
        await rooms.refusal(of: sealed, in: room.text)
    }

    /// Whether the private key that opens a message is no longer on the disk.
    package func keyIsErased(of sealed: [UInt8], in room: RoomID) async throws -> Bool {
        try await rooms.keyIsErased(of: sealed, in: room.text)
    }
}
