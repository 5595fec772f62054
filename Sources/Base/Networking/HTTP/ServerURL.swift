/// Where a server is: scheme, host, port and an optional path in front of every request's path.
///
/// ```swift
/// let server = try ServerURL("https://rooms.example.org")
/// ```
package struct ServerURL: Sendable, Hashable, CustomStringConvertible {
    /// True for `https` and `wss`.
    package let isSecure: Bool
    /// A name, an IPv4 address, or an IPv6 address without its brackets.
    package let host: String
    /// The port, also where it is the usual one.
    package let port: Int
    /// Empty, or a path that begins with a slash and does not end with one.
    package let path: String

    package init(host: String, port: Int, isSecure: Bool = false, path: String = "") {
        self.host = host
        self.port = port
        self.isSecure = isSecure
        self.path = path
    }

    /// Reads `http://host:port/path` and the same with `https`, `ws` and `wss`. Without a scheme, `https` is meant.
    package init(_ text: String) throws(NetworkingError) {
        let invalid = NetworkingError(.invalidURL, "not a server address; expected something like https://example.org")
        var rest = Substring(text)
        var scheme = "https"
        if let separator = rest.range(of: "://") {
            scheme = rest[..<separator.lowerBound].lowercased()
            rest = rest[separator.upperBound...]
        }
        guard ["http", "https", "ws", "wss"].contains(scheme) else { throw invalid }
        let authority = rest.prefix { $0 != "/" }
        var path = String(rest[authority.endIndex...])
        while path.hasSuffix("/") { path.removeLast() }
        let secure = scheme == "https" || scheme == "wss"
        guard let (host, port) = Self.parse(authority: authority), !path.contains(where: { "?# \r\n".contains($0) })
        else {
            throw invalid
        }
        self.init(host: host, port: port ?? (secure ? 443 : 80), isSecure: secure, path: path)
    }

    private static func parse(authority: Substring) -> (host: String, port: Int?)? {
        var host = authority
        var port: Int?
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<end]
            let tail = authority[authority.index(after: end)...]
            guard tail.isEmpty || tail.hasPrefix(":") else { return nil }
            if !tail.isEmpty {
                guard let number = Int(tail.dropFirst()) else { return nil }
                port = number
            }
        } else if let colon = authority.lastIndex(of: ":") {
            host = authority[..<colon]
            guard let number = Int(authority[authority.index(after: colon)...]) else { return nil }
            port = number
        }
        let allowed = host.utf8.allSatisfy { byte in
            byte > 32 && byte < 127 && !"@[]\\<>\"'?#".utf8.contains(byte)
        }
        guard !host.isEmpty, host.utf8.count <= 253, allowed, port.map({ 1...65535 ~= $0 }) ?? true else { return nil }
        return (String(host), port)
    }

    /// Host and port as the `Host` field has them.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    package var description: String { "\(isSecure ? "https" : "http")://\(authority)\(path)" }
}

extension Substring {
    /// The first occurrence of an ASCII needle.
    fileprivate func range(of needle: String) -> Range<Index>? {
        var start = startIndex
        while start != endIndex {
            if self[start...].hasPrefix(needle) { return start..<index(start, offsetBy: needle.count) }
            start = index(after: start)
        }
        return nil
    }
}
