internal import Synchronization

extension SealingSession {
    /// Whether the private key that opens a message is still on the disk, whatever is marked as used: for tests and the demo.
    package func holdsKey(of header: SealedHeader) throws(SealingError) -> Bool {
        let pool = ledger.withLock { ledger in ledger.pools.last { $0.epoch == header.epoch } }
        guard let pool, let index = header.index else { return pool != nil }
        return try storing { try pool.privateKey(Int(index)) != nil }
    }

    /// The same ciphertext under a header with another number, whose unkeyed binding is right again, as anybody could make
    /// it who caught the message: for tests and the demo.
    package static func renumbered(_ sealed: [UInt8]) throws(SealingError) -> [UInt8] {
        let header = try peek(sealed)
        let altered = SealedHeader(
            epoch: header.epoch, index: header.index, sequence: header.sequence &+ 1, senderHint: header.senderHint,
            receiverHint: header.receiverHint, ephemeral: header.ephemeral)
        return altered.bytes + sealed[SealedHeader.byteCount...]
    }
}
