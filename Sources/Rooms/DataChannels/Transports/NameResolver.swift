internal import CNice

/// Looks names up through the system without blocking the loop. Only used from a loop's own thread.
enum NameResolver {
    private final class Request {
        let done: (String?) -> Void

        init(_ done: @escaping (String?) -> Void) { self.done = done }
    }

    /// Calls `done` on the loop with a numeric address, or with `nil`; for numeric addresses at once.
    static func resolve(_ name: String, _ done: @escaping (String?) -> Void) {
        if NiceAddress(name, port: 0) != nil { return done(name) }
        let resolver = g_resolver_get_default()
        defer { g_object_unref(resolver.map { UnsafeMutableRawPointer($0) }) }
        let request = Unmanaged.passRetained(Request(done)).toOpaque()
        g_resolver_lookup_by_name_async(
            resolver, name, nil,
            { resolver, result, pointer in
                guard let pointer else { return }
                let request = Unmanaged<Request>.fromOpaque(pointer).takeRetainedValue()
                let addresses = g_resolver_lookup_by_name_finish(
                    resolver.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GResolver.self) }, result, nil)
                defer { g_resolver_free_addresses(addresses) }
                request.done(NameResolver.preferred(addresses))
            }, request)
    }

    /// The first IPv4 address, or else the first one: many servers with both kinds listen on IPv4 only.
    private static func preferred(_ addresses: UnsafeMutablePointer<GList>?) -> String? {
        var found: String?
        var item = addresses
        while let current = item {
            item = current.pointee.next
            guard let address = current.pointee.data?.assumingMemoryBound(to: GInetAddress.self),
                let text = g_inet_address_to_string(address)
            else { continue }
            defer { g_free(text) }
            if g_inet_address_get_family(address) == G_SOCKET_FAMILY_IPV4 { return String(cString: text) }
            found = found ?? String(cString: text)
        }
        return found
    }

    /// Whether all servers are numeric addresses.
    static func isNumeric(_ settings: GatheringSettings) -> Bool {
        let hosts = settings.relays.map(\.server.host) + (settings.stunServer.map { [$0.host] } ?? [])
        return hosts.allSatisfy { NiceAddress($0, port: 0) != nil }
    }

    /// The settings with every name replaced by an address; servers whose names are unknown are left out.
    static func resolve(_ settings: GatheringSettings, _ done: @escaping (GatheringSettings) -> Void) {
        var resolved = settings
        var left = 1 + settings.relays.count
        func finished() {
            left -= 1
            guard left == 0 else { return }
            resolved.relays.removeAll { $0.server.host.isEmpty }
            done(resolved)
        }
        for index in settings.relays.indices {
            resolve(settings.relays[index].server.host) { address in
                resolved.relays[index].server.host = address ?? ""
                finished()
            }
        }
        guard let stun = settings.stunServer else { return finished() }
        resolve(stun.host) { address in
            resolved.stunServer = address.map { ICEServerAddress(kind: .stun, host: $0, port: stun.port) }
            finished()
        }
    }
}
