/// What stands for one client where clients are counted.
package enum ClientAddress {
    /// The address itself for IPv4. For IPv6 the first 64 bits, because whoever has one such address has them all.
    package static func key(_ address: String) -> String {
        guard address.contains(":") else { return address }
        let bare = address.prefix { $0 != "%" }
        let halves = bare.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
        var groups = halves[0].split(separator: ":").map(String.init)
        if halves.count == 2 {
            let tail = halves[1].split(separator: ":").count
            groups += Array(repeating: "0", count: max(0, 8 - groups.count - tail))
            groups += halves[1].split(separator: ":").map(String.init)
        }
        return groups.prefix(4).joined(separator: ":") + "::/64"
    }

    /// The address that the nearest proxy saw: the last one of `X-Forwarded-For`. The others are only claims.
    package static func forwarded(_ header: String) -> String? {
        guard let last = header.split(separator: ",").last else { return nil }
        var address = String(last).filter { $0 != " " && $0 != "\t" && $0 != "[" && $0 != "]" }
        // Some proxies add the port to an IPv4 address.
        if address.contains("."), let colon = address.lastIndex(of: ":") { address = String(address[..<colon]) }
        let isPlausible = !address.isEmpty && address.utf8.count <= 64
        return isPlausible ? address : nil
    }
}
