import Dispatch
import Synchronization

/// Long work with files, one piece after the other, on a thread that nothing else waits for: reading gigabytes, and waiting until
/// a disk has them. One for all rooms, so that many files do not take the disk from everything else.
final class FileQueue: Sendable {
    private let queue = DispatchQueue(label: "alcove.rooms.files", qos: .utility)

    /// Whether a piece of work is not wanted any more.
    final class Cancellation: Sendable {
        private let flag = Atomic(false)
        var isCancelled: Bool { flag.load(ordering: .relaxed) }
        func cancel() { flag.store(true, ordering: .relaxed) }

        /// - Throws: `CancellationError`
        func check() throws { if isCancelled { throw CancellationError() } }
    }

    /// Does one piece when its turn has come. The body looks now and then whether its task was cancelled.
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
