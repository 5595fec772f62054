/// A link into the platform that the system hands to its host.
package enum DeepLink: Hashable, Sendable {
    /// `w3n://…`, which the core understands: signing up, adding a contact.
    case core(String)
    /// `w3n-app://<domain>/…`: an app.
    case app(domain: String)

    private static let byteLimit = 8192

    /// Nil for other schemes, and for what is not a link.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.byteLimit, text.utf8.allSatisfy({ $0 > 32 && $0 != 127 }) else { return nil }
        let lower = text.lowercased()
        if lower.hasPrefix("w3n://"), lower.utf8.count > 6 {
            self = .core(text)
        } else if lower.hasPrefix("w3n-app://") {
            let domain = lower.dropFirst(10).prefix { !"/?#".contains($0) }
            let isDomain = domain.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
                }
            }
            guard isDomain, domain.contains("."), domain.utf8.count <= 253 else { return nil }
            self = .app(domain: String(domain))
        } else {
            return nil
        }
    }

    var text: String {
        switch self {
        case .core(let text): text
        case .app(let domain): "w3n-app://\(domain)/"
        }
    }
}
