public import Cryptography

/// One-time private keys as OpenTDFKit writes them: each with its public key, 8192 of them by custom.
///
/// The format has no version, owner, epoch or authentication, and a key that was used is simply removed. It is for
/// exchange with OpenTDFKit; Alcove keeps its own keys in another form.
public struct KeyStore: Sendable {
    /// Keys of a store by custom.
    public static let customaryCount = 8192

    /// The bytes on the wire: head, then for each key the compressed public key and the scalar.
    public let bytes: SecretBytes
    private let layout: KeyStoreLayout
    private let places: [[UInt8]: Int]

    /// The curve of all keys.
    public var curve: EllipticCurve { layout.curve }
    /// How many keys the store holds.
    public var count: Int { layout.count }
    /// The public keys in the order of the file.
    public let publicKeys: PublicKeyStore

    /// Reads a store. Each key is checked when it is requested.
    public init(_ bytes: SecretBytes) throws(KeyStoreError) {
        self.bytes = bytes
        let (layout, keys) = try bytes.withUnsafeBytes { (bytes) throws(KeyStoreError) in
            let layout = try KeyStoreLayout(of: bytes) { $0.compressedByteCount + $0.coordinateByteCount }
            return (layout, try layout.publicKeys(in: bytes))
        }
        self.layout = layout
        places = try KeyStoreLayout.index(keys)
        publicKeys = PublicKeyStore(curve: layout.curve, compressed: keys)
    }

    /// A store of given keys, all on one curve.
    public init(_ keys: [EllipticCurve.PrivateKey], on curve: EllipticCurve) throws(KeyStoreError) {
        guard keys.allSatisfy({ $0.curve == curve }) else {
            throw KeyStoreError(.invalidKey, "all keys of a store are on one curve")
        }
        let parts = keys.flatMap { [SecretBytes(copying: $0.publicKey.compressed), $0.scalar] }
        let head = SecretBytes(copying: KeyStoreLayout.head(curve: curve, count: keys.count))
        try self.init(SecretBytes(joining: [head] + parts))
    }

    /// The private key of a public key; nil if it is not in the store. Throws if the two do not belong together.
    public func privateKey(
        for publicKey: some Collection<UInt8>
    ) throws(KeyStoreError) -> EllipticCurve.PrivateKey? {
        guard let place = places[Array(publicKey)] else { return nil }
        let start = layout.range(place).lowerBound + curve.compressedByteCount
        let key: EllipticCurve.PrivateKey
        do {
            key = try EllipticCurve.PrivateKey(curve, scalar: bytes.slice(start..<start + curve.coordinateByteCount))
        } catch {
            throw KeyStoreError(.invalidKey, "entry \(place): \(error.message)")
        }
        guard key.publicKey.compressed.elementsEqual(publicKey) else {
            throw KeyStoreError(.invalidKey, "entry \(place): private and public key do not belong together")
        }
        return key
    }

    /// The store without one key, which marks the key as used.
    public func removing(_ publicKey: some Collection<UInt8>) throws(KeyStoreError) -> KeyStore {
        guard let place = places[Array(publicKey)] else { return self }
        let range = layout.range(place)
        let head = KeyStoreLayout.head(curve: curve, count: count - 1)
        let rest = SecretBytes(count: bytes.count - range.count) { output in
            bytes.withUnsafeBytes { whole in
                output.copyBytes(from: head)
                let before = UnsafeMutableRawBufferPointer(rebasing: output[head.count...])
                before.copyBytes(from: whole[head.count..<range.lowerBound])
                UnsafeMutableRawBufferPointer(rebasing: output[range.lowerBound...])
                    .copyBytes(from: whole[range.upperBound...])
            }
        }
        return try KeyStore(rest)
    }
}
