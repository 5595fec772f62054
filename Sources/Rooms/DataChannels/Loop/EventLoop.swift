internal import CNice
internal import Synchronization

/// A thread that runs a GLib main context, and the executor of the actors on it.
///
/// Work comes from three sources: libnice's sockets and timers (GLib sources), jobs of Swift concurrency, and calls
/// submitted from other threads. Each round ends with its scheduled work (``atEndOfRound(_:)``), in which a connection
/// sends all collected packets at once.
final class EventLoop: SerialExecutor, Sendable {
    /// Owned GLib pointer. Immutable; the only calls from other threads are `g_main_context_wakeup` and
    /// `g_source_attach`, which GLib documents as thread-safe.
    nonisolated(unsafe) let context: OpaquePointer
    private let mailbox = Mutex(Mailbox())
    /// Touched by the loop's own thread only, see ``atEndOfRound(_:)``.
    nonisolated(unsafe) private var turnEnds: [() -> Void] = []
    /// Touched by the loop's own thread only.
    nonisolated(unsafe) var alarms = Alarms()
    /// How this loop waits. Touched by its own thread only.
    nonisolated(unsafe) var patience = Patience()
    /// Packets and decrypted bytes on their way through a call: one place for all connections of the loop.
    let scratch = LoopScratch()
    private let thread = Atomic<UInt>(0)

    private enum Work {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }

    private struct Mailbox {
        var work: [Work] = []
        var isSignalled = false
    }

    init(name: String) {
        context = g_main_context_new()
        let unmanaged = Unmanaged.passRetained(self).toOpaque()
        g_thread_unref(
            g_thread_new(
                name,
                { pointer in
                    guard let pointer else { return nil }
                    Unmanaged<EventLoop>.fromOpaque(pointer).takeUnretainedValue().run()
                },
                unmanaged
            )
        )
    }

    /// The loops that connections are spread over: threads live as long as the process.
    private static let pool: [EventLoop] = (0..<max(1, min(4, Int(g_get_num_processors())))).map {
        EventLoop(name: "data-channels-\($0)")
    }
    private static let assignments = Atomic<Int>(0)

    /// The loop for a new connection.
    static func next() -> EventLoop {
        pool[assignments.add(1, ordering: .relaxed).oldValue % pool.count]
    }

    /// Whether the caller runs on this loop's thread.
    var isCurrent: Bool { thread.load(ordering: .relaxed) == Self.currentThread }

    private static var currentThread: UInt { UInt(bitPattern: g_thread_self()) }

    /// Runs `call` on the loop, after everything that was submitted before.
    func submit(_ call: @escaping @Sendable () -> Void) { post(.call(call)) }

    /// Runs `work` when the current round of events has been handled. Only from the loop's own thread.
    func atEndOfRound(_ work: @escaping () -> Void) { turnEnds.append(work) }

    func enqueue(_ job: consuming ExecutorJob) { post(.job(UnownedJob(job))) }

    func isIsolatingCurrentContext() -> Bool? { isCurrent }

    func checkIsolated() { precondition(isCurrent, "called outside the connection's loop") }

    private func post(_ work: Work) {
        let mustWake = mailbox.withLock { mailbox in
            mailbox.work.append(work)
            defer { mailbox.isSignalled = true }
            return !mailbox.isSignalled
        }
        if mustWake && !isCurrent { g_main_context_wakeup(context) }
    }

    private func run() -> Never {
        thread.store(Self.currentThread, ordering: .relaxed)
        g_main_context_push_thread_default(context)
        waitForFilesHere()
        while true {
            runMailbox()
            for ring in alarms.takeDue() { ring() }
            runTurnEnds()
            let isIdle = mailbox.withLock { $0.work.isEmpty }
            g_main_context_iteration(context, isIdle ? 1 : 0)
            runTurnEnds()
        }
    }

    private func runMailbox() {
        let work = mailbox.withLock { mailbox in
            defer { mailbox = Mailbox() }
            return mailbox.work
        }
        for item in work {
            switch item {
            case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
            case .call(let call): call()
            }
        }
    }

    private func runTurnEnds() {
        while !turnEnds.isEmpty {
            let ends = turnEnds
            turnEnds.removeAll(keepingCapacity: true)
            for end in ends { end() }
        }
    }
}
