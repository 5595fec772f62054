internal import Synchronization

/// Where the producer of an ``HTTPContent`` writes. It holds at most one piece for a client that reads slowly.
package final class HTTPContentWriter: Sendable {
    private struct State {
        /// Bytes given to the stream, with the frames of chunks.
        var sent = 0
        var written = 0
        var isClosed = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    /// Bytes that are sent at once, and the most that wait for the client.
    package static let pieceLimit = 64 * 1024

    private let stream: ByteStream
    private let count: Int?
    private let isChunked: Bool
    private let state = Mutex(State())

    init(_ stream: ByteStream, count: Int?, isChunked: Bool) {
        self.stream = stream
        self.count = count
        self.isChunked = isChunked
    }

    /// Sends the bytes, and returns when the kernel has them all: not before a slow client has read what came before.
    ///
    /// Throws `closed` if the client is gone, and `tooLarge` for more bytes than the content announced. Called by one
    /// task at a time. A body that pauses for long should write something now and then, because only writing shows that a
    /// client is gone.
    package func write(_ bytes: consuming [UInt8]) async throws(NetworkingError) {
        var rest = bytes[...]
        // Nothing is kept here of what waits in the stream.
        bytes = []
        while !rest.isEmpty {
            try queue(rest.prefix(Self.pieceLimit))
            rest = rest.count > Self.pieceLimit ? rest.dropFirst(Self.pieceLimit) : []
            if stream.queued > 0 { await untilDrained() }
            guard !state.withLock({ $0.isClosed }), !Task.isCancelled else { throw Self.gone }
        }
    }

    private func queue(_ piece: ArraySlice<UInt8>) throws(NetworkingError) {
        let size = isChunked ? Array("\(String(piece.count, radix: 16))\r\n".utf8) : []
        let fits = state.withLock { state in
            guard count.map({ piece.count <= $0 - state.written }) ?? true else { return false }
            state.written += piece.count
            state.sent += isChunked ? size.count + piece.count + 2 : piece.count
            return true
        }
        guard fits else { throw NetworkingError(.tooLarge, "the body is longer than it was announced") }
        let result = isChunked ? stream.send(size + piece + [13, 10]) : piece.withUnsafeBytes { stream.send($0) }
        guard case .queued = result else { throw Self.gone }
    }

    private static var gone: NetworkingError { NetworkingError(.closed, "the client is gone") }

    private func untilDrained() async {
        await withCheckedContinuation { continuation in
            let isClosed = state.withLock { state in
                if !state.isClosed { state.waiter = continuation }
                return state.isClosed
            }
            if isClosed { return continuation.resume() }
            // The queue may have emptied before the waiter was there.
            if stream.queued == 0 { drained() }
        }
    }

    /// Everything is with the kernel.
    func drained() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// The client is gone.
    func close() {
        state.withLock { $0.isClosed = true }
        drained()
    }

    /// Whether everything was written that was announced.
    var isComplete: Bool { count.map { count in state.withLock { $0.written == count } } ?? true }

    /// Bytes that the client has acknowledged.
    var acknowledged: Int { state.withLock { $0.sent } - stream.unacknowledged }
}
