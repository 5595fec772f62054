internal import Foundation

/// Where a Redis is, and who asks.
package struct RedisAddress: Sendable, Equatable, CustomStringConvertible {
    package enum Endpoint: Sendable, Equatable {
        case tcp(host: String, port: Int32)
        /// The path of a Unix socket.
        case unix(String)
    }

    package var endpoint: Endpoint
    /// Nil for Redis's default user.
    package var user: String?
    package var password: String?
    package var database: Int

    package init(_ endpoint: Endpoint, user: String? = nil, password: String? = nil, database: Int = 0) {
        self.endpoint = endpoint
        self.user = user
        self.password = password
        self.database = database
    }

    /// Reads `redis://[[user]:password@]host[:port][/db]` or `redis+unix:///path/of/socket[?db=N]`. What is no letter or digit in a
    /// user or password is written `%XX`. Throws ``RedisError`` with `invalidAddress`.
    package init(_ text: String) throws(RedisError) {
        func wrong(_ reason: String) -> RedisError { RedisError(.invalidAddress, "the address of Redis \(reason)") }
        guard let url = URLComponents(string: text) else { throw wrong("is no URL") }
        var database = 0
        func number(_ text: String) throws(RedisError) -> Int {
            guard let number = Int(text), (0...65_535).contains(number) else {
                throw wrong("names no database: /0 to /65535")
            }
            return number
        }
        switch url.scheme {
        case "redis":
            guard let host = url.host, !host.isEmpty else { throw wrong("names no host") }
            guard (1...65_535).contains(url.port ?? 6379) else { throw wrong("names no port") }
            if url.path.count > 1 { database = try number(String(url.path.dropFirst())) }
            let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
            endpoint = .tcp(host: bare, port: Int32(url.port ?? 6379))
        case "redis+unix":
            guard url.path.count > 1, (url.host ?? "").isEmpty else { throw wrong("names no absolute path") }
            if let item = url.queryItems?.first(where: { $0.name == "db" }) { database = try number(item.value ?? "") }
            endpoint = .unix(url.path)
        case "rediss": throw wrong("asks for TLS, which Debian's hiredis does not have: use a tunnel, or a Unix socket")
        default: throw wrong("begins with redis:// or redis+unix://")
        }
        user = url.user.flatMap { $0.isEmpty ? nil : $0 }
        password = url.password
        guard user == nil || password != nil else { throw wrong("has a user and no password") }
        self.database = database
    }

    /// The place alone, for messages.
    package var description: String {
        switch endpoint {
        case .tcp(let host, let port): "\(host):\(port)/\(database)"
        case .unix(let path): "\(path), database \(database)"
        }
    }
}
