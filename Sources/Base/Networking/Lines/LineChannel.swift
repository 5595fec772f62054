internal import Synchronization

/// Lines in both directions between two programs of the same user, over a Unix domain socket. Either side sends whenever it likes.
///
/// What was received and not taken with ``next()`` waits here up to ``Limits/received`` bytes; then the kernel holds the other side
/// back. A side that does not read is cut once ``Limits/waiting`` bytes wait for it.
package final class LineChannel: Sendable {
    package struct Limits: Sendable {
        /// Bytes of a line that comes in. The channel ends with a longer one.
        package var line = 1 << 16
        /// Bytes that came in and wait to be taken, unless they are the beginning of one longer line.
        package var received = 1 << 17
        /// Bytes that wait for the other side to read.
        package var waiting = 8 << 20

        package init() {}
    }

    private let stream: ByteStream
    private let incoming: Incoming
    private let limits: Limits

    init(_ stream: ByteStream, _ limits: Limits) {
        self.stream = stream
        self.limits = limits
        incoming = Incoming(stream, limits)
    }

    /// Connects to the program that listens at a path.
    /// - Throws: `cannotConnect` if none does.
    package convenience init(path: String, limits: Limits = Limits()) throws(NetworkingError) {
        let loop = try EventLoop.shared
        guard case .descriptor(let descriptor) = Socket.connecting(at: path) else {
            throw NetworkingError(.cannotConnect, "no program listens at \(path)")
        }
        self.init(ByteStream(descriptor, loop: loop, tls: nil), limits)
        guard start() else { throw NetworkingError(.unavailable, "the network cannot watch one more socket") }
    }

    func start() -> Bool { stream.start(incoming) }

    /// Sends a line, given without its end.
    /// - Returns: false if the channel has ended, also because the other side does not read.
    @discardableResult package func send(_ line: [UInt8]) -> Bool {
        switch stream.send(line + [UInt8(ascii: "\n")], limit: limits.waiting) {
        case .queued: return true
        case .full:
            stream.cut()
            return false
        case .closed: return false
        }
    }

    /// The next line, without its end; `nil` once the channel has ended. One caller at a time. A task that is cancelled ends the channel.
    package func next() async -> [UInt8]? {
        await withTaskCancellationHandler {
            await incoming.next()
        } onCancel: {
            stream.cut()
        }
    }

    /// Ends the channel after what was sent.
    package func finish() { stream.finish() }

    /// Ends the channel at once.
    package func cut() { stream.cut() }

    /// Gives up a channel that was not started. Its descriptor is closed here and nowhere else.
    func discard() { stream.discard() }

    /// Told once the channel has ended, also if it has already.
    func onClose(_ action: @escaping @Sendable () -> Void) { incoming.onClose(action) }

    deinit { stream.cut() }
}

/// What came in on a ``LineChannel`` and was not taken yet.
private final class Incoming: StreamOwner {
    private struct State {
        var lines: LineBuffer
        var isClosed = false
        var isHeld = false
        var waiter: CheckedContinuation<[UInt8]?, Never>?
        var closed: (@Sendable () -> Void)?
    }

    private let stream: ByteStream
    private let limits: LineChannel.Limits
    private let state: Mutex<State>

    init(_ stream: ByteStream, _ limits: LineChannel.Limits) {
        self.stream = stream
        self.limits = limits
        state = Mutex(State(lines: LineBuffer(limit: limits.line)))
    }

    func streamOpened() {}

    func streamReceived(_ bytes: UnsafeRawBufferPointer) {
        let isTooLong = state.withLock { state in
            state.lines.append(bytes)
            if state.lines.count > limits.received, !state.isHeld {
                state.isHeld = true
                stream.setReceiving(false)
            }
            return state.lines.hasTooLongLine
        }
        if isTooLong { return stream.cut() }
        deliver()
    }

    func streamClosed(_ end: StreamEnd) {
        let closed = state.withLock { state in
            state.isClosed = true
            return state.closed.take()
        }
        deliver()
        closed?()
    }

