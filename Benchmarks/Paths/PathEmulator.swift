import Foundation

/// The process that carries packets between the two ends of a path: each is a TUN device, which gives and takes packets of IP.
/// The devices begin in this name space and are then moved to others; the emulator keeps them open.
enum PathEmulator {
    static let devices = ["alcove-p0", "alcove-p1"]

    private struct Failure: Error, CustomStringConvertible { let description: String }

    /// Carries packets until the parent goes away.
    static func runIfAsked() throws {
        let words = CommandLine.arguments
        guard words.count == 3, words[1] == "--emulate-path" else { return }
        let shape = try JSONDecoder().decode(PathShape.self, from: Data(words[2].utf8))
        let ends = try devices.map(open)
        for (index, seed) in [(0, 1), (1, 2)] as [(Int, UInt64)] {
            let (from, to) = (ends[index], ends[1 - index])
            Thread.detachNewThread { carry(from: from, to: to, PathDirection(shape, seed: seed)) }
        }
        print("ready")
        fflush(nil)
        while readLine() != nil {}
        exit(0)
    }

    /// TUNSETIFF of linux/if_tun.h, with IFF_TUN and IFF_NO_PI; a `struct ifreq` is 40 bytes that begin with the name.
    private static func open(_ name: String) throws -> Int32 {
        let file = Foundation.open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC)
        var request = [UInt8](repeating: 0, count: 40)
        request.replaceSubrange(0..<name.utf8.count, with: name.utf8)
        (request[16], request[17]) = (0x01, 0x10)
        guard file >= 0, ioctl(file, 0x4004_54CA, &request) == 0 else {
            throw Failure(description: "no TUN device: errno \(errno); this needs root")
        }
        return file
    }

    private static func carry(from: Int32, to: Int32, _ direction: PathDirection) {
        var direction = direction
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        while true {
            wait(from, until: direction.next)
            for _ in 0..<64 {
                let count = read(from, buffer.baseAddress, buffer.count)
                guard count > 0 else { break }
                direction.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: monotonicNanoseconds())
            }
            direction.deliver(at: monotonicNanoseconds()) { _ = write(to, $0.baseAddress, $0.count) }
        }
    }

    /// Waits for a packet, at most until then. `select` counts microseconds, `poll` only milliseconds.
    private static func wait(_ file: Int32, until time: UInt64?) {
        let now = monotonicNanoseconds()
        let left = time.map { max($0, now) - now } ?? 1_000_000_000
        var interval = timeval(tv_sec: Int(left / 1_000_000_000), tv_usec: Int(left % 1_000_000_000 / 1000))
        var files = fd_set()
        withUnsafeMutableBytes(of: &files) { $0[Int(file) / 8] |= 1 << (UInt8(file) % 8) }
        _ = select(file + 1, &files, nil, nil, &interval)
    }
}

/// The same in every process of a machine.
func monotonicNanoseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}
