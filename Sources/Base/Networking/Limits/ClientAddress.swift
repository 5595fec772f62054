internal import Platform

/// Identifies one client for counting.
package struct ClientAddress: Sendable, Hashable {
    /// The address itself for IPv4. For IPv6 the first 64 bits, because a client with one such address has all of them.
    package let key: String
    /// The first 48 bits of an IPv6 address, which one site has: 65 536 keys. Nil for IPv4.
    package let network: String?

    /// - Parameter address: as digits. Text that is not an address is its own key.
    package init(_ address: String) {
        guard address.contains(":"), let bytes = Self.bytes(address) else {
            (key, network) = (address, nil)
            return
        }
        if let mapped = Self.mapped(bytes) {
            (key, network) = (mapped, nil)
            return
        }
        let groups = stride(from: 0, to: 8, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
        key = groups.joined(separator: ":") + "::/64"
        network = groups.prefix(3).joined(separator: ":") + "::/48"
    }

    /// The key of one address, given as digits.
    package static func key(_ address: String) -> String { ClientAddress(address).key }

    /// The address that the nearest proxy saw: the last one of `X-Forwarded-For`. Clients can forge the others. Nil if
    /// it is not an address.
    package static func forwarded(_ header: String) -> String? {
        guard let last = header.split(separator: ",").last, last.utf8.count <= 80 else { return nil }
        var address = String(last).filter { $0 != " " && $0 != "\t" }
        // Some proxies add the port: behind the brackets of an IPv6 address, or to an IPv4 address.
        if address.hasPrefix("["), let end = address.firstIndex(of: "]") {
            address = String(address[..<end].dropFirst())
        } else if address.contains("."), address.filter({ $0 == ":" }).count == 1 {
            address = String(address.prefix { $0 != ":" })
        }
        return isAddress(address) ? address : nil
    }

    private static func isAddress(_ text: String) -> Bool {
        var four = in_addr()
        return inet_pton(AF_INET, text, &four) == 1 || bytes(text) != nil
    }

    /// The 16 bytes of an IPv6 address, which may name an interface.
    private static func bytes(_ text: String) -> [UInt8]? {
        var storage = in6_addr()
        guard inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &storage) == 1 else { return nil }
        return withUnsafeBytes(of: storage) { Array($0) }
    }

    /// The IPv4 address in `::ffff:a.b.c.d`, as a socket for both families reports IPv4 clients (RFC 4291 section
    /// 2.5.5.2). Otherwise all of them would count as one client.
    private static func mapped(_ bytes: [UInt8]) -> String? {
        guard bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xff, bytes[11] == 0xff else { return nil }
        return bytes[12...].map { String($0) }.joined(separator: ".")
    }
}
