#if os(Linux)
internal import ComponentRuntime
internal import Components
internal import Platform
internal import Synchronization

/// The outside of one confined process. It is heard and watched on the thread of the ``SandboxLoop``, and may be spoken to from
/// anywhere.
final class SandboxedComponent: RunningComponent {
    /// What the process is to run, and who is told.
    struct Job: Sendable {
        var launch: ComponentLaunch
        var events: ComponentEvents
        var started: @Sendable (Result<Void, ComponentError>) -> Void
    }

    struct State: Sendable {
        var child: Spawn.Child?
        /// The process was waited for, so its number may be another's.
        var isReaped = false
        var status: ProcessStatus?
        var ids: (socket: UInt64, process: UInt64) = (0, 0)
        var isReady = false
        var isOver = false
        var job: Job?
        var hasAnswered = false
        var output = OutputBuffer()
        var taken: (@Sendable () -> Void)?
        /// What it is ended for, once that is decided.
        var verdict: ComponentEnd?
        /// What it says that it ended with.
        var said: ComponentEnd?
        /// When it is killed if it has not stopped by then.
        var deadline: ContinuousClock.Instant?
        var pulse = Pulse()
        var meter = Meter()
        var waiting: [@Sendable () -> Void] = []
    }

    let loop: SandboxLoop
    let state = Mutex(State())
    /// Only used on the loop's thread.
    let input = Mutex(FrameBuffer(limit: 64))
    /// The memory for messages that it has begun to send: one for each component, and some of the longest for all together.
    let inputMemory: MemoryShare
    private static let arriving = MemoryBudget(512 << 20)

    /// - Parameter inputMemory: of what it has begun to send. Reading a message takes up to twice its bytes.
    init(
        on loop: SandboxLoop,
        inputMemory: MemoryBudget = MemoryBudget(
            130 << 20, assured: 16 << 20, within: SandboxedComponent.arriving)
    ) {
        self.loop = loop
        self.inputMemory = MemoryShare(of: inputMemory)
    }

    /// Whether it can still be given something to run.
    var isUsable: Bool { state.withLock { !$0.isOver && $0.job == nil && $0.verdict == nil } }

    var memory: Int { state.withLock { $0.isOver ? 0 : $0.meter.memory } }

    var backlog: Int { state.withLock { $0.output.count } }

    func whenTaken(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.taken = body } }

    /// Starts the process. Only on the loop's thread, which the process dies with.
    func begin(_ words: [String]) {
        do {
            let child = try Spawn.start(words)
            state.withLock { state in
                state.child = child
                state.ids = (loop.add(self, child.socket), loop.add(self, child.end))
            }
        } catch {
            finish(.crashed(error.message), error)
        }
    }

    /// Gives it what to run.
    func run(_ job: Job) {
        input.withLock { $0.limit = job.launch.limits.message + 1024 }
        let isOver = state.withLock { state in
            guard !state.isOver else { return true }
            state.job = job
            state.pulse = Pulse(asked: .now)
            if state.isReady { transmit(.launch(job.launch), &state) }
            return false
        }
        if isOver {
            job.started(.failure(ComponentError(.unavailable, "the confined process ended before it was used")))
        }
    }

    func send(_ message: PortMessage) {
        let frame = HostFrame.message(message).encoded
        state.withLock { state in
            guard let limits = state.job?.launch.limits, !state.isOver, state.verdict == nil else { return }
            guard message.bytes.count <= limits.message else { return condemn(.exceeded("message"), &state) }
            transmit(frame, &state)
        }
    }

    func stop() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard !state.isOver else { return true }
                state.waiting.append { continuation.resume() }
                guard state.verdict == nil else { return false }
                state.verdict = .stopped
                state.deadline = .now + Self.patience
                if state.isReady { transmit(.stop, &state) } else { kill(state) }
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// How long a process may take to stop by itself.
    static let patience = Duration.seconds(2)

    /// Ends it at once.
    func condemn(_ verdict: ComponentEnd, _ state: inout State) {
        if state.verdict == nil { state.verdict = verdict }
        kill(state)
    }

    func kill(_ state: borrowing State) {
        // The whole group: bubblewrap's inner process does not die with the outer one as long as it waits to be told that its name
        // spaces are ready.
        if let child = state.child, !state.isReaped { Glibc.kill(-child.process, SIGKILL) }
    }

    func transmit(_ frame: HostFrame, _ state: inout State) { transmit(frame.encoded, &state) }

    private func transmit(_ frame: [UInt8], _ state: inout State) {
        guard let socket = state.child?.socket else { return }
        let limit = state.job?.launch.limits.backlog ?? 1 << 20
        switch state.output.send(frame, over: socket, limit: max(limit, frame.count)) {
        case .sent: break
        case .waits: loop.wantsToWrite(true, state.ids.socket, socket)
        case .isWaiting: break
        case .tooMuch: condemn(.exceeded("backlog"), &state)
        }
    }
}
#endif
