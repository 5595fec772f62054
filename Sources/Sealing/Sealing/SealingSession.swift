public import Cryptography
internal import Storage
internal import Synchronization

/// One pairing of two people (a room, or a member of the circle): their identities, and one-time keys in both directions.
///
/// Keep one for each pairing and process. All calls may be made from any thread; none of them waits for the network. Do not
/// call a session from inside a transaction of its store.
///
/// 1. ``connected(to:)`` when a connection is established and verified; send what it returns. 2. ``receive(control:)``
/// for what the other side's session sent; do what it returns. 3. ``nextAnnouncement()`` in the background until it
/// returns nil, now and after messages were opened. 4. ``seal(_:sequence:)`` and ``open(_:)``. After opening, call
/// ``SealingTables/mark(_:in:)`` in the transaction that stores the content, and ``erase(_:)`` after the transaction.
public final class SealingSession: Sendable {
    /// How often a message is sealed again because the other side could not open it.
    public static let retryLimit = 3

    let pairing: String
    let store: any SealingStore
    let target: Int
    let now: @Sendable () -> Int64
    let ledger: Mutex<Ledger>

    struct Ledger: Sendable {
        let identity: Identity
        /// Which copy of the profile this is; 0 if it was never restored.
        var copy: UInt64 = 0
        var peer: Peer?
        /// Our keys, oldest epoch first.
        var pools: [PrivatePool]
        var peerKeys: PeerKeys
        var connection: Connection?
        var isRevoked = false
        var isMakingKeys = false
        /// Slots whose erasure may not be on the disk yet.
        var erased: [KeyUse] = []
        var refusals: [SealingError.Code: Int] = [:]
        var safetyNumber: String?
        /// On how many days the profile was used, and the last one that was recorded.
        var days: Int64 = 0
        var lastDay: Int64?
    }

    struct Peer: Sendable {
        let identity: IdentityKey
        let keys: PairingKeys
    }

    /// Opens the pairing, or makes it with its own identity.
    ///
    /// - Parameters:
    ///   - pairing: the id of the room on this machine.
    ///   - store: where keys and trust are kept.
    ///   - target: how many keys an epoch of ours has, 16 to ``SealingLimits/capacity``.
    ///   - partition: which of the other side's keys this device may use.
    ///   - now: the wall clock, in milliseconds since 1970.
    /// - Throws: `revoked` if trust in this pairing was revoked.
    public init(
        pairing: String, store: any SealingStore, target: Int = SealingLimits.capacity,
        partition: KeyPartition = .whole,
        now: @escaping @Sendable () -> Int64 = WallClock.milliseconds
    ) throws(SealingError) {
        self.pairing = pairing
        self.store = store
        self.now = now
        let block = PoolPart.blockCount
        self.target = (min(max(target, block), SealingLimits.capacity) + block - 1) / block * block
        ledger = Mutex(
            try storing {
                try store.removeNotedFiles()
                let row = try PairingRow.load(pairing, from: store) ?? PairingRow.make(pairing, in: store)
                var ledger = Ledger(
                    identity: row.identity, copy: try ProfileCopy.number(in: store),
                    peer: try row.peer.map { Peer(identity: $0, keys: try PairingKeys(row.identity, $0)) },
                    pools: try PrivatePool.load(pairing: pairing, store: store),
                    peerKeys: try PeerKeys(pairing: pairing, partition: partition, store: store))
                try ledger.eraseMarked(pairing: pairing, store: store)
                return ledger
            })
        try ledger.withLock { ledger throws(SealingError) in try storing { try ledger.endOldEpochs(session: self) } }
    }

    /// How the pairing stands.
    public var state: SealingState {
        ledger.withLock { ledger in
            var result = SealingState()
            result.peerFingerprint = ledger.peer?.identity.fingerprint
            result.safetyNumber = ledger.comparedNumber()
            result.keysToSeal = ledger.peerKeys.remaining(at: ledger.sealingTime(now()))
            result.keysToOpen = ledger.keysToOpen
            result.fewKeysToOpen = ledger.keysToOpen < SealingLimits.lowWater(of: ledger.pools.last?.made ?? 0)
            result.sealingEpoch = ledger.peerKeys.pools.first?.epoch ?? 0
            result.openingEpoch = ledger.pools.last?.epoch ?? 0
            result.level = ledger.level(at: now())
            result.refusals = ledger.refusals
            return result
        }
    }

    /// A secret that only the two sides share. From it they derive where to meet. It never changes while the pairing
    /// lasts.
    public func meetingSecret() throws(SealingError) -> SecretBytes {
        try ledger.withLock { ledger throws(SealingError) in try ledger.knownPeer().keys.meeting }
    }

    /// Counts refusals, and throws them.
    func counting<Value>(_ body: () throws(SealingError) -> Value) throws(SealingError) -> Value {
        do throws(SealingError) {
            return try body()
        } catch {
            ledger.withLock { $0.refusals[error.code, default: 0] += 1 }
            throw error
        }
    }
}

extension SealingSession.Ledger {
    func knownPeer() throws(SealingError) -> SealingSession.Peer {
        if isRevoked { throw SealingError(.revoked, "trust was revoked; make a new room") }
        guard let peer else { throw SealingError(.noKeysYet, "the other side has not introduced itself yet") }
        return peer
    }

    /// How many of our keys the other side can still use, at most: as it said, or as far as we did not see them used.
    var keysToOpen: Int { min(connection?.peerRemaining ?? .max, keysNotSeen) }

    /// How many announced keys were not used in a message that arrived here. The other side drops an epoch when it has
    /// the next one completely.
    var keysNotSeen: Int {
        guard let newest = pools.last else { return 0 }
        let former = newest.isComplete ? 0 : pools.dropLast().last?.remaining ?? 0
        return newest.remaining + former
    }

    func level(at now: Int64) -> SealingState.Level {
        let time = sealingTime(now)
        guard let newest = peerKeys.pools.first(where: { $0.notAfter > time }) else { return .none }
        let left = peerKeys.remaining(at: time)
        if left == 0 { return .lastResort }
        return left < SealingLimits.lowWater(of: newest.received) ? .low : .enough
    }

    /// It takes some milliseconds, so it is computed once.
    mutating func comparedNumber() -> String? {
        guard let peer else { return nil }
        if safetyNumber == nil {
            safetyNumber =
                SafetyNumber(
                    local: identity.publicKey.bytes, remote: peer.identity.bytes,
                    domain: "alcove safety number of identities 1"
                ).description
        }
        return safetyNumber
    }
}
