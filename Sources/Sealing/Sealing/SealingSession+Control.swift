internal import Cryptography
internal import Storage
internal import Synchronization
internal import Wire

extension SealingSession {
    /// What is known about the current connection.
    struct Connection: Sendable {
        let binding: ChannelBinding
        /// The copy of the other side's profile at its other end.
        var copy: UInt64 = 0
        /// Whether the other side introduced itself on it.
        var isIntroduced = false
        /// How many keys of our newest epoch the other side has.
        var announced = 0
        /// How many keys it has left: its last statement, corrected by what it got and used since.
        var peerRemaining: Int?
        /// Whether it got a new epoch on this connection because it asked for one, or has other keys than we remember.
        var gotNewEpoch = false
        /// Whether it was told that few of its keys are left here.
        var hasAskedForKeys = false
        /// Whether a part of its keys was lost on its way, and it was told so.
        var lacksPart = false
        /// How often keys were announced again because it said that they did not arrive.
        var repetitions = 0
    }

    /// Call this when a connection is established and verified. The identity that is introduced on it belongs to its
    /// other end, so it is exactly as well verified as the connection.
    ///
    /// - Returns: control messages to send.
    public func connected(to binding: ChannelBinding) throws(SealingError) -> [[UInt8]] {
        guard binding.isValid else {
            throw SealingError(.unreadable, "the connection does not name the certificates of both sides")
        }
        try ledger.withLock { ledger throws(SealingError) in
            if ledger.isRevoked { throw Self.revokedError }
            try storing { try ledger.endOldEpochs(session: self) }
            ledger.connection = Connection(binding: binding)
        }
        return [try introduction(over: binding, isAnswer: false)]
    }

    /// The connection has ended. Keys that were reserved but not used are returned.
    public func disconnected() {
        ledger.withLock { ledger in
            ledger.connection = nil
            ledger.peerKeys.giveBack(store: store)
            try? ledger.awaitErasures(store: store)
            try? ledger.endOldEpochs(session: self)
            for pool in ledger.pools { pool.slots.close() }
        }
    }

    /// Takes a control message of the other side. Any bytes are safe, and unknown kinds are ignored.
    ///
    /// - Throws: `identityChanged`, `revoked` or `invalidAnnouncement` if the message must not be believed. The session
    ///   stays as it was. After the first two errors, send nothing more to the other side.
    public func receive(control bytes: [UInt8]) throws(SealingError) -> [SealingOutput] {
        try counting { () throws(SealingError) in
            let message: ControlMessage
            do throws(WireError) {
                message = try ControlMessage(bytes)
            } catch { throw SealingError(.unreadable, error.message) }
            switch message {
            case .introduction(let introduction): return try greet(introduction)
            case .announcement(let signed): return try add(signed)
            case .holdings(let holdings):
                ledger.withLock { $0.goOn(from: holdings) }
                return []
            case .refusal(let refusal): return try heed(refusal)
            case .renewalRequest: return try renewOnRequest()
            case .revocation(let revocation): return try accept(revocation)
            case .unknown: return []
            }
        }
    }

    /// The control message that asks the other side to seal a message again because its key is missing, as after a
    /// backup was restored on either side. Send it for `unknownKey`, and for `reused` and `replayed` if the sequence is
    /// not stored yet.
    public func refusal(of header: SealedHeader, because error: SealingError) -> [UInt8] {
        let end = ledger.withLock { ledger in ledger.pools.last { $0.epoch == header.epoch }?.usedEnd ?? 0 }
        return ControlMessage.refusal(
            ControlMessage.Refusal(
                sequence: header.sequence, code: error.code, epoch: header.epoch, firstUnused: UInt32(clamping: end))
        ).bytes
    }

