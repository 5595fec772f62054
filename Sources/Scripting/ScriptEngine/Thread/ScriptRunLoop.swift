internal import Synchronization

/// The loop of a script thread: it alternates between submitted work and its event loop.
final class ScriptRunLoop: Sendable {
    struct Work: Sendable {
        enum Kind: Sendable {
            case job(UnownedJob)
            case call(@Sendable () -> Void)
        }

        /// Jobs keep their executor alive, so that it does not end while they run.
        var thread: ScriptThread?
        let kind: Kind

        func run() {
            switch kind {
            case .job(let job): if let thread { job.runSynchronously(on: thread.asUnownedSerialExecutor()) }
            case .call(let call): call()
            }
        }
    }

    private struct Mailbox {
        var work: [Work] = []
        var isStopping = false
        var hasEnded = false
    }

    let loop = EventLoop()
    /// The contexts of this thread, until they are closed. Only touched on the thread.
    nonisolated(unsafe) var contexts: [ObjectIdentifier: ScriptContext] = [:]
    /// The engine of the next context, if it was made ahead of time. Only touched on the thread.
    nonisolated(unsafe) var spare: Engine?
    /// The number of the thread, see ``EventLoop/currentThread``; 0 until it runs.
    private let thread = Atomic<UInt>(0)
    private let mailbox = Mutex(Mailbox())

    /// Whether the caller runs on the thread.
    var isCurrent: Bool { thread.load(ordering: .relaxed) == EventLoop.currentThread }

    func checkIsolated() { precondition(isCurrent, "scripts are used on their own thread only") }

    /// Runs `call` on the thread soon, unless it has ended.
    func post(_ call: @escaping @Sendable () -> Void) { add(Work(kind: .call(call))) }

    func add(_ work: Work) {
        let isFirst = mailbox.withLock { mailbox in
            guard !mailbox.hasEnded else { return false }
            mailbox.work.append(work)
            return mailbox.work.count == 1
        }
        // The thread looks into the mailbox before it waits, so it need not wake itself.
        if isFirst && !isCurrent { loop.wake() }
    }

    func stop() {
        mailbox.withLock { $0.isStopping = true }
        loop.wake()
    }

    /// The body of the thread.
    func run() {
        LiveObjectCount.threads.enter()
        defer { LiveObjectCount.threads.leave() }
        thread.store(EventLoop.currentThread, ordering: .relaxed)
        loop.enter()
        while !mailbox.withLock({ $0.isStopping }) {
            runMailbox()
            let mayWait = mailbox.withLock { $0.work.isEmpty && !$0.isStopping }
            loop.iterate(mayWait: mayWait)
        }
        for context in contexts.values { context.close() }
        spare.take()?.release()
        while !hasEnded() { runMailbox() }
        loop.leave()
    }

    private func runMailbox() {
        let work = mailbox.withLock { mailbox in
            defer { mailbox.work = [] }
            return mailbox.work
        }
        for item in work { item.run() }
    }

    /// Refuses further work if none is left.
    private func hasEnded() -> Bool {
        mailbox.withLock { mailbox in
            mailbox.hasEnded = mailbox.work.isEmpty
            return mailbox.hasEnded
        }
    }
}
