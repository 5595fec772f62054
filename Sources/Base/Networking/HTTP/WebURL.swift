/// A URL of a resource on the web as someone wrote it (RFC 3986): `http`, `https`, `ws` or `wss`, without user and fragment.
package struct WebURL: Sendable, Hashable, CustomStringConvertible {
    /// In lower case.
    package let scheme: String
    /// In lower case, without a dot at its end; an IPv6 address without its brackets.
    package let host: String
    /// 80 or 443 if the URL names none.
    package let port: Int
    /// Path and query as they are asked for, with their escapes: `/a%20b?c=d`.
    package let target: String

    private static let schemes = ["http": 80, "https": 443, "ws": 80, "wss": 443]

    /// Reads an absolute URL. Characters that may not stand in a path or a query are escaped.
    package init(_ text: String) throws(NetworkingError) {
        guard text.utf8.count <= Self.byteLimit, let end = text.firstIndex(of: ":") else { throw Self.invalid(text) }
        let scheme = text[..<end].lowercased()
        let rest = text[text.index(after: end)...]
        guard Self.schemes[scheme] != nil, rest.utf8.starts(with: "//".utf8) else { throw Self.invalid(text) }
        try self.init(scheme: scheme, afterScheme: rest.utf8.dropFirst(2), of: text)
    }

    /// Bytes of a URL.
    package static let byteLimit = 8192

    private init(
        scheme: String, afterScheme rest: Substring.UTF8View, of text: String
    ) throws(NetworkingError) {
        let authority = Substring(rest.prefix { !"/?#".utf8.contains($0) })
        // Some readers take a backslash for a slash, and a user's name looks like a host.
        guard !authority.utf8.contains(where: { "\\@%".utf8.contains($0) }),
            let server = try? ServerURL("\(scheme)://\(authority)")
        else { throw Self.invalid(text) }
        var host = server.host.lowercased()
        if host.hasSuffix(".") { host.removeLast() }
        guard !host.isEmpty else { throw Self.invalid(text) }
        let target = Self.escaped(rest.dropFirst(authority.utf8.count).prefix { $0 != UInt8(ascii: "#") })
        self.init(
            scheme: scheme, host: host, port: server.port,
            target: Self.withoutDots(target.utf8.first == UInt8(ascii: "/") ? target : "/" + target))
    }

    private init(scheme: String, host: String, port: Int, target: String) {
        (self.scheme, self.host, self.port, self.target) = (scheme, host, port, target)
    }

    /// The URL that a reference stands for here, as in the `Location` of a redirect (RFC 3986 section 5.2).
    package func resolving(_ reference: String) throws(NetworkingError) -> WebURL {
        guard reference.utf8.count <= Self.byteLimit else { throw Self.invalid(reference) }
        if let url = try? WebURL(reference) { return url }
        if reference.utf8.starts(with: "//".utf8) {
            return try WebURL(scheme: scheme, afterScheme: Substring(reference).utf8.dropFirst(2), of: reference)
        }
        let relative = Self.escaped(Substring(reference).utf8.prefix { $0 != UInt8(ascii: "#") })
        // URLs with other schemes are refused.
        let firstStep = relative.utf8.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard !firstStep.contains(UInt8(ascii: ":")) else { throw Self.invalid(reference) }
        let target: String =
            switch relative.utf8.first {
            case nil: self.target
            case UInt8(ascii: "/"): relative
            case UInt8(ascii: "?"): path + relative
            default:
                String(Substring(path.utf8.prefix(through: path.utf8.lastIndex(of: 47) ?? path.startIndex))) + relative
            }
        return WebURL(scheme: scheme, host: host, port: port, target: Self.withoutDots(target))
    }

    /// The path alone, still escaped.
    package var path: String { String(Substring(target.utf8.prefix { $0 != UInt8(ascii: "?") })) }

    /// Whether it is reached over TLS.
    package var isSecure: Bool { scheme == "https" || scheme == "wss" }

    /// Whether requests to both go to the same server under the same protection.
    package func isSameOrigin(as other: WebURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// Where the request goes; ``target`` is what it asks for.
    package var server: ServerURL { ServerURL(host: host, port: port, isSecure: isSecure) }

    package var description: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(name)\(port == Self.schemes[scheme] ? "" : ":\(port)")\(target)"
    }

    private static func invalid(_ text: String) -> NetworkingError {
        NetworkingError(.invalidURL, "not a URL of the web: \(text.prefix(100))")
    }

    /// Without the steps `.` and `..` (RFC 3986 section 5.2.4), also escaped ones, as browsers do. So a path that
    /// begins with a prefix lies below it.
    private static func withoutDots(_ target: String) -> String {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        let steps = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        var kept: [String] = []
        for (index, step) in steps.enumerated() {
            let dots = step.lowercased().split(separator: "%2e", omittingEmptySubsequences: false).joined(
                separator: ".")
            guard dots == "." || dots == ".." else {
                kept.append(step)
                continue
            }
            if dots == "..", kept.count > 1 { kept.removeLast() }
            if index == steps.count - 1 { kept.append("") }
        }
        return kept.joined(separator: "/") + String(Substring(target.utf8.dropFirst(path.count)))
    }

    /// Escapes what may not stand in a target. Escapes that are there stay.
    private static func escaped(_ bytes: some Sequence<UInt8>) -> String {
        let hex = Array("0123456789ABCDEF".unicodeScalars)
        var text = String.UnicodeScalarView()
        for byte in bytes {
            let isPlain = byte > 32 && byte < 127 && !"\"<>\\^`{|}".utf8.contains(byte)
            if isPlain {
                text.append(Unicode.Scalar(byte))
            } else {
                text.append(contentsOf: ["%", hex[Int(byte >> 4)], hex[Int(byte & 15)]])
            }
        }
        return String(text)
    }
}
