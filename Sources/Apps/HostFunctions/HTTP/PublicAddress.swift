internal import Platform

/// Addresses that belong to the internet at large, after the registries of special-purpose addresses (RFC 6890).
enum PublicAddress {
    /// - Parameter address: an IPv4 or IPv6 address in digits. Anything else is not public.
    static func contains(_ address: String) -> Bool {
        if let bytes = bytes(of: address, AF_INET, count: 4) { return isPublic4(bytes) }
        if let bytes = bytes(of: address, AF_INET6, count: 16) { return isPublic6(bytes) }
        return false
    }

    private static func bytes(of address: String, _ family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, address, &bytes) == 1 ? bytes : nil
    }

    /// First bytes and length in bits of the networks that are not for everybody.
    private static let special4: [(UInt32, Int)] = [
        (0x0000_0000, 8),  // this network
        (0x0a00_0000, 8),  // private
        (0x6440_0000, 10),  // shared by customers of a provider
        (0x7f00_0000, 8),  // this machine
        (0xa9fe_0000, 16),  // this link
        (0xac10_0000, 12),  // private
        (0xc000_0000, 24),  // protocol assignments
        (0xc000_0200, 24),  // documentation
        (0xc058_6300, 24),  // relays of 6to4
        (0xc0a8_0000, 16),  // private
        (0xc612_0000, 15),  // benchmarks
        (0xc633_6400, 24),  // documentation
        (0xcb00_7100, 24),  // documentation
        (0xe000_0000, 3),  // multicast, reserved, broadcast
    ]

    private static func isPublic4(_ bytes: some Collection<UInt8>) -> Bool {
        let address = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return !special4.contains { network, length in (address ^ network) >> UInt32(32 - length) == 0 }
    }

    private static func isPublic6(_ bytes: [UInt8]) -> Bool {
        func begins(_ prefix: UInt8...) -> Bool { bytes.starts(with: prefix) }
        // An IPv4 address in other clothes: mapped, translated (RFC 6052), or through a 6to4 relay.
        if begins(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff) { return isPublic4(bytes[12...]) }
        if begins(0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0) { return isPublic4(bytes[12...]) }
        if begins(0x20, 0x02) { return isPublic4(bytes[2..<6]) }
        // Of 2000::/3, where all unicast addresses of the internet are, these are for protocols and for documentation.
        let isProtocol = begins(0x20, 0x01) && bytes[2] < 2
        let isDocumentation = begins(0x20, 0x01, 0x0d, 0xb8) || (begins(0x3f, 0xff) && bytes[2] < 0x10)
        return bytes[0] >> 5 == 1 && !isProtocol && !isDocumentation
    }
}
