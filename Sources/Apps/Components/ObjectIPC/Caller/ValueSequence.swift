import Synchronization

/// The values of an observable call, for one loop.
///
/// There is no way to slow the other side down, so values wait here. When more than ``limit`` bytes wait, the call is cancelled
/// and the sequence ends with `tooManyValues`.
public struct ValueSequence: AsyncSequence, Sendable {
    public typealias Element = [UInt8]
    public typealias Failure = RuntimeException

    /// Bytes that may wait, with a little for each value.
    public static let limit = 16 << 20

    private let stream: AsyncStream<Result<[UInt8], RuntimeException>>
    private let waiting = WaitingBytes()

    init(of path: [String], _ body: (any CallBody)?, on connection: ObjectConnection) {
        let (stream, values) = AsyncStream.makeStream(of: Result<[UInt8], RuntimeException>.self)
        self.stream = stream
        let waiting = waiting
        let number = connection.observe(path, body) { value in
            if waiting.add(value.count) {
                values.yield(.success(value))
            } else {
                values.yield(.failure(RuntimeException(ipc: .tooManyValues)))
                values.finish()
            }
        } end: { exception in
            if let exception { values.yield(.failure(exception)) }
            values.finish()
        }
        guard let number else { return }
        values.onTermination = { _ in connection.cancel(number) }
        // Values that came before there was a number to cancel.
        if waiting.isOverLimit { connection.cancel(number) }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(values: stream.makeAsyncIterator(), waiting: waiting) }

    /// The iterator, for one task.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var values: AsyncStream<Result<[UInt8], RuntimeException>>.Iterator
        fileprivate let waiting: WaitingBytes

        public mutating func next() async throws(RuntimeException) -> [UInt8]? {
            try await next(isolation: nil)
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(RuntimeException) -> [UInt8]? {
            guard let value = try await values.next(isolation: actor)?.get() else { return nil }
            waiting.remove(value.count)
            return value
        }
    }

    /// How much waits.
    fileprivate final class WaitingBytes: Sendable {
        private let bytes = Mutex(0)

        var isOverLimit: Bool { bytes.withLock { $0 > limit } }

        /// False when it is too much.
        func add(_ count: Int) -> Bool {
            bytes.withLock { bytes in
                bytes += count + 64
                return bytes <= limit
            }
        }

        func remove(_ count: Int) { bytes.withLock { $0 -= count + 64 } }
    }
}
