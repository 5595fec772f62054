internal import Foundation

/// Whether this machine has a network: an address beside its own that is up.
public struct NetworkPresence: Sendable {
    /// How often it is looked at for those who watch.
    static let period: Duration = .seconds(10)

    private let look: @Sendable () -> Bool

    public init(_ look: @escaping @Sendable () -> Bool = Self.hasAddress) { self.look = look }

    var isPresent: Bool { look() }

    /// What it is now, and then each change.
    func changes() -> AsyncStream<Bool> {
        AsyncStream { continuation in
            let watch = Task { [look] in
                var last: Bool?
                while !Task.isCancelled {
                    let present = look()
                    if present != last { continuation.yield(present) }
                    last = present
                    try? await Task.sleep(for: Self.period)
                }
            }
            continuation.onTermination = { _ in watch.cancel() }
        }
    }

    @Sendable
    public static func hasAddress() -> Bool {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return false }
        defer { freeifaddrs(list) }
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            let flags = Int32(bitPattern: UInt32(entry.ifa_flags))
            guard flags & Int32(IFF_UP) != 0, flags & Int32(IFF_LOOPBACK) == 0 else { continue }
            let family = Int32(entry.ifa_addr?.pointee.sa_family ?? 0)
            if family == AF_INET || family == AF_INET6 { return true }
        }
        return false
    }
}
