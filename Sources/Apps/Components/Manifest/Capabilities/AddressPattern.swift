/// Which addresses an app may reach: a scheme, hosts, and perhaps the beginning of the path.
public struct AddressPattern: Hashable, Sendable, CustomStringConvertible {
    /// The schemes that an app may ask for.
    public enum Scheme: String, Hashable, Sendable, CaseIterable {
        /// Pages, and web sockets (RFC 6455), with TLS and without.
        case https, http, wss, ws

        var defaultPort: UInt16 {
            switch self {
            case .https, .wss: 443
            case .http, .ws: 80
            }
        }
    }

    /// The hosts that a pattern covers.
    public enum Hosts: Hashable, Sendable {
        /// Every host of the internet, without this computer and the networks around it: the code that connects has to refuse
        /// loopback, link-local and private addresses.
        case any
        /// One host, in lower case, and perhaps those below it. It may be anywhere.
        case named(String, subdomains: Bool)
    }

    /// The scheme has to be the same.
    public var scheme: Scheme
    /// The host has to be one of these.
    public var hosts: Hosts
    /// nil: the scheme's own.
    public var port: UInt16?
    /// The path of an address has to begin with it. Empty for any.
    public var pathPrefix: String

    /// A pattern of parts that were checked already.
    public init(scheme: Scheme, hosts: Hosts, port: UInt16? = nil, pathPrefix: String = "") {
        self.scheme = scheme
        self.hosts = hosts
        self.port = port
        self.pathPrefix = pathPrefix
    }

    /// Whether an address, taken apart, is meant.
    /// - Parameters:
    ///   - scheme: of the address.
    ///   - host: without the brackets of an IPv6 address.
    ///   - port: the one that is connected to, whether it was written or not.
    ///   - path: as it is sent. One with steps upwards never fits a prefix.
    public func matches(scheme: Scheme, host: String, port: UInt16, path: String) -> Bool {
        guard scheme == self.scheme, port == self.port ?? scheme.defaultPort, matches(host: host.lowercased()) else {
            return false
        }
        return pathPrefix.isEmpty || path.hasPrefix(pathPrefix) && !Self.climbs(path)
    }

    private func matches(host: String) -> Bool {
        switch hosts {
        case .any: true
        case .named(let name, let subdomains): host == name || subdomains && host.hasSuffix("." + name)
        }
    }

    private static func climbs(_ path: String) -> Bool {
        let steps = path.prefix { $0 != "?" && $0 != "#" }.lowercased().replacing("%2e", with: ".")
            .replacing("%2f", with: "/").replacing("%5c", with: "/").replacing("\\", with: "/")
        return steps.split(separator: "/").contains("..")
    }

    public var description: String {
        let host =
            switch hosts {
            case .any: "*"
            case .named(let name, let subdomains): (subdomains ? "*." : "") + (name.contains(":") ? "[\(name)]" : name)
            }
        return "\(scheme.rawValue)://\(host)\(port.map { ":\($0)" } ?? "")\(pathPrefix)"
    }
}
