import Platform
import Synchronization

/// Ports of 127.0.0.1 for programs that cannot choose one by themselves, and for servers that come back at the same place.
///
/// They lie below those that systems give to whoever names none (from 32768 on), so that no connection of another program
/// has one by the time it is used.
package enum LoopbackPort {
    package struct NoPort: Error {}

    private static let range: ClosedRange<UInt16> = 20_000...32_000
    private static let given = Mutex<Set<UInt16>>([])

    /// A port that nobody listens on, each time another one.
    package static func free() throws -> UInt16 {
        for _ in 0..<1000 {
            let port = UInt16.random(in: range)
            guard given.withLock({ $0.insert(port).inserted }) else { continue }
            if isFree(port, stream) && isFree(port, datagram) { return port }
        }
        throw NoPort()
    }

    #if canImport(Glibc)
    private static let (stream, datagram) = (Int32(SOCK_STREAM.rawValue), Int32(SOCK_DGRAM.rawValue))
    #else
    private static let (stream, datagram) = (SOCK_STREAM, SOCK_DGRAM)
    #endif

    /// Whether somebody listens on it.
    static func isTaken(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return withAddress(port) { connect(descriptor, $0, $1) == 0 }
    }

    private static func isFree(_ port: UInt16, _ type: Int32) -> Bool {
        let descriptor = socket(AF_INET, type, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return withAddress(port) { bind(descriptor, $0, $1) == 0 }
    }

    private static func withAddress(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}
