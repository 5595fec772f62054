#if canImport(Glibc)
internal import CLinux
import Glibc

/// Who is at the other end of a loopback connection: the kernel knows each end of it with its user.
enum PeerUser {
    /// Whether it is the user of this process. False also if the other end is gone already.
    static func isOwn(_ descriptor: Int32) -> Bool {
        let user = alcove_socket_user(descriptor, 1)
        if user >= 0 { return user == Int64(getuid()) }
        // A kernel that does not know this end either answers no such questions.
        return alcove_socket_user(descriptor, 0) < 0 && isListedAsOwn(descriptor)
    }

    /// Looks through all connections of the machine.
    private static func isListedAsOwn(_ descriptor: Int32) -> Bool {
        guard let own = port(descriptor, getsockname), let other = port(descriptor, getpeername) else { return false }
        let ends = (hexadecimal(other), hexadecimal(own))
        for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
            for line in contents(of: table).split(separator: "\n") {
                let fields = line.split(separator: " ")
                guard fields.count > 7, fields[1].hasSuffix(ends.0), fields[2].hasSuffix(ends.1),
                    loopback.contains(where: fields[1].hasPrefix)
                else { continue }
                return UInt32(fields[7]) == getuid()
            }
        }
        return false
    }

    /// 127.0.0.1, ::1 and 127.0.0.1 of a socket for both, as the kernel writes them.
    private static let loopback = [
        "0100007F:", "00000000000000000000000001000000:", "0000000000000000FFFF00000100007F:",
    ]

    /// A file of the kernel's, which says nothing of its size.
    private static func contents(of path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var (bytes, part) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
        while true {
            let count = read(file, &part, part.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += part[..<count]
        }
    }

    private static func hexadecimal(_ port: UInt16) -> String {
        let text = String(port, radix: 16, uppercase: true)
        return ":" + String(repeating: "0", count: 4 - text.count) + text
    }

    private static func port(
        _ descriptor: Int32, _ name: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> UInt16? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard name(descriptor, address, &length) == 0 else { return nil }
                // The port stands in the same place for both families.
                return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    UInt16(bigEndian: $0.pointee.sin_port)
                }
            }
        }
    }
}
#endif
