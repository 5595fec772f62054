/// The host name that identifies an app: `feeds.example.org`. It is kept in lower case, because case does not matter in host names.
public struct AppDomain: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Bytes of a host name (RFC 1035, section 2.3.4).
    public static let byteLimit = 253

    /// The domain in lower case, for example `app.example.org`.
    public let name: String

    /// nil unless the text is a host name of at least two labels: letters, digits and hyphens, and no number at its end. International
    /// names are written in their `xn--` form.
    public init?(_ text: some StringProtocol) {
        guard HostName.isValid(text) else { return nil }
        let labels = text.split(separator: ".")
        guard labels.count >= 2, labels.last?.contains(where: \.isLetter) == true else { return nil }
        name = text.lowercased()
    }

    /// The labels from the last one to the first: `org.example.feeds`. What is kept for an app has this name.
    public var reversed: String { name.split(separator: ".").reversed().joined(separator: ".") }

    /// The domain with that reversed name.
    public init?(reversed text: some StringProtocol) {
        self.init(text.split(separator: ".", omittingEmptySubsequences: false).reversed().joined(separator: "."))
    }

    /// Whether this is `other`, or lies below it.
    public func isWithin(_ other: AppDomain) -> Bool { name == other.name || name.hasSuffix("." + other.name) }

    /// Whether names like this belong to the platform itself, so that no app may use them.
    public var isReserved: Bool { Self.reserved.contains(where: isWithin) }

    private static let reserved = [
        AppDomain(known: "platform.3nweb.computer"), AppDomain(known: "core.3nweb.computer"),
    ]

    private init(known name: String) { self.name = name }

    public static func < (first: AppDomain, second: AppDomain) -> Bool { first.name < second.name }

    public var description: String { name }
}

/// The grammar of host names, also of those with one label.
enum HostName {
    static func isValid(_ text: some StringProtocol) -> Bool {
        guard (1...AppDomain.byteLimit).contains(text.utf8.count) else { return false }
        return text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy(isInLabel)
        }
    }

    static func isInLabel(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
