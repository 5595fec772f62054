internal import Storage

/// All pairings of a profile: finds the pairing of a message, and lists those that ended.
public struct SealingDirectory: Sendable {
    /// A pairing in which trust was revoked.
    public struct Tombstone: Hashable, Sendable {
        /// The id of the room that the pairing belonged to.
        public let pairing: String
        /// Whether the other side revoked it.
        public let isByPeer: Bool
        /// The digest of the other side's identity; nil if it never introduced itself.
        public let peerFingerprint: [UInt8]?
        /// The signed notice, as a control message to send or to carry by hand.
        public let notice: [UInt8]
    }

    private let store: any SealingStore

    /// The pairings that a store holds.
    public init(store: any SealingStore) {
        self.store = store
    }

    /// The pairing of this profile that a message claims to be for; nil if there is none. Only opening it proves the claim.
    public func pairing(for header: SealedHeader) throws(SealingError) -> String? {
        try storing {
            try store.read { database in
                try database.first(
                    "SELECT bond FROM sealing_bonds WHERE hint = ? AND peer_hint = ?", header.receiverHint,
                    header.senderHint
                ) { try $0[0] as String }
            }
        }
    }

    /// The pairing that a notice of revocation is for. Pass the notice to the session of that pairing. Nil if there is
    /// none, or if the bytes are something else.
    public func pairing(forNotice bytes: [UInt8]) throws(SealingError) -> String? {
        guard case .revocation(let revocation)? = try? ControlMessage(bytes) else { return nil }
        return try storing {
            try store.read { database in
                try database.first(
                    "SELECT bond FROM sealing_bonds WHERE identity = ? AND peer = ?", revocation.revoked,
                    revocation.revoker
                ) { try $0[0] as String }
            }
        }
    }

    /// Where trust was revoked.
    public func tombstones() throws(SealingError) -> [Tombstone] {
        try storing {
            try store.read { database in
                try database.query("SELECT bond, by_peer, peer, notice FROM sealing_tombstones ORDER BY bond") { row in
                    Tombstone(
                        pairing: try row[0], isByPeer: try row[1],
                        peerFingerprint: try (row[2] as [UInt8]?).map { try IdentityKey($0).fingerprint },
                        notice: try row[3])
                }
            }
        }
    }

    /// Deletes the keys of a pairing whose room was left. Its tombstone stays if it has one. Do not use the pairing's session
    /// afterwards.
    public func forget(_ pairing: String) throws(SealingError) {
        try storing {
            try store.write(durably: true) { try SealingTables.delete(pairing: pairing, in: $0) }
            store.emptyLog()
            try store.removeNotedFiles()
        }
    }
}
