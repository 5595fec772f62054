/// A version of an app: numbers with dots, then perhaps what it comes before (`-beta.2`) and a build (`+5`), as in Semantic
/// Versioning. The text is also the name of a folder.
public struct AppVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Bytes of a version, at most.
    public static let byteLimit = 64

    /// The version as the manifest spells it.
    public let text: String
    /// One to four of them.
    private let numbers: [UInt32]
    private let prerelease: [Substring]

    /// Nil if the text is not a version, or longer than ``byteLimit``.
    public init?(_ text: String) {
        guard (1...Self.byteLimit).contains(text.utf8.count) else { return nil }
        let halves = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = halves[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false).map(Self.number)
        guard (1...4).contains(numbers.count), !numbers.contains(nil) else { return nil }
        let tails = (parts.dropFirst() + halves.dropFirst()).map {
            $0.split(separator: ".", omittingEmptySubsequences: false)
        }
        guard tails.joined().allSatisfy(Self.isIdentifier) else { return nil }
        self.text = text
        self.numbers = numbers.compactMap { $0 }
        prerelease = parts.count > 1 ? tails[0] : []
    }

    private static func number(_ text: Substring) -> UInt32? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt32(text) : nil
    }

    private static func isIdentifier(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(HostName.isInLabel)
    }

    /// Precedence after Semantic Versioning 2.0, item 11. Missing numbers are zeros, and the build decides nothing.
    public static func < (first: AppVersion, second: AppVersion) -> Bool {
        first.precedence(to: second) < 0
    }

    /// Below, at or above zero: whether this comes before the other one, beside it or after it.
    public func precedence(to other: AppVersion) -> Int {
        for index in 0..<4 {
            let (mine, its) = (
                numbers.count > index ? numbers[index] : 0, other.numbers.count > index ? other.numbers[index] : 0
            )
            if mine != its { return mine < its ? -1 : 1 }
        }
        if prerelease.isEmpty || other.prerelease.isEmpty {
            return (prerelease.isEmpty ? 1 : 0) - (other.prerelease.isEmpty ? 1 : 0)
        }
        for (mine, its) in zip(prerelease, other.prerelease) where mine != its {
            switch (Self.number(mine), Self.number(its)) {
            case (let mine?, let its?) where mine != its: return mine < its ? -1 : 1
            case (.some, nil): return -1
            case (nil, .some): return 1
            default: return mine < its ? -1 : 1
            }
        }
        return prerelease.count - other.prerelease.count
    }

    public static func == (first: AppVersion, second: AppVersion) -> Bool { first.text == second.text }
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    public var description: String { text }
}
