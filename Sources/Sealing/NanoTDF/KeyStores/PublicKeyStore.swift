public import Cryptography

/// One-time public keys in the form that OpenTDFKit gives to a peer: `PublicKeyStore`.
public struct PublicKeyStore: Hashable, Sendable {
    /// The curve of all keys.
    public let curve: EllipticCurve
    /// The keys, compressed, in the order of the file. They are checked by ``keys()``.
    public let compressed: [[UInt8]]

    init(curve: EllipticCurve, compressed: [[UInt8]]) {
        self.curve = curve
        self.compressed = compressed
    }

    /// Reads a store.
    public init(_ bytes: some Collection<UInt8>) throws(KeyStoreError) {
        // Nothing here is secret; both stores are read in the same way.
        let bytes = SecretBytes(copying: bytes)
        let (curve, keys) = try bytes.withUnsafeBytes { (bytes) throws(KeyStoreError) in
            let layout = try KeyStoreLayout(of: bytes) { $0.compressedByteCount }
            return (layout.curve, try layout.publicKeys(in: bytes))
        }
        _ = try KeyStoreLayout.index(keys)
        self.init(curve: curve, compressed: keys)
    }

    /// The bytes on the wire: head, then the compressed keys.
    public var bytes: [UInt8] {
        KeyStoreLayout.head(curve: curve, count: compressed.count) + compressed.joined()
    }

    /// The keys, each checked to be a point on the curve: about 15 µs a key on P-256, once.
    public func keys() throws(KeyStoreError) -> [EllipticCurve.PublicKey] {
        var keys: [EllipticCurve.PublicKey] = []
        keys.reserveCapacity(compressed.count)
        for (place, bytes) in compressed.enumerated() {
            do {
                keys.append(try EllipticCurve.PublicKey(curve, encoded: bytes))
            } catch {
                throw KeyStoreError(.invalidKey, "entry \(place): \(error.message)")
            }
        }
        return keys
    }
}
