/// The hash of a DTLS certificate as a description announces it (RFC 8122 section 5).
public struct Fingerprint: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Hash functions that are strong enough to rely on. SHA-1 and MD5 are refused.
    public enum Algorithm: String, Sendable, Hashable, Codable, CaseIterable {
        /// SHA-256, 32 bytes.
        case sha256 = "sha-256"
        /// SHA-384, 48 bytes.
        case sha384 = "sha-384"
        /// SHA-512, 64 bytes.
        case sha512 = "sha-512"

        /// Length of the hash in bytes.
        public var byteCount: Int {
            switch self {
            case .sha256: 32
            case .sha384: 48
            case .sha512: 64
            }
        }
    }

    /// The hash function.
    public let algorithm: Algorithm
    /// The digest of the certificate in DER, as many bytes as the function gives.
    public let bytes: [UInt8]

    /// A fingerprint of known bytes. Throws if their count is not the function's.
    public init(algorithm: Algorithm, bytes: [UInt8]) throws {
        guard bytes.count == algorithm.byteCount else {
            throw PeerConnectionError(
                .invalidDescription,
                "a \(algorithm.rawValue) fingerprint has \(algorithm.byteCount) bytes"
            )
        }
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// Reads `sha-256 AB:CD:…`. Returns `nil` for a hash function that is unknown or too weak.
    static func parse(_ text: Substring) throws(PeerConnectionError) -> Fingerprint? {
        let malformed = PeerConnectionError(.invalidDescription, "a=fingerprint is not \"hash AB:CD:…\"")
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { throw malformed }
        guard let algorithm = Algorithm(rawValue: parts[0].lowercased()) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(algorithm.byteCount)
        for pair in parts[1].split(separator: ":", omittingEmptySubsequences: false) {
            guard pair.utf8.count == 2, pair.allSatisfy(\.isHexDigit), let byte = UInt8(pair, radix: 16),
                bytes.count < algorithm.byteCount
            else { throw malformed }
            bytes.append(byte)
        }
        guard bytes.count == algorithm.byteCount else { throw malformed }
        return Fingerprint(checked: algorithm, bytes)
    }

    /// For bytes whose count is known to be right.
    init(checked algorithm: Algorithm, _ bytes: [UInt8]) {
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// `sha-256 AB:CD:…`, as written in a description.
    public var description: String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            if !text.isEmpty { text.append(UInt8(ascii: ":")) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return "\(algorithm.rawValue) \(String(decoding: text, as: UTF8.self))"
    }
}
