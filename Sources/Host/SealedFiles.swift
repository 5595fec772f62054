public import AppCore
import Rooms
import TrustedData

/// What is carried to a person by hand: files that are sealed to one of their one-time keys, and the notice that trust ended.
extension AppHost {
    /// The longest file that one key seals, in bytes.
    public static let sealedFileLimit = SealedHeader.contentLimit

    /// Seals any bytes for the other person of a room.
    /// - Throws: ``Failure`` with `no_keys`, `trust_revoked` or `message_too_large`.
    public func sealFile(_ content: [UInt8], for room: RoomID) async throws -> [UInt8] {
        do { return try await rooms.sealFile(content, for: room.text) } catch { throw Failure(error) }
    }

    /// Opens such a file. When `store` has returned, its key is destroyed: it opens only once.
    /// - Throws: ``Failure`` with `forged`, `replayed`, `unknown_key`, `trust_revoked` or `unreadable`; what `store` throws,
    ///   and then the file can be opened again.
    public func openFile(_ bytes: [UInt8], store: ([UInt8]) throws -> Void) async throws {
        let opened: OpenedMessage
        do { opened = try await rooms.openFile(bytes) } catch { throw Failure(error) }
        try store(opened.content)
        try profile.write { try SealingTables.mark([opened.use], in: $0) }
        try await rooms.eraseKey(opened.use)
    }

    /// The signed notice that trust was revoked here, for somebody to carry; nil if the other person revoked it.
    public func revocationNotice(_ room: RoomID) async throws -> [UInt8]? {
        do { return try await rooms.revocationNotice(room.text) } catch { throw Failure(error) }
    }
}
