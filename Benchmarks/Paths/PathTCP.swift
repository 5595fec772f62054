import Foundation

/// TCP as the system has it, at either end of a path.
enum PathTCP {
    private static let stream = Int32(SOCK_STREAM.rawValue)

    static func receive(at address: String, seconds: Double) {
        let listener = socket(AF_INET, stream, 0)
        withAddress(address, 0) { _ = bind(listener, $0, $1) }
        listen(listener, 1)
        var bound = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &bound) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(listener, $0, &size) }
        }
        PathLine(kind: .signal, port: Int(UInt16(bigEndian: bound.sin_port))).say()
        let connection = accept(listener, nil, nil)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        let meter = PathMeter(seconds: seconds)
        while !meter.isOver {
            let count = recv(connection, buffer.baseAddress, buffer.count, 0)
            guard count > 0 else { break }
            meter.arrived(count)
        }
        PathLine(kind: .done).say()
    }

    static func send(to address: String, congestion: String) {
        guard let line = readLine(), let signal = try? JSONDecoder().decode(PathLine.self, from: Data(line.utf8)),
            let port = signal.port
        else { return }
        let connection = socket(AF_INET, stream, 0)
        // TCP_CONGESTION of linux/tcp.h.
        guard setsockopt(connection, Int32(IPPROTO_TCP), 13, congestion, socklen_t(congestion.utf8.count)) == 0 else {
            return PathLine(kind: .done, line: "the kernel has no \(congestion)").say()
        }
        let connected = withAddress(address, UInt16(port)) { connect(connection, $0, $1) }
        guard connected == 0 else { return PathLine(kind: .done, line: "no connection: errno \(errno)").say() }
        let block = [UInt8](repeating: 7, count: 1 << 16)
        let start = monotonicNanoseconds()
        var nextState = start
        while Foundation.send(connection, block, block.count, Int32(MSG_NOSIGNAL)) > 0 {
            guard monotonicNanoseconds() >= nextState else { continue }
            nextState = monotonicNanoseconds() + 50_000_000
            state(of: connection, at: Double(monotonicNanoseconds() - start) / 1e9).say()
        }
    }

    /// Reads `struct tcp_info` of linux/tcp.h: the size of a segment, the round trip and the window lie at 16, 68 and 80.
    private static func state(of connection: Int32, at time: Double) -> PathLine {
        var info = [UInt32](repeating: 0, count: 64)
        var size = socklen_t(info.count * 4)
        // TCP_INFO
        getsockopt(connection, Int32(IPPROTO_TCP), 11, &info, &size)
        return PathLine(
            kind: .state, at: time, window: Int(info[20]) * Int(info[4]), roundTripMilliseconds: Double(info[17]) / 1000
        )
    }

    @discardableResult
    private static func withAddress<Result>(
        _ text: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, text, &address.sin_addr)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}
