internal import Synchronization

/// A client of a ``LineServer``: sends a line, gets a line.
package final class LineClient: Sendable {
    private let stream: ByteStream
    private let replies: LineReplies

    /// Connects.
    /// - Throws: `cannotConnect` if no server listens there.
    package init(path: String) throws(NetworkingError) {
        let loop = try EventLoop.shared
        guard case .descriptor(let descriptor) = Socket.connecting(at: path) else {
            throw NetworkingError(.cannotConnect, "no server listens at \(path)")
        }
        stream = ByteStream(descriptor, loop: loop, tls: nil)
        replies = LineReplies()
        guard stream.start(replies) else {
            throw NetworkingError(.unavailable, "the network cannot watch one more socket")
        }
    }

    /// Sends a line and waits for the answer. One question at a time. A task that is cancelled ends the connection.
    /// - Throws: `timedOut`, or `closed` if the server ended the connection, or the task was cancelled.
    package func ask(_ line: [UInt8], within limit: Duration) async throws(NetworkingError) -> [UInt8] {
        guard stream.send(line + [UInt8(ascii: "\n")]) == .queued else {
            throw NetworkingError(.closed, "the connection is closed")
        }
        let alarm = Task { [replies] in
            if (try? await Task.sleep(for: limit)) != nil { replies.giveUp() }
        }
        defer { alarm.cancel() }
        switch await next() {
        case .line(let bytes): return bytes
        case .closed:
            throw NetworkingError(
                .closed, Task.isCancelled ? "the wait was given up" : "the other side ended the connection")
        case .timedOut: throw NetworkingError(.timedOut, "there was no answer in time")
        }
    }

    /// Returns when the server has ended the connection. A task that is cancelled ends it itself. Not while a question waits.
    package func untilClosed() async { while case .line = await next() {} }

    private func next() async -> LineReplies.Reply {
        await withTaskCancellationHandler {
            await replies.next()
        } onCancel: {
            stream.cut()
        }
    }

    /// Closes the connection at once.
    package func close() { stream.cut() }

    deinit { stream.cut() }
}

/// What the server of a ``LineClient`` said.
private final class LineReplies: StreamOwner {
    enum Reply {
        case line([UInt8])
        case closed
        case timedOut
    }

    private struct State {
        var input = LineBuffer()
        var isClosed = false
        var waiter: CheckedContinuation<Reply, Never>?
    }

    private let state = Mutex(State())

    func streamOpened() {}

    func streamReceived(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { $0.input.append(bytes) }
        deliver()
    }

    func streamClosed(_ end: StreamEnd) {
        state.withLock { $0.isClosed = true }
        deliver()
    }

    func next() async -> Reply {
        await withCheckedContinuation { waiter in
            state.withLock { $0.waiter = waiter }
            deliver()
        }
    }

    func giveUp() { state.withLock { $0.waiter.take() }?.resume(returning: .timedOut) }

    private func deliver() {
        let delivery = state.withLock { state -> (CheckedContinuation<Reply, Never>, Reply)? in
            guard state.waiter != nil else { return nil }
            guard let reply = state.input.next().map(Reply.line) ?? (state.isClosed ? .closed : nil),
                let waiter = state.waiter.take()
            else { return nil }
            return (waiter, reply)
        }
        if let (waiter, reply) = delivery { waiter.resume(returning: reply) }
    }
}