    private func greet(_ introduction: ControlMessage.Introduction) throws(SealingError) -> [SealingOutput] {
        let peer = try believe(introduction)
        let isNew = try ledger.withLock { ledger throws(SealingError) in
            guard ledger.peer == nil else { return false }
            try storing {
                try PairingRow.pin(peer, to: pairing, in: store)
                ledger.peer = Peer(identity: peer, keys: try PairingKeys(ledger.identity, peer))
            }
            return true
        }
        let binding = try ledger.withLock { ledger throws(SealingError) in
            let isInterrupted = ledger.connection?.isIntroduced == true && !introduction.isAnswer
            try storing { try ledger.meet(introduction.holdings, session: self) }
            return isInterrupted ? ledger.connection?.binding : nil
        }
        // The other side lost its connection, which this side did not notice, so it waits for an introduction too.
        let answer = try binding.map { binding throws(SealingError) in
            try self.introduction(over: binding, isAnswer: true)
        }
        let messages = [answer, try nextAnnouncement()].compactMap { $0 }
        return (isNew ? [.peerKnown] : []) + messages.map { .send($0) }
    }

    private func introduction(over binding: ChannelBinding, isAnswer: Bool) throws(SealingError) -> [UInt8] {
        let (identity, holdings) = try ledger.withLock { ledger throws(SealingError) in
            if ledger.isRevoked { throw Self.revokedError }
            return (ledger.identity, ledger.holdings)
        }
        do {
            let statement = binding.statement(by: binding.role, identity: identity.publicKey)
            let introduction = ControlMessage.Introduction(
                identity: identity.publicKey.bytes, signature: try identity.sign(statement, as: .introduction),
                holdings: holdings, isAnswer: isAnswer)
            return ControlMessage.introduction(introduction).bytes
        } catch { throw SealingError(.storageFailed, "the introduction could not be signed: \(error.message)") }
    }

    /// The identity of an introduction, if it belongs to this connection and is the known one.
    private func believe(_ introduction: ControlMessage.Introduction) throws(SealingError) -> IdentityKey {
        let (binding, own, known) = try ledger.withLock { ledger throws(SealingError) in
            if ledger.isRevoked { throw Self.revokedError }
            return (ledger.connection?.binding, ledger.identity.publicKey, ledger.peer?.identity)
        }
        guard let binding, let peer = try? IdentityKey(introduction.identity), peer != own,
            peer.hasSigned(
                binding.statement(by: binding.role.other, identity: peer), as: .introduction, introduction.signature)
        else { throw SealingError(.identityChanged, "the identity does not belong to this connection") }
        let isBuried = try storing {
            try store.read { database in
                try database.first("SELECT 1 FROM sealing_tombstones WHERE peer = ? LIMIT 1", peer.bytes) {
                    try $0[0] as Bool
                }
            }
        }
        if isBuried == true { throw Self.revokedError }
        guard known == nil || known == peer else {
            throw SealingError(.identityChanged, "the other side has another identity than the one that was met")
        }
        return peer
    }

    private func add(_ signed: ControlMessage.SignedPart) throws(SealingError) -> [SealingOutput] {
        let (own, peer) = try ledger.withLock { ledger throws(SealingError) in
            (ledger.identity.publicKey, try ledger.knownPeer().identity)
        }
        // The signature is checked first, because checking the keys of a stranger costs more.
        guard peer.hasSigned(PoolPart.statement(signed.part, owner: peer, reader: own), as: .poolPart, signed.signature)
        else { throw SealingError(.invalidAnnouncement, "the announced keys are not signed by the other side") }
        let part = try PoolPart(signed.part)
        return try ledger.withLock { ledger throws(SealingError) in
            guard !ledger.isRevoked else { throw Self.revokedError }
            ledger.connection?.hasAskedForKeys = false
            switch try storing({ try ledger.peerKeys.add(part, store: store) }) {
            case .known: return []
            case .added:
                ledger.connection?.lacksPart = false
                return [.keysChanged]
            case .gap: return ledger.reportLoss().map { [.send(ControlMessage.holdings($0).bytes)] } ?? []
            }
        }
    }

    private func heed(_ refusal: ControlMessage.Refusal) throws(SealingError) -> [SealingOutput] {
        _ = try ledger.withLock { ledger throws(SealingError) in try ledger.knownPeer() }
        if refusal.code == .replayed {
            try ledger.withLock { ledger throws(SealingError) in
                try storing { try ledger.peerKeys.skip(to: refusal.firstUnused, in: refusal.epoch, store: store) }
            }
        }
        return [.refused(sequence: refusal.sequence, code: refusal.code)]
    }

    static var revokedError: SealingError { SealingError(.revoked, "trust was revoked; make a new room") }
}
