internal import Platform
internal import Synchronization

/// A thread that runs JavaScript, and the executor of the actors that use it.
///
/// JavaScriptCore finishes some of its work, such as asynchronous WebAssembly compilation, on the event loop of the
/// thread that made a context. This thread always runs one. An actor takes it as its executor and then uses a
/// ``ScriptContext`` like any other value:
///
///     actor Interpreter {
///         private let thread: ScriptThread
///         private let context: ScriptContext
///         nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
///
///         init() async throws {
///             let thread = try ScriptThread()
///             self.thread = thread
///             context = try await thread.run { try ScriptContext(on: thread) }
///         }
///     }
///
/// Contexts of one thread take turns; contexts of different threads run at the same time. The thread ends with its last
/// reference, and closes its contexts.
public final class ScriptThread: SerialExecutor, Sendable {
    let runLoop: ScriptRunLoop

    /// - Parameter name: what debuggers show; Linux shows 15 characters of it.
    public init(name: String = "script") throws(ScriptError) {
        EventLoop.prepareEngine
        guard EventLoop.isAvailable else {
            throw ScriptError(.unavailable, "the script engine cannot start: too many files are open")
        }
        runLoop = ScriptRunLoop()
        guard PlatformThread.start(name: name, stackSize: Self.stackSize, runLoop.run) else {
            throw ScriptError(.unavailable, "the script engine cannot start: no thread is to be had")
        }
    }

    deinit { runLoop.stop() }

    /// Scripts may recurse through 5 MiB of it, which is JavaScriptCore's own limit; the rest is for native code.
    private static let stackSize = 8 << 20

    /// Whether the caller runs on this thread.
    public var isCurrent: Bool { runLoop.isCurrent }

    /// Runs `work` on the thread after all earlier work, and returns its result.
    public func run<Success>(_ work: sending @escaping () throws -> sending Success) async throws -> sending Success {
        let outcome = Outcome<Success>(work)
        await withCheckedContinuation { continuation in
            runLoop.post {
                outcome.run()
                continuation.resume()
            }
        }
        return try outcome.take()
    }

    /// Runs `work` on the thread after all earlier work, without waiting for it. If the thread has ended, it never
    /// runs.
    public func post(_ work: @escaping @Sendable () -> Void) { runLoop.post(work) }

    #if !canImport(Darwin)
    /// Calls `ready` on the thread whenever the descriptor can be read, or its other end is gone, until it returns false.
    public func watch(descriptor: Int32, _ ready: @escaping @Sendable () -> Bool) {
        runLoop.post { [runLoop] in runLoop.loop.watch(descriptor: descriptor, ready) }
    }
    #endif

    /// Runs a job of an actor on the thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        runLoop.add(.init(thread: self, kind: .job(UnownedJob(job))))
    }

    public func isIsolatingCurrentContext() -> Bool? { isCurrent }

    public func checkIsolated() { runLoop.checkIsolated() }
}

/// The result of work on the thread.
///
/// Unchecked: the thread writes before the continuation resumes, and the waiting task reads after that.
private final class Outcome<Success>: @unchecked Sendable {
    private var work: (() throws -> Success)?
    private var result: Result<Success, any Error>?

    init(_ work: @escaping () throws -> Success) { self.work = work }

    func run() {
        guard let work else { return }
        self.work = nil
        result = Result { try work() }
    }

    func take() throws -> sending Success {
        guard let result = result.take() else { throw ScriptError(.unavailable, "the script thread has ended") }
        // It was taken out of here, and the work that made it transferred it (`sending`), so this is the only
        // reference.
        nonisolated(unsafe) let success = try result.get()
        return success
    }
}
