internal import Cryptography
internal import Dispatch
internal import Storage
internal import Synchronization
internal import Wire

extension SealingSession {
    /// Seals a message to a key of the other side that is used only for this message. The key is deleted from the disk
    /// before this returns, so no crash or restart leads to a second use.
    ///
    /// - Parameters:
    ///   - content: at most ``SealedHeader/contentLimit`` bytes.
    ///   - sequence: the caller's number of the message. The same number may be sealed again, under another key.
    /// - Returns: a whole NanoTDF, ``SealedHeader/overhead`` bytes longer than `content`.
    public func seal(_ content: [UInt8], sequence: UInt64) throws(SealingError) -> [UInt8] {
        try Self.check(content)
        return try seal(content, sequence: sequence, to: try take(1)[0])
    }

    /// Seals several messages on all cores. Results are in the order of the messages.
    public func sealBatch(_ messages: [(content: [UInt8], sequence: UInt64)]) throws(SealingError) -> [[UInt8]] {
        for message in messages { try Self.check(message.content) }
        let keys = try take(messages.count)
        let results = Mutex([Result<[UInt8], SealingError>?](repeating: nil, count: messages.count))
        DispatchQueue.concurrentPerform(iterations: messages.count) { place in
            let (content, sequence) = messages[place]
            let result = Result { () throws(SealingError) in try seal(content, sequence: sequence, to: keys[place]) }
            results.withLock { $0[place] = result }
        }
        var sealed: [[UInt8]] = []
        for result in results.withLock({ $0 }) {
            if let result { sealed.append(try result.get()) }
        }
        return sealed
    }

    /// The header of a sealed message, not authenticated yet. Any bytes give a header or throw `unreadable`.
    public static func peek(_ bytes: [UInt8]) throws(SealingError) -> SealedHeader {
        do {
            var reader = ByteReader(bytes)
            let header = try SealedHeader(&reader)
            _ = try SealedPayload.ciphertext(&reader)
            return header
        } catch { throw SealingError(.unreadable, error.message) }
    }

    /// Opens a message that the other side sealed to this pairing. This changes nothing: a refused message does not
    /// change the keys, and an opened one can be opened again until its use is marked.
    ///
    /// A message whose sequence is already stored was sealed twice by a sender that lost its state. Open it, discard
    /// the content, and mark and erase its use as usual, so that this copy cannot be opened later either.
    public func open(_ bytes: [UInt8]) throws(SealingError) -> OpenedMessage {
        try counting { () throws(SealingError) in
            let header = try Self.peek(bytes)
            let (identity, peer, pool, time) = try ledger.withLock { ledger throws(SealingError) in
                (
                    ledger.identity, try ledger.knownPeer(), ledger.pools.last { $0.epoch == header.epoch },
                    ledger.time(self)
                )
            }
            guard header.senderHint == peer.identity.hint, header.receiverHint == identity.publicKey.hint else {
                throw SealingError(.forged, "the message is from somebody else, or not for this pairing")
            }
            guard let pool, !pool.isOver(at: time), Int(header.index ?? 0) < pool.made || header.isLastResort else {
                throw SealingError(.unknownKey, "the key of the message is not there: its time is over, or it was lost")
            }
            let key = try privateKey(for: header, in: pool)
            let authentication = SealedPayload.Authentication(
                key: peer.keys.receiving, sender: peer.identity, receiver: identity.publicKey)
            let content = try Self.open(bytes, header, with: key, authentication)
            ledger.withLock { $0.noteUse(of: header) }
            return OpenedMessage(
                content: content, header: header,
                use: KeyUse(
                    pairing: pairing, epoch: header.epoch, index: header.index, sequence: header.sequence,
                    message: header.message))
        }
    }

    /// Overwrites the keys of messages that were stored. Call it after the transaction that marked them. If this fails,
    /// or the process ends before, the next session erases them.
    public func erase(_ uses: [KeyUse]) throws(SealingError) {
        try ledger.withLock { ledger throws(SealingError) in
            try storing { try ledger.erase(uses.filter { $0.pairing == pairing }, store: store) }
        }
    }

