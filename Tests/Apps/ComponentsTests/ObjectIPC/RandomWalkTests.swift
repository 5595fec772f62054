import Components
import Synchronization
import Testing

/// Random walks of two ends beside a model that knows what each call must come to: messages are delivered late, functions answer
/// in any order, callers change their minds, and in some walks one side goes away.
struct RandomWalkTests {
    @Test(arguments: 0..<60)
    func everyCallComesToWhatTheModelSays(seed: Int) async {
        var walk = RandomWalk(seed: UInt64(seed))
        for _ in 0..<200 { await walk.step() }
        if seed % 3 == 0 { walk.breakOff() } else { await walk.finish() }
        walk.check(wasBrokenOff: seed % 3 == 0)
    }
}

private struct RandomWalk {
    /// What the model expects of one call.
    struct Call {
        let number: UInt64
        let seen: Recorded<Event>
        /// Values and the end that the service gave.
        var given: [Event] = []
        var isCancelled = false
        /// Whether the service knows.
        var isStopped = false
        var isEnded: Bool { given.last.map { if case .end = $0 { true } else { false } } ?? false }
    }

    enum Event: Hashable, Sendable {
        case value([UInt8])
        case end(RuntimeException?)
    }

    private var random: SplitMix
    private let instructions = Instructions()
    private let service: LoneEnd
    private let caller = LoneEnd()
    private var toService: [[UInt8]] = []
    private var toCaller: [[UInt8]] = []
    private var calls: [UInt8: Call] = [:]
    private var lastCall: UInt8 = 0

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
        let instructions = instructions
        service = LoneEnd(
            root: ServiceObject(functions: [
                "echo": .immediate { call in call.body.map(Array.init) },
                "work": .observable { call, emitter throws(RuntimeException) in
                    guard let id = call.body?.first else { throw RuntimeException(plain: "no id") }
                    defer { instructions.leave(id) }
                    while true {
                        switch await instructions.instruction(for: id) {
                        case .value(let value): try await emitter.emit(value)
                        case .end(let exception):
                            if let exception { throw exception }
                            return
                        }
                    }
                },
            ]))
    }

    mutating func step() async {
        switch random.below(10) {
        case 0, 1: start()
        case 2, 3, 4: deliver(toService: true)
        case 5, 6: deliver(toService: false)
        case 7, 8: await instruct()
        default: cancel()
        }
    }

    private mutating func start() {
        guard lastCall < 200 else { return }
        lastCall += 1
        let id = lastCall
        let name = random.below(4) == 0 ? "echo" : "work"
        let seen = Recorded<Event>()
        let number = caller.connection.observe(["w3n", name], [id]) {
            seen.add(.value($0))
        } end: {
            seen.add(.end($0))
        }
        guard let number else { return }
        calls[id] = Call(number: number, seen: seen)
        if name == "echo" { calls[id]?.given = [.end(nil)] }
    }

    private mutating func collect() {
        toService += caller.take()
        toCaller += service.take()
    }

    private mutating func deliver(toService isToService: Bool) {
        collect()
        if isToService, !toService.isEmpty {
            let message = toService.removeFirst()
            let reply = Reply(message)
            for (id, call) in calls where reply.type == "cancel" && reply.number == call.number {
                calls[id]?.isStopped = true
            }
            service.connection.receive(message)
        }
        if !isToService, !toCaller.isEmpty { caller.connection.receive(toCaller.removeFirst()) }
    }

    /// Lets a function that waits emit, or end.
    private mutating func instruct(isLast: Bool = false) async {
        guard let id = instructions.waiting.sorted().randomElement(using: &random) else { return }
        var event = Event.end(random.below(2) == 0 ? nil : RuntimeException(type: "walk", flag: "over"))
        if !isLast, random.below(3) > 0 { event = .value([id, UInt8(random.below(256))]) }
        calls[id]?.given.append(event)
        await instructions.instruct(id, event)
        guard case .end = event, let call = calls[id], !call.isStopped else { return }
        // The answer follows when the function has returned.
        while !toCaller.contains(where: { Reply($0).number == call.number && Reply($0).type != "interim" }) {
            await Task.yield()
            collect()
        }
    }

    private mutating func cancel() {
        let running = calls.filter { !$0.value.isCancelled && !$0.value.isEnded }.keys.sorted()
        guard let id = running.randomElement(using: &random), let call = calls[id] else { return }
        caller.connection.cancel(call.number)
        calls[id]?.isCancelled = true
    }

    /// Delivers everything and ends every function.
    mutating func finish() async {
        repeat {
            collect()
            while !toService.isEmpty || !toCaller.isEmpty {
                deliver(toService: true)
                deliver(toService: false)
            }
            await instruct(isLast: true)
            collect()
        } while !instructions.waiting.isEmpty || !toService.isEmpty || !toCaller.isEmpty
    }

    mutating func breakOff() {
        caller.connection.otherSideClosed()
        service.connection.close()
        for id in instructions.waiting { instructions.release(id) }
    }

    func check(wasBrokenOff: Bool) {
        for (id, call) in calls {
            let seen = call.seen.all
            if call.isCancelled {
                #expect(call.given.starts(with: seen) && seen.count <= call.given.count, "call \(id)")
            } else if wasBrokenOff {
                let isBroken = seen.last == .end(RuntimeException(ipc: .stopFromOtherSide))
                #expect(call.given.starts(with: isBroken ? seen.dropLast() : seen[...]), "call \(id)")
                #expect(isBroken || call.isEnded, "call \(id)")
            } else {
                #expect(seen == call.given, "call \(id)")
            }
        }
        #expect(caller.ends.count == (wasBrokenOff ? 1 : 0))
    }
}

/// Where functions of a walk wait for what they shall do.
private final class Instructions: Sendable {
    private struct State {
        var waiting: [UInt8: CheckedContinuation<RandomWalk.Event, Never>] = [:]
        var left: Set<UInt8> = []
    }

    private let state = Mutex(State())

    var waiting: [UInt8] { state.withLock { Array($0.waiting.keys) } }

    func instruction(for id: UInt8) async -> RandomWalk.Event {
        await withCheckedContinuation { continuation in state.withLock { $0.waiting[id] = continuation } }
    }

    func leave(_ id: UInt8) { state.withLock { _ = $0.left.insert(id) } }

    func release(_ id: UInt8) { state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: .end(nil)) }

    /// Returns when the function has done it.
    func instruct(_ id: UInt8, _ event: RandomWalk.Event) async {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: event)
        while state.withLock({ $0.waiting[id] == nil && !$0.left.contains(id) }) { await Task.yield() }
    }
}
