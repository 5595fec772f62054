internal import Cryptography
internal import Storage

/// Who this side is in a pairing, and who the other one is if it is known.
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

    /// A fresh identity, on the disk before anybody hears of it.
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
