internal import Foundation
package import Networking

/// Where a Redis is, and who asks.
package struct RedisAddress: Sendable, Equatable, CustomStringConvertible {
    /// A machine and a port there.
    package struct Host: Sendable, Equatable, CustomStringConvertible {
        package var name: String
        package var port: Int

        package init(_ name: String, _ port: Int) { (self.name, self.port) = (name, port) }

        package var description: String { name.contains(":") ? "[\(name)]:\(port)" : "\(name):\(port)" }
    }

    package enum Endpoint: Sendable, Equatable {
        case tcp(Host)
        /// The path of a Unix socket.
        case unix(String)
        /// The sentinels that know which Redis is the master of this name.
        case sentinels([Host], master: String)
    }

    package var endpoint: Endpoint
    /// Nil for no TLS.
    package var tls: ClientTLS?
    /// Nil for Redis's default user.
    package var user: String?
    package var password: String?
    package var database: Int

    /// The most sentinels of an address.
    package static let mostSentinels = 16

    package init(
        _ endpoint: Endpoint, tls: ClientTLS? = nil, user: String? = nil, password: String? = nil, database: Int = 0
    ) {
        self.endpoint = endpoint
        self.tls = tls
        self.user = user
        self.password = password
        self.database = database
    }

    /// The place alone, for messages.
    package var description: String {
        switch endpoint {
        case .tcp(let host): "\(host)/\(database)"
        case .unix(let path): "\(path), database \(database)"
        case .sentinels(let hosts, let master):
            "\(master) of the sentinels \(hosts.map(\.description).joined(separator: ", ")), database \(database)"
        }
    }
}

extension RedisAddress {
    /// Reads one of these. What is no letter or digit in a user, password or name of a master is written `%XX`.
    ///
    /// ```text
    /// redis://[[user]:password@]host[:port][/db]                                       rediss:// with TLS
    /// redis+sentinel://[[user]:password@]host[:port][,host[:port]…]/master[/db]        rediss+sentinel:// with TLS
    /// redis+unix:///path/of/socket[?db=N]
    /// ```
    ///
    /// A user without a password needs ``password`` set later. Throws ``RedisError`` with `invalidAddress`, whose message
    /// says nothing of the text.
    package init(_ text: String) throws(RedisError) {
        guard let mark = text.firstRange(of: "://") else { throw Self.wrong("is no URL") }
        let scheme = text[..<mark.lowerBound]
        let rest = text[mark.upperBound...]
        if scheme == "redis+unix" {
            self = try Self.unix(rest)
            return
        }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let authority = rest[..<slash]
        let path = rest[slash...].split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        guard !rest[slash...].contains(where: { "?#@".contains($0) }) else {
            throw Self.wrong("has more behind the host than a database")
        }
        let at = authority.lastIndex(of: "@")
        let hosts = at.map { authority[authority.index(after: $0)...] } ?? authority
        switch scheme {
        case "redis", "rediss":
            guard path.count <= 1 else { throw Self.wrong("has more behind the host than a database") }
            self.init(.tcp(try Self.host(hosts, 6379)), database: try Self.database(path.first ?? ""))
        case "redis+sentinel", "rediss+sentinel":
            var sentinels: [Host] = []
            for name in hosts.split(separator: ",", omittingEmptySubsequences: false) {
                sentinels.append(try Self.host(name, 26_379))
            }
            guard sentinels.count <= Self.mostSentinels else {
                throw Self.wrong("names more than \(Self.mostSentinels) sentinels")
            }
            guard (1...2).contains(path.count), let master = path[0].removingPercentEncoding, !master.isEmpty else {
                throw Self.wrong("names no master behind the sentinels: /NAME or /NAME/DB")
            }
            let database = try Self.database(path.count > 1 ? path[1] : "")
            self.init(.sentinels(sentinels, master: master), database: database)
        default:
            throw Self.wrong("begins with redis://, rediss://, redis+sentinel://, rediss+sentinel:// or redis+unix://")
        }
        if scheme.hasPrefix("rediss") { tls = ClientTLS() }
        if let at { (user, password) = try Self.login(authority[..<at]) }
    }

    private static func unix(_ rest: Substring) throws(RedisError) -> RedisAddress {
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = String(parts[0]).removingPercentEncoding, path.hasPrefix("/"), path.count > 1 else {
            throw wrong("names no absolute path")
        }
        guard parts.count < 2 || parts[1].hasPrefix("db=") else { throw wrong("has more than a database: ?db=N") }
        return RedisAddress(.unix(path), database: try database(parts.count > 1 ? String(parts[1].dropFirst(3)) : ""))
    }

    private static func host(_ text: Substring, _ usual: Int) throws(RedisError) -> Host {
        var (name, rest) = (text, Substring())
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            name = text[text.index(after: text.startIndex)..<end]
            rest = text[text.index(after: end)...]
        } else if let colon = text.firstIndex(of: ":") {
            (name, rest) = (text[..<colon], text[colon...])
        }
        let known = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_:%".contains($0)) }
        guard known, !name.isEmpty else { throw wrong("names no host") }
        guard !rest.isEmpty else { return Host(String(name), usual) }
        guard rest.hasPrefix(":"), let port = Int(rest.dropFirst()), (1...65_535).contains(port) else {
            throw wrong("names no port")
        }
        return Host(String(name), port)
    }

    private static func database(_ text: String) throws(RedisError) -> Int {
        if text.isEmpty { return 0 }
        guard let number = Int(text), (0...65_535).contains(number) else {
            throw wrong("names no database: 0 to 65535")
        }
        return number
    }

    private static func login(_ text: Substring) throws(RedisError) -> (user: String?, password: String?) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let words = parts.map { String($0).removingPercentEncoding }
        guard let user = words[0], words.allSatisfy({ $0 != nil }) else {
            throw wrong("has a user or password with a % that is no %XX")
        }
        return (user.isEmpty ? nil : user, words.count > 1 ? words[1] : nil)
    }

    private static func wrong(_ reason: String) -> RedisError {
        RedisError(.invalidAddress, "the address of Redis \(reason)")
    }
}
