internal import Platform

/// Looks names up on a thread of its own, because the system's resolver blocks.
enum HostResolver {
    /// The addresses of the host as text, the preferred one first. Numeric addresses are returned as they are.
    static func addresses(of host: String) async throws(NetworkingError) -> [String] {
        if Socket.isNumeric(host) { return [host] }
        let found = await withCheckedContinuation { continuation in
            let started = PlatformThread.start { continuation.resume(returning: lookUp(host)) }
            if !started { continuation.resume(returning: []) }
        }
        guard !found.isEmpty else {
            throw NetworkingError(.unresolvedHost, "no address found for \(host); check the name and the network")
        }
        return found
    }

    static func lookUp(_ host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var names: [String] = []
        var next = list
        while let entry = next {
            // Each address comes once for every kind of socket.
            if let address = entry.pointee.ai_addr,
                let name = Socket.numericName(address, entry.pointee.ai_addrlen), !names.contains(name)
            {
                names.append(name)
            }
            next = entry.pointee.ai_next
        }
        return names
    }
}
