import Foundation
import Platform
import Synchronization

/// A port of the loopback interface that leads to another one, and can be slow or closed: a network between two programs.
///
/// With several targets it is a small load balancer: each connection goes to the first one that takes it.
///
/// While it is closed, nothing gets through in either direction and no connection ends, as in a partition. What was sent
/// meanwhile comes later.
package final class TCPGate: Sendable {
    private struct State {
        var isClosed = false
        var delay = 0.0
        var isOver = false
        var open: Set<Int32> = []
    }

    package let port: UInt16
    private let targets: [UInt16]
    private let listener: Int32
    private let state = Mutex(State())

    package convenience init(to target: UInt16) throws { try self.init(toFirstOf: [target]) }

    package init(toFirstOf targets: [UInt16]) throws {
        self.targets = targets
        port = try LoopbackPort.free()
        listener = Self.tcp()
        guard Self.address(port, { bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
        Thread.detachNewThread { [self] in accept() }
    }

    package func shut() { state.withLock { $0.isClosed = true } }

    package func open() { state.withLock { $0.isClosed = false } }

    /// How long each piece takes, in seconds.
    package func slow(by delay: Double) { state.withLock { $0.delay = delay } }

    /// Ends all connections that are there. New ones get through.
    package func cut() {
        for descriptor in state.withLock({ $0.open }) { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    /// Ends all connections and the port.
    package func end() {
        let open = state.withLock { state in
            state.isOver = true
            return state.open
        }
        for descriptor in open { shutdown(descriptor, Int32(SHUT_RDWR)) }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func accept() {
        while true {
            let near = Platform.accept(listener, nil, nil)
            guard near >= 0, !state.withLock({ $0.isOver }) else { break }
            guard let far = reached() else {
                close(near)
                continue
            }
            state.withLock { $0.open.formUnion([near, far]) }
            let ends = Mutex(0)
            let finish = { @Sendable [self] in
                for descriptor in [near, far] { shutdown(descriptor, Int32(SHUT_RDWR)) }
                let isLast = ends.withLock { ends in
                    ends += 1
                    return ends == 2
                }
                guard isLast else { return }
                state.withLock { $0.open.subtract([near, far]) }
                for descriptor in [near, far] { close(descriptor) }
            }
            Thread.detachNewThread { [self] in copy(near, far, finish) }
            Thread.detachNewThread { [self] in copy(far, near, finish) }
        }
        close(listener)
    }

    /// A connection to the first target that takes one.
    private func reached() -> Int32? {
        for target in targets {
            let far = Self.tcp()
            if Self.address(target, { connect(far, $0, $1) }) == 0 { return far }
            close(far)
        }
        return nil
    }

    private func copy(_ from: Int32, _ to: Int32, _ finish: @Sendable () -> Void) {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(from, &bytes, bytes.count, 0)
            guard count > 0 else { break }
            let delay = state.withLock { $0.delay }
            if delay > 0 { Thread.sleep(forTimeInterval: delay) }
            while state.withLock({ $0.isClosed && !$0.isOver }) { Thread.sleep(forTimeInterval: 0.01) }
            var sent = 0
            while sent < count {
                let more = bytes.withUnsafeBytes {
                    send(to, $0.baseAddress?.advanced(by: sent), count - sent, Int32(MSG_NOSIGNAL))
                }
                guard more > 0 else { return finish() }
                sent += more
            }
        }
        finish()
    }

    private static func tcp() -> Int32 {
        #if canImport(Glibc)
        socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    private static func address(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
