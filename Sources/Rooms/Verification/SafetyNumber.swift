internal import Cryptography

/// Sixty digits that are equal on both sides exactly if nobody sits between them.
///
/// People without the words of the join code compare it over another channel, for example by reading it out.
public struct SafetyNumber: Hashable, Sendable, CustomStringConvertible {
    /// Twelve groups of five digits.
    public let groups: [String]

    /// How often each half is hashed: it makes a search for a look-alike 5200 times as dear.
    private static let rounds = 5200

    /// - Parameters:
    ///   - local: the SHA-256 digest of this side's DTLS certificate.
    ///   - remote: that of the other side's. The order does not matter to the result.
    public init(local: [UInt8], remote: [UInt8], roomID: String) {
        let halves = [Self.half(local, roomID: roomID), Self.half(remote, roomID: roomID)]
        groups = halves.sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self)
    }

    public var description: String { groups.joined(separator: " ") }

    /// Six groups that stand for one certificate in one room.
    private static func half(_ fingerprint: [UInt8], roomID: String) -> [String] {
        var digest = HashFunction.sha512.digest(Array("alcove safety number 1\0\(roomID)\0".utf8) + fingerprint)
        for _ in 1..<rounds { digest = HashFunction.sha512.digest(digest + fingerprint) }
        return (0..<6).map { group in
            let value = digest[group * 5..<group * 5 + 5].reduce(0) { $0 << 8 | UInt64($1) } % 100_000
            let digits = String(value)
            return String(repeating: "0", count: 5 - digits.count) + digits
        }
    }
}
