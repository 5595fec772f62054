internal import Cryptography
internal import Storage

/// What two identities share: derived from their static Diffie-Hellman secret, equal on both sides, and secret from all
/// others.
struct PairingKeys: Sendable {
    /// Authenticates messages from this side.
    let sending: SecretBytes
    /// Authenticates messages from the other side.
    let receiving: SecretBytes
    /// Both sides derive from it where to meet again.
    let meeting: SecretBytes

    init(_ own: Identity, _ peer: IdentityKey) throws(CryptographyError) {
        let secret = try own.key.sharedSecret(with: peer.key)
        let mine = own.publicKey.bytes
        let theirs = peer.bytes
        let both = mine.lexicographicallyPrecedes(theirs) ? mine + theirs : theirs + mine
        func derive(_ purpose: String, _ context: [UInt8]) throws(CryptographyError) -> SecretBytes {
            try HKDF.derive(
                secret, salt: Array("alcove bond 1".utf8), info: Array(purpose.utf8) + [0] + context, count: 32)
        }
        sending = try derive("alcove sealed key 1", mine + theirs)
        receiving = try derive("alcove sealed key 1", theirs + mine)
        meeting = try derive("alcove meeting secret 1", both)
    }
}

/// This side's identity in a pairing, and the other side's if it is known.
struct PairingRow {
    let identity: Identity
    let peer: IdentityKey?

    static func load(_ pairing: String, from store: some SealingStore) throws -> PairingRow? {
        let isRevoked = try store.read { database in
            try database.first("SELECT 1 FROM sealing_tombstones WHERE bond = ?", pairing) { try $0[0] as Bool }
        }
        if isRevoked == true { throw SealingError(.revoked, "trust was revoked; make a new room") }
        let row = try store.read { database in
            try database.first("SELECT secret, peer FROM sealing_bonds WHERE bond = ?", pairing) { row in
                (secret: try row[0] as [UInt8], peer: try row[1] as [UInt8]?)
            }
        }
        guard let row else { return nil }
        return PairingRow(
            identity: try Identity(scalar: store.unwrapSecret(row.secret, context: context(pairing))),
            peer: try row.peer.map { try IdentityKey($0) })
    }

    /// A fresh identity. It is on the disk before it is announced.
    static func make(_ pairing: String, in store: some SealingStore) throws -> PairingRow {
        let identity = try Identity()
        let secret = try store.wrap(identity.key.scalar, context: context(pairing))
        try store.write(durably: true) { database in
            try database.execute(
                "INSERT INTO sealing_bonds (bond, identity, secret, hint) VALUES (?, ?, ?, ?)", pairing,
                identity.publicKey.bytes, secret, identity.publicKey.hint)
        }
        return PairingRow(identity: identity, peer: nil)
    }

    /// Remembers the other side's identity, once.
    static func pin(_ peer: IdentityKey, to pairing: String, in store: some SealingStore) throws {
        try store.write(durably: true) { database in
            let changed = try database.execute(
                "UPDATE sealing_bonds SET peer = ?, peer_hint = ? WHERE bond = ? AND peer IS NULL", peer.bytes,
                peer.hint, pairing)
            guard changed == 1 else {
                throw SealingError(.identityChanged, "the other side is known under another identity")
            }
        }
    }

    private static func context(_ pairing: String) -> String { "sealing/identity/\(pairing)" }
}
