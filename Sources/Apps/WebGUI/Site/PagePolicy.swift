internal import Components
internal import Networking

/// What a browser lets a page do, as fields of every response (Content Security Policy Level 3, Permissions Policy).
///
/// Upstream sends none and relies on the interception of requests. A browser has no interception, so this is what holds pages back.
struct PagePolicy {
    let permissions: Permissions
    /// `http://host:port` of the app, and of the window around it.
    let origin: String
    let window: String

    var fields: HTTPFields {
        [
            "content-security-policy": contentSecurity,
            "permissions-policy": features,
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
            "origin-agent-cluster": "?1",
            "referrer-policy": "no-referrer",
            "x-content-type-options": "nosniff",
            "x-dns-prefetch-control": "off",
            "cache-control": "no-store",
        ]
    }

    /// Fields of refusals: nothing at all is allowed.
    static let refusal: HTTPFields = [
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
    ]

    /// Fields of the page that sets the cookie and leads on. Its next request has to count as its own.
    static let entrance: HTTPFields = [
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "content-type": "text/html; charset=utf-8",
        "cross-origin-opener-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
    ]

    var contentSecurity: String {
        let socket = "ws" + origin.dropFirst("http".count)
        let destinations = ["'self'", socket] + permissions.addresses.flatMap(Self.sources)
        var directives = [
            "default-src 'self'",
            "script-src 'self' 'wasm-unsafe-eval'",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' blob: data:",
            "media-src 'self' blob: data:",
            "font-src 'self' data:",
            "worker-src 'self' blob:",
            "connect-src " + destinations.joined(separator: " "),
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-src 'none'",
            "frame-ancestors \(window)",
            // No windows of its own: links go through `w3n.shell.openURL`.
            "sandbox " + WindowFrame.flags,
        ]
        if !permissions.contains(.webRTC) { directives.append("webrtc 'block'") }
        return directives.joined(separator: "; ")
    }

    /// Any host would include this computer and the networks around it, which a browser does not tell apart: such requests go
    /// through `w3n.http`, which does.
    private static func sources(_ pattern: AddressPattern) -> [String] {
        guard case .named(let name, let subdomains) = pattern.hosts, isHost(name) else { return [] }
        let hosts = subdomains ? [name, "*." + name] : [name]
        let rest = (pattern.port.map { ":\($0)" } ?? "") + pattern.pathPrefix.percentEncoded(keepingEscapes: true)
        return hosts.map { "\(pattern.scheme.rawValue)://\($0)\(rest)" }
    }

    /// Nothing that would end the source or the directive. IPv6 addresses cannot be said in such a policy.
    private static func isHost(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 46 }
    }

    private var features: String {
        let granted: [(feature: String, capability: Capability)] = [
            ("camera", .cameras), ("microphone", .microphones), ("speaker-selection", .speakers),
            ("display-capture", .screens), ("clipboard-read", .clipboard), ("clipboard-write", .clipboard),
        ]
        let never = ["geolocation", "usb", "serial", "hid", "bluetooth", "midi", "payment", "local-fonts"]
        let features =
            granted.map { $0.feature + (permissions.contains($0.capability) ? "=(self)" : "=()") }
            + never.map { $0 + "=()" }
        return features.joined(separator: ", ")
    }
}

extension String {
    /// Escapes all bytes but those that stand for themselves in a path (RFC 3986); commas and semicolons too, which separate
    /// policies. With `keepingEscapes` the text is escaped already, at least in part.
    func percentEncoded(keepingEscapes: Bool) -> String {
        var encoded = ""
        for byte in utf8 {
            switch byte {
            case 48...57, 65...90, 97...122: encoded.unicodeScalars.append(Unicode.Scalar(byte))
            case _ where "-._~/".utf8.contains(byte) || keepingEscapes && byte == UInt8(ascii: "%"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default: encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}