    func onClose(_ action: @escaping @Sendable () -> Void) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.closed = action }
            return state.isClosed
        }
        if isClosed { action() }
    }

    func next() async -> [UInt8]? {
        await withCheckedContinuation { waiter in
            let former = state.withLock { state -> CheckedContinuation<[UInt8]?, Never>? in
                defer { state.waiter = waiter }
                return state.waiter
            }
            former?.resume(returning: nil)
            deliver()
        }
    }

    private func deliver() {
        let delivery = state.withLock { state -> (CheckedContinuation<[UInt8]?, Never>, [UInt8]?)? in
            guard state.waiter != nil else { return nil }
            let line = state.lines.next()
            // Of a line that is longer than what may wait, the rest has to come: its own limit bounds it.
            if state.isHeld, line == nil || state.lines.count <= limits.received / 2 {
                state.isHeld = false
                stream.setReceiving(true)
            }
            guard line != nil || state.isClosed, let waiter = state.waiter.take() else { return nil }
            // A line longer than the limit is no line; the channel is being cut.
            return (waiter, line.flatMap { $0.count > limits.line ? nil : $0 })
        }
        if let (waiter, line) = delivery { waiter.resume(returning: line) }
    }
}

/// Listens on a Unix domain socket for programs of the same user, and has a ``LineChannel`` with each.
package final class LineChannelServer: Sendable {
    /// The path of the socket's file.
    package let path: String
    private let connections: Int
    private let limits: LineChannel.Limits
    private let refusal: [UInt8]?
    private let serve: @Sendable (LineChannel) async -> Void
    private let running = Mutex<(listener: SocketListener, channels: Channels)?>(nil)

    /// - Parameters:
    ///   - connections: programs at the same time; more are sent away.
    ///   - refusal: the line that these get.
    ///   - serve: talks to one program. When it returns, the channel ends after what was sent.
    package init(
        path: String, connections: Int = 64, limits: LineChannel.Limits = LineChannel.Limits(), refusal: [UInt8]? = nil,
        serve: @escaping @Sendable (LineChannel) async -> Void
    ) {
        self.path = path
        self.connections = connections
        self.limits = limits
        self.refusal = refusal
        self.serve = serve
    }

    /// Listens. The socket's file has mode 0600.
    /// - Throws: `cannotListen` if another process listens there, or the path cannot be used.
    package func start() throws(NetworkingError) {
        let loop = try EventLoop.shared
        let descriptor = try Socket.openListening(at: path)
        let channels = Channels()
        let listener = SocketListener(descriptor, on: loop) { [connections, limits, refusal, serve] descriptor, _ in
            let channel = LineChannel(ByteStream(descriptor, loop: loop, tls: nil), limits)
            guard channels.add(channel, upTo: connections) else {
                guard let refusal, channel.start() else { return channel.discard() }
                channel.send(refusal)
                return channel.finish()
            }
            guard channel.start() else { return channels.remove(channel) }
            channel.onClose { [weak channel] in if let channel { channels.remove(channel) } }
            Task {
                await serve(channel)
                channel.finish()
            }
        }
        guard listener.start() else {
            Socket.endListening(descriptor)
            Socket.removeFile(at: path)
            throw NetworkingError(.unavailable, "the network cannot watch one more socket")
        }
        running.withLock { $0 = (listener, channels) }
    }

    /// Removes the socket's file, stops listening and ends every channel after what was sent.
    package func stop() async {
        guard let (listener, channels) = running.withLock({ $0.take() }) else { return }
        // Before the server stops, so that it never removes the file of the next server.
        Socket.removeFile(at: path)
        listener.stop()
        for channel in channels.all { channel.finish() }
        let deadline = ContinuousClock.now + .milliseconds(500)
        while !channels.all.isEmpty, ContinuousClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(2))
        }
        for channel in channels.all { channel.cut() }
    }

    private final class Channels: Sendable {
        private let open = Mutex<[ObjectIdentifier: LineChannel]>([:])

        var all: [LineChannel] { open.withLock { Array($0.values) } }

        func add(_ channel: LineChannel, upTo limit: Int) -> Bool {
            open.withLock { open in
                guard open.count < limit else { return false }
                open[ObjectIdentifier(channel)] = channel
                return true
            }
        }

        func remove(_ channel: LineChannel) {
            let removed = open.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }
            _ = removed
        }
    }
}

extension Socket {
    /// Listens at a path, for this user only.
    /// - Throws: `cannotListen` with the reason and what to do.
    static func openListening(at path: String) throws(NetworkingError) -> Int32 {
        switch listening(at: path) {
        case .descriptor(let open): return open
        case .pathTooLong:
            throw NetworkingError(
                .cannotListen,
                "cannot listen at \(path): this is too long for a socket, or the folder is missing or closed to you")
        case .taken:
            throw NetworkingError(.cannotListen, "another process listens at \(path): stop it, or use another path")
        case .refused:
            throw NetworkingError(
                .cannotListen,
                "cannot listen at \(path): is there a file of this name, and may you write to its folder?")
        }
    }
}
