/// Sixty digits that are equal on both sides only if there is no attacker in the middle.
///
/// People compare it over another channel, for example by reading it out.
package struct SafetyNumber: Hashable, Sendable, CustomStringConvertible {
    /// Twelve groups of five digits.
    package let groups: [String]

    /// How often each half is hashed: it makes a search for a similar number 5200 times as expensive.
    private static let rounds = 5200

    /// - Parameters:
    ///   - local: what stands for this side: a public key or its digest.
    ///   - remote: what stands for the other side. The order does not matter to the result.
    ///   - domain: what is compared, so that numbers of different things never match.
    package init(local: [UInt8], remote: [UInt8], domain: String) {
        let halves = [Self.half(local, domain: domain), Self.half(remote, domain: domain)]
        groups = halves.sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self)
    }

    package var description: String { groups.joined(separator: " ") }

    /// Six groups that stand for one side.
    private static func half(_ side: [UInt8], domain: String) -> [String] {
        var digest = HashFunction.sha512.digest(Array("\(domain)\0".utf8) + side)
        for _ in 1..<rounds { digest = HashFunction.sha512.digest(digest + side) }
        return (0..<6).map { group in
            let value = digest[group * 5..<group * 5 + 5].reduce(0) { $0 << 8 | UInt64($1) } % 100_000
            let digits = String(value)
            return String(repeating: "0", count: 5 - digits.count) + digits
        }
    }
}
