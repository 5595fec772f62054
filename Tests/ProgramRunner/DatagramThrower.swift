import Platform

/// Throws datagrams at ports of this machine.
///
/// It stands here and not beside its tests: where the compiler sees libnice, it sometimes takes the socket addresses of the system for
/// libnice's, and a build from nothing fails then.
public final class DatagramThrower {
    private let descriptor: Int32

    public init() throws {
        #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_DGRAM, 0)
        #endif
        if descriptor < 0 { throw ThrowerError.noSocket }
    }

    public enum ThrowerError: Error { case noSocket }

    deinit { close(descriptor) }

    public func send(_ bytes: [UInt8], to port: UInt16) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
