internal import Platform

/// Classifies an address by its network before anything is sent.
struct LocalAddress: Equatable {
    enum Kind: Equatable {
        /// This machine.
        case loopback
        /// A private network, a link, or not the address of one machine.
        case local
        case global
    }

    let kind: Kind

    /// Reads `localhost` and numeric addresses. Nil for any other name.
    init?(_ host: String) {
        var (four, six) = (in_addr(), in6_addr())
        if host.lowercased() == "localhost" {
            kind = .loopback
        } else if inet_pton(AF_INET, host, &four) == 1 {
            kind = Self.kind(ofFour: withUnsafeBytes(of: &four) { Array($0) })
        } else if inet_pton(AF_INET6, String(host.prefix { $0 != "%" }), &six) == 1 {
            kind = Self.kind(ofSix: withUnsafeBytes(of: &six) { Array($0) })
        } else if Self.endsInNumber(host) {
            // Resolvers take `127.1`, `0x7f.1` and `2130706433` for addresses.
            kind = .local
        } else {
            return nil
        }
    }

    /// RFC 6890.
    private static func kind(ofFour bytes: [UInt8]) -> Kind {
        switch (bytes[0], bytes[1]) {
        case (127, _): .loopback
        case (0, _), (10, _), (172, 16...31), (192, 168), (169, 254), (100, 64...127), (224..., _): .local
        case (192, 0) where bytes[2] == 0, (198, 18...19): .local
        default: .global
        }
    }

    private static func kind(ofSix bytes: [UInt8]) -> Kind {
        if bytes.dropLast().allSatisfy({ $0 == 0 }) { return bytes[15] == 1 ? .loopback : .local }
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11].allSatisfy { $0 == 0xff }
        let isTranslated = bytes.prefix(12) == [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]
        if isMapped || isTranslated { return kind(ofFour: Array(bytes.suffix(4))) }
        // Unique local, link-local and site-local, multicast.
        let isLocal = bytes[0] & 0xfe == 0xfc || bytes[0] == 0xfe && bytes[1] & 0x80 == 0x80 || bytes[0] == 0xff
        return isLocal ? .local : .global
    }

    private static func endsInNumber(_ host: String) -> Bool {
        guard let last = host.split(separator: ".").last?.lowercased() else { return false }
        let digits = last.hasPrefix("0x") ? last.dropFirst(2) : last[...]
        return last.hasPrefix("0x") ? digits.allSatisfy(\.isHexDigit) : digits.allSatisfy(\.isNumber)
    }
}
