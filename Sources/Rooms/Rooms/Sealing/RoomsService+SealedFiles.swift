package import Sealing

/// Any bytes, sealed for the other side of a room: a NanoTDF that is not a message and not in an outbox.
extension RoomsService {
    /// - Throws: ``SealingError`` with `noKeysYet`, `revoked` or `tooLarge`.
    package func sealFile(_ content: [UInt8], for room: String) throws -> [UInt8] {
        try conversation(room).session.seal(content, sequence: FileNumber.random())
    }

    /// Opens what ``sealFile(_:for:)`` made on the other side. Store the content, mark the use, then call ``eraseKey(_:)``:
    /// it opens only once.
    /// - Throws: ``SealingError`` with `unreadable`, `unknownKey` (also if it is not for this profile), `forged`, `replayed`,
    ///   `reused` or `revoked`.
    package func openFile(_ bytes: [UInt8]) async throws -> OpenedMessage {
        let header = try SealingSession.peek(bytes)
        guard let room = try SealingDirectory(store: sealingStore).pairing(for: header) else {
            throw SealingError(.unknownKey, "the file is not for this profile")
        }
        let opened = try await opening(byHand: header, in: room) { session throws(SealingError) in
            try session.open(bytes)
        }
        guard FileNumber.isOne(opened.sequence) else {
            throw SealingError(.unreadable, "this is a sealed message, and no file")
        }
        return opened
    }
}

/// Numbers of sealed files, above those of messages that are carried by hand.
private enum FileNumber {
    private static let first: UInt64 = 1 << 63

    static func random() -> UInt64 { .random(in: first ... .max) }

    static func isOne(_ sequence: UInt64) -> Bool { sequence >= first }
}
