internal import Components
internal import Dispatch

/// A thread for work that waits for the disk, one piece after another.
final class BlockingQueue: Sendable {
    private let queue: DispatchQueue

    init(_ label: String) { queue = DispatchQueue(label: label) }

    func add(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// - Parameter work: throws only ``RuntimeException``.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws(RuntimeException) -> Value {
        let result: Result<Value, RuntimeException> = await withCheckedContinuation { continuation in
            queue.async {
                let result = Result { try work() }
                continuation.resume(
                    returning: result.mapError { $0 as? RuntimeException ?? RuntimeException(plain: "\($0)") })
            }
        }
        return try result.get()
    }
}
