import Dispatch
import Synchronization

/// Runs long work on files in order, on its own thread: reading gigabytes, and waiting until the disk has them. All
/// rooms share one, so that many files do not slow down other uses of the disk.
final class FileQueue: Sendable {
    private let queue = DispatchQueue(label: "alcove.rooms.files", qos: .utility)

    /// Whether a piece of work was cancelled.
    final class Cancellation: Sendable {
        private let flag = Atomic(false)
        var isCancelled: Bool { flag.load(ordering: .relaxed) }
        func cancel() { flag.store(true, ordering: .relaxed) }

        /// - Throws: `CancellationError`
        func check() throws { if isCancelled { throw CancellationError() } }
    }

    /// Runs one piece of work after the earlier ones. The body checks now and then whether its task was cancelled.
    func run<Value: Sendable>(_ body: @escaping @Sendable (Cancellation) throws -> Value) async throws -> Value {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    continuation.resume(
                        with: Result {
                            try cancellation.check()
                            return try body(cancellation)
                        })
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
