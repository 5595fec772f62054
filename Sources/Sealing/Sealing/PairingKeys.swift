internal import Cryptography

/// What two identities share: derived from their static Diffie-Hellman secret, equal on both sides, known to nobody else.
struct PairingKeys: Sendable {
    /// Authenticates messages from here to there.
    let sending: SecretBytes
    /// Authenticates messages from there to here.
    let receiving: SecretBytes
    /// The two find each other again with it.
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
