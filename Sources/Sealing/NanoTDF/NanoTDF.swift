/// A NanoTDF: a header that says whose key opens it and under which policy, one encrypted payload, and perhaps a signature.
///
/// It represents its bytes exactly: ``bytes`` returns unchanged what ``init(_:)`` accepted. `docs/protocols/nanotdf.md`
/// describes the format and its dialects.
public struct NanoTDF: Hashable, Sendable {
    /// The header, which is not encrypted.
    public let header: Header
    /// The encrypted content.
    public let payload: Payload
    /// The signature of header and payload, if there is one.
    public let signature: Signature?

    /// Reads a whole file. Bytes after its end are an error; many payloads after one header are for ``NanoTDFDatasetReader``.
    public init(_ bytes: some Collection<UInt8>) throws(NanoTDFError) {
        self = try NanoTDFParser.parse(Array(bytes))
    }

    init(header: Header, payload: Payload, signature: Signature?) {
        self.header = header
        self.payload = payload
        self.signature = signature
    }

    /// What stands on the wire.
    public var bytes: [UInt8] {
        guard let signature else { return signedBytes }
        return signedBytes + signature.signer + signature.value
    }

    /// Header and payload: the bytes that a signature covers.
    var signedBytes: [UInt8] { header.bytes + payload.bytes }

    /// The bytes after the header: an initialization vector and a ciphertext.
    public struct Payload: Hashable, Sendable {
        /// Three bytes that make the nonce, together with the zeros of the dialect.
        public let vector: [UInt8]
        /// Ciphertext and tag.
        public let sealed: [UInt8]

        static let vectorByteCount = 3
        /// The largest length that three bytes can hold.
        static let byteLimit = 0xff_ffff

        /// The bytes on the wire: length (3 bytes), vector, ciphertext, tag.
        public var bytes: [UInt8] {
            let count = UInt32(vector.count + sealed.count)
            return [UInt8(truncatingIfNeeded: count >> 16), UInt8(truncatingIfNeeded: count >> 8)]
                + [UInt8(truncatingIfNeeded: count)] + vector + sealed
        }
    }

    /// A signature with the key that made it. The reader has to know whose key it is.
    public struct Signature: Hashable, Sendable {
        /// The compressed public key.
        public let signer: [UInt8]
        /// r and s.
        public let value: [UInt8]
    }
}
