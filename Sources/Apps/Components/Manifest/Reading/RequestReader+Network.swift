internal import Wire

extension RequestReader {
    mutating func readNetwork(_ value: ManifestValue) throws(ManifestError) {
        var object = try value.object()
        for element in try object.optional("fetch")?.array() ?? [] {
            let pattern = try element.address()
            if runtime != .webGUI, pattern.scheme == .ws || pattern.scheme == .wss {
                element.warn("is left out, because components without a page have no web sockets")
            } else {
                ask(.network, .address(pattern))
            }
        }
        object.done()
    }
}

extension ManifestValue {
    /// `{schema, domain, subdomains?, pathPrefix?}` or `{schema, anyDomain: true}`. After the domain there may be a port.
    func address() throws(ManifestError) -> AddressPattern {
        var object = try self.object()
        var pattern = AddressPattern(scheme: try object.required("schema").word(), hosts: .any)
        if try !object.flag("anyDomain") {
            let place = try object.required("domain")
            let (host, port) = try place.hostAndPort()
            pattern.hosts = .named(host, subdomains: try object.flag("subdomains"))
            pattern.port = port
            if let prefix = object.optional("pathPrefix") {
                pattern.pathPrefix = try prefix.string(atMost: 1024)
                guard pattern.pathPrefix.isEmpty || pattern.pathPrefix.hasPrefix("/") else {
                    throw prefix.error("must begin with a slash")
                }
            }
        }
        object.done()
        return pattern
    }

    private func hostAndPort() throws(ManifestError) -> (host: String, port: UInt16?) {
        let text = try string(atMost: AppDomain.byteLimit + 6)
        let hostError = error("'\(text)' is not a host such as example.org, example.org:8080 or [::1]")
        if text.hasPrefix("[") {
            let parts = text.dropFirst().split(separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, (2...45).contains(parts[0].utf8.count),
                parts[0].utf8.allSatisfy({ $0 == 0x3a || $0 == 0x2e || Character(Unicode.Scalar($0)).isHexDigit })
            else { throw hostError }
            guard !parts[1].isEmpty else { return (parts[0].lowercased(), nil) }
            guard parts[1].hasPrefix(":"), let port = UInt16(parts[1].dropFirst()) else { throw hostError }
            return (parts[0].lowercased(), port)
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), HostName.isValid(parts[0]) else { throw hostError }
        guard parts.count == 2 else { return (parts[0].lowercased(), nil) }
        guard let port = UInt16(parts[1]) else { throw hostError }
        return (parts[0].lowercased(), port)
    }
}
