internal import Platform

/// Whether this machine is in a network.
package enum NetworkPresence {
    /// Whether an interface other than the loopback one is up and has an address.
    package static var isPresent: Bool {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return false }
        defer { freeifaddrs(list) }
        var next = list
        while let entry = next?.pointee {
            let family = entry.ifa_addr.map { Int32($0.pointee.sa_family) }
            let flags = UInt32(entry.ifa_flags)
            let isUp = flags & UInt32(IFF_UP) != 0 && flags & UInt32(IFF_RUNNING) != 0
            if isUp, flags & UInt32(IFF_LOOPBACK) == 0, family == AF_INET || family == AF_INET6 { return true }
            next = entry.ifa_next
        }
        return false
    }
}
