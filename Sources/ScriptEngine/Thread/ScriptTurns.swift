internal import Synchronization

/// What a script thread does: rounds of the work that was handed over, and of its event loop's.
final class ScriptTurns: Sendable {
    /// Work holds on to the thread, so that this does not end in the middle of it.
    struct Work: Sendable {
        enum Kind: Sendable {
            case job(UnownedJob)
            case call(@Sendable () -> Void)
        }

        let thread: ScriptThread
        let kind: Kind

        func run() {
            switch kind {
            case .job(let job): job.runSynchronously(on: thread.asUnownedSerialExecutor())
            case .call(let call): call()
            }
        }
    }

    private struct Mailbox {
        var work: [Work] = []
        var isStopping = false
    }

    let loop = EventLoop()
    /// The number of the thread, see ``EventLoop/currentThread``; 0 until it runs.
    let thread = Atomic<UInt>(0)
    private let mailbox = Mutex(Mailbox())

    func add(_ work: Work) {
        let isFirst = mailbox.withLock { mailbox in
            mailbox.work.append(work)
            return mailbox.work.count == 1
        }
        // The thread looks into the mailbox before it waits, so it need not wake itself.
        if isFirst && thread.load(ordering: .relaxed) != EventLoop.currentThread { loop.wake() }
    }

    func stop() {
        mailbox.withLock { $0.isStopping = true }
        loop.wake()
    }

    /// The body of the thread.
    func run() {
        Census.threads.enter()
        defer { Census.threads.leave() }
        thread.store(EventLoop.currentThread, ordering: .relaxed)
        loop.enter()
        while !mailbox.withLock({ $0.isStopping && $0.work.isEmpty }) {
            runMailbox()
            let mayWait = mailbox.withLock { $0.work.isEmpty && !$0.isStopping }
            loop.turn(mayWait: mayWait)
        }
        loop.leave()
    }

    private func runMailbox() {
        let work = mailbox.withLock { mailbox in
            defer { mailbox.work = [] }
            return mailbox.work
        }
        for item in work { item.run() }
    }
}
