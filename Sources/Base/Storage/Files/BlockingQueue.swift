package import Dispatch

/// One thread for calls that wait for the disk or compute for long, so that the threads of tasks stay free. Calls run
/// in order.
package final class BlockingQueue: Sendable {
    private let queue: DispatchQueue

    /// - Parameter label: what debuggers show.
    package init(_ label: String, qos: DispatchQoS = .userInitiated) { queue = DispatchQueue(label: label, qos: qos) }

    /// Runs `body` after everything that was added before, and returns at once.
    package func add(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// Runs `body` after everything that was added before.
    package func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }
}
