#if os(Linux)
internal import ComponentRuntime
internal import Components
internal import Platform
internal import Synchronization
internal import Wire

/// The component's end of the socket. It sends before it goes on, so that nothing piles up on this side; that the host reads
/// is for the host to see to.
final class Channel: Sendable {
    private let socket: Int32
    private let isSending = Mutex(())
    private let input: Mutex<FrameBuffer>

    /// Bytes of the longest frame from the host.
    static let longestLaunch = 256 << 20

    init(_ socket: Int32) {
        self.socket = socket
        input = Mutex(FrameBuffer(limit: Self.longestLaunch))
    }

    /// Without a host there is nothing left to do.
    func send(_ frame: ComponentFrame) {
        let bytes = frame.encoded
        isSending.withLock { _ in
            bytes.withUnsafeBytes { bytes in
                var sent = 0
                while sent < bytes.count {
                    let count = Glibc.send(socket, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, noSignal)
                    if count > 0 { sent += count } else if count == 0 || errno != EINTR { _exit(0) }
                }
            }
        }
    }

    /// Waits for the next frame; `nil` if what came is not a frame.
    func receive() -> HostFrame? {
        while true {
            do {
                if let frame = try next() { return frame }
            } catch {
                return nil
            }
            read(flags: 0)
        }
    }

    /// Hands over what is there. Called on the thread of the component.
    func deliver(to component: ComponentContext) -> Bool {
        read(flags: Int32(MSG_DONTWAIT))
        do {
            while let frame = try next() {
                switch frame {
                case .launch: _exit(1)
                case .message(let message): component.send(message)
                case .ping: component.ping { self.send(.pong) }
                case .stop: component.end(.stopped)
                }
            }
            return true
        } catch {
            _exit(1)
        }
    }

    private func next() throws -> HostFrame? {
        try input.withLock { try $0.next() }.map { try HostFrame(decoding: $0) }
    }

    private func read(flags: Int32) {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            let count = recv(socket, buffer.baseAddress, buffer.count, flags)
            if count > 0 {
                input.withLock { $0.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            } else if count == 0 || errno != EAGAIN && errno != EINTR {
                _exit(0)
            }
        }
    }

    private let noSignal = Int32(MSG_NOSIGNAL)
}
#endif
