package import AppCore
import Rooms
package import Sealing

/// What is carried to a person by hand: files that are sealed to one of their one-time keys, and the notice that trust ended.
extension AppHost {
    /// The longest file that one key seals, in bytes.
    package static let sealedFileLimit = SealedHeader.contentLimit

    /// Seals any bytes for the other person of a room.
    /// - Throws: ``Failure`` with `no_keys`, `trust_revoked` or `message_too_large`.
    package func sealFile(_ content: [UInt8], for room: RoomID) async throws -> [UInt8] {
        do { return try await rooms.sealFile(content, for: room.text) } catch { throw Failure(error) }
    }

    /// Opens such a file. When `store` has returned, its key is destroyed: it opens only once.
    /// - Returns: whose room it belongs to, and with which kind of key it was sealed.
    /// - Throws: ``Failure`` with `forged`, `replayed`, `key_reused`, `unknown_key`, `trust_revoked` or `unreadable`; what `store`
    ///   throws, and then the file can be opened again.
    @discardableResult
    package func openFile(
        _ bytes: [UInt8], store: @Sendable ([UInt8]) throws -> Void
    ) async throws -> (room: RoomID, seal: Seal) {
        let opened = try await beginOpening(bytes)
        try store(opened.content)
        try await finishOpening(opened)
        return (opened.room, opened.kind)
    }

    /// Opens such a file; ``finishOpening(_:)`` destroys its key.
    package func beginOpening(_ bytes: [UInt8]) async throws -> OpenedMessage {
        do { return try await rooms.openFile(bytes) } catch { throw Failure(error) }
    }

    /// Destroys the key of a file whose content is where it is wanted.
    package func finishOpening(_ opened: OpenedMessage) async throws {
        try profile.write { try SealingTables.mark([opened.use], in: $0) }
        try await rooms.eraseKey(opened.use)
    }

    /// How many one-time keys are left in a room, also without a connection.
    package func keysLeft(in room: RoomID) async throws -> KeysLeft {
        let state: SealingState
        do { state = try await rooms.sealingState(room.text) } catch { throw Failure(error) }
        return KeysLeft(
            toWrite: KeysLeft.Direction(count: state.keysToSeal, areFew: state.level != .enough),
            toBeWritten: KeysLeft.Direction(count: state.keysToOpen, areFew: state.fewKeysToOpen))
    }

    /// Which kind of key something was sealed with.
    /// - Throws: ``Failure`` with `unreadable` if it is not sealed.
    package static func seal(of sealed: [UInt8]) throws -> Seal {
        do {
            return try SealingSession.peek(sealed).isLastResort ? .lastResort : .oneTime
        } catch { throw Failure(error) }
    }

    /// The signed notice that trust was revoked here, for somebody to carry; nil if the other person revoked it.
    package func revocationNotice(_ room: RoomID) async throws -> [UInt8]? {
        do { return try await rooms.revocationNotice(room.text) } catch { throw Failure(error) }
    }
}

/// One-time keys that are left in a room.
package struct KeysLeft: Sendable, Codable {
    package struct Direction: Sendable, Codable {
        package let count: Int
        /// Whether they are below a tenth of those that there were, or none.
        package let areFew: Bool
    }

    /// To write with.
    package let toWrite: Direction
    /// To be written with.
    package let toBeWritten: Direction
}

extension OpenedMessage {
    var room: RoomID { RoomID(use.pairing) }
    /// With which kind of key it was sealed.
    var kind: Seal { isLastResort ? .lastResort : .oneTime }
}
