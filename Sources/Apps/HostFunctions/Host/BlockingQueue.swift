internal import Dispatch

/// One thread for calls that wait for the disk or compute for long, so that the threads of the tasks stay free. In order.
final class BlockingQueue: Sendable {
    private let queue: DispatchQueue

    init(_ name: String) { queue = DispatchQueue(label: name, qos: .userInitiated) }

    func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
