#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Looks names up on a thread of its own, because the system's resolver blocks.
enum HostResolver {
    /// The first address of the host as text. Numeric addresses are returned as they are.
    static func address(of host: String) async throws(NetworkingError) -> String {
        if Socket.isNumeric(host) { return host }
        let found = await withCheckedContinuation { continuation in
            let started = PlatformThread.start { continuation.resume(returning: lookUp(host)) }
            if !started { continuation.resume(returning: nil) }
        }
        guard let found else {
            throw NetworkingError(.unresolvedHost, "no address found for \(host); check the name and the network")
        }
        return found
    }

    private static func lookUp(_ host: String) -> String? {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0, let first = list else { return nil }
        defer { freeaddrinfo(list) }
        guard let address = first.pointee.ai_addr else { return nil }
        return Socket.numericName(address, first.pointee.ai_addrlen)
    }
}