    private func take(_ count: Int) throws(SealingError) -> [PeerKeys.Taken] {
        try ledger.withLock { ledger throws(SealingError) in
            _ = try ledger.knownPeer()
            return try storing { try ledger.peerKeys.take(count, at: ledger.sealingTime(now()), store: store) }
        }
    }

    /// Checked before a key is taken, so that none is lost.
    private static func check(_ content: [UInt8]) throws(SealingError) {
        guard content.count <= SealedHeader.contentLimit else {
            throw SealingError(.tooLarge, "a message has at most \(SealedHeader.contentLimit) bytes")
        }
    }

    private func seal(
        _ content: [UInt8], sequence: UInt64, to taken: PeerKeys.Taken
    ) throws(SealingError) -> [UInt8] {
        let (identity, peer) = try ledger.withLock { ledger throws(SealingError) in
            (ledger.identity, try ledger.knownPeer())
        }
        do {
            let ephemeral = try EllipticCurve.PrivateKey(.p256)
            let header = SealedHeader(
                epoch: taken.epoch, index: taken.index, sequence: sequence, senderHint: identity.publicKey.hint,
                receiverHint: peer.identity.hint, ephemeral: ephemeral.publicKey.uncompressed
            ).bytes
            let secret = try ephemeral.sharedSecret(with: EllipticCurve.PublicKey(.p256, encoded: taken.key))
            let authentication = SealedPayload.Authentication(
                key: peer.keys.sending, sender: identity.publicKey, receiver: peer.identity)
            return header + (try SealedPayload.seal(content, header: header, secret: secret, authentication))
        } catch { throw SealingError(.storageFailed, "a message could not be sealed: \(error.message)") }
    }

    /// The private key that a header names, if it was never used.
    private func privateKey(
        for header: SealedHeader, in pool: PrivatePool
    ) throws(SealingError) -> SecretBytes {
        try storing {
            let isUsed = try store.read { database in
                if let index = header.index {
                    return try UsedKeys.contains(Int(index), pairing: pairing, epoch: pool.epoch, in: database)
                }
                let row = try database.first(
                    "SELECT 1 FROM sealing_last_resort WHERE bond = ? AND epoch = ? AND sequence = ?", pairing,
                    Int64(pool.epoch), Int64(bitPattern: header.sequence)
                ) { try $0[0] as Bool }
                return row == true
            }
            guard let index = header.index else {
                if isUsed { throw Self.replayed }
                return pool.lastResort.scalar
            }
            guard !isUsed, let scalar = try pool.privateKey(Int(index)) else {
                throw try isKnown(header, index, in: pool) ? Self.replayed : Self.reused
            }
            return scalar
        }
    }

    /// Whether a used key opened this same message. Older versions did not store it; then the message counts as a
    /// repetition.
    private func isKnown(_ header: SealedHeader, _ index: UInt32, in pool: PrivatePool) throws -> Bool {
        let message = try store.read { database in
            try database.first(
                "SELECT message FROM sealing_opened WHERE bond = ? AND epoch = ? AND slot = ?", pairing,
                Int64(pool.epoch), Int64(index)
            ) { try $0[0] as Int64 }
        }
        return message.map { UInt64(bitPattern: $0) == header.message } ?? true
    }

    private static func open(
        _ bytes: [UInt8], _ header: SealedHeader, with key: SecretBytes,
        _ authentication: SealedPayload.Authentication
    ) throws(SealingError) -> [UInt8] {
        do {
            let secret = try EllipticCurve.sharedSecret(
                of: key, with: EllipticCurve.PublicKey(.p256, encoded: header.ephemeral))
            var reader = ByteReader(bytes[SealedHeader.byteCount...])
            return try SealedPayload.open(
                SealedPayload.ciphertext(&reader), header: bytes[..<SealedHeader.byteCount], secret: secret,
                authentication)
        } catch { throw SealingError(.forged, "the message was altered, or its sender is not who it claims to be") }
    }

    private static var replayed: SealingError {
        SealingError(.replayed, "the message was opened before; its key is erased")
    }

    private static var reused: SealingError {
        SealingError(.reused, "another message was opened with the same key before; the key is erased")
    }
}
