package import Components
internal import Platform
internal import Synchronization
internal import Wire

/// A sandbox whose components are recorded. Their clock stands still between messages and their chance has a seed, so that the
/// recording holds all that they can see.
package struct RecordingSandbox: ComponentSandbox {
    private let sandbox: any ComponentSandbox
    private let path: @Sendable (ComponentLaunch) -> String
    private let limit: Int

    /// - Parameters:
    ///   - sandbox: where the components run.
    ///   - limit: bytes of a recording; the run goes on without it then.
    ///   - path: a file for each component, which does not exist yet.
    package init(
        around sandbox: any ComponentSandbox, limit: Int = 256 << 20,
        path: @escaping @Sendable (ComponentLaunch) -> String
    ) {
        self.sandbox = sandbox
        self.limit = limit
        self.path = path
    }

    package func start(
        _ launch: ComponentLaunch, events: @escaping ComponentEvents
    ) async throws(ComponentError) -> any RunningComponent {
        var launch = launch
        if launch.determinism == nil {
            launch.determinism = ComponentDeterminism(start: RecordedComponent.now, seed: .random(in: 0 ... .max))
        }
        let file = try RecordingFile(path(launch), launch: launch, limit: limit)
        let component = RecordedComponent(file, timers: launch.limits.timers, events)
        let inner = try await sandbox.start(launch) { inner, event in component.take(event, of: inner) }
        component.adopt(inner)
        return component
    }
}

/// A component that runs elsewhere; this records the messages between it and its host.
private final class RecordedComponent: RunningComponent {
    private struct State {
        var inner: (any RunningComponent)?
        var time: Int64 = 0
        var delays = 0
    }

    private let file: RecordingFile
    private let timers: Int
    private let events: ComponentEvents
    private let state = Mutex(State())

    init(_ file: RecordingFile, timers: Int, _ events: @escaping ComponentEvents) {
        self.file = file
        self.timers = timers
        self.events = events
    }

    /// Milliseconds since 1970.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    var memory: Int { state.withLock { $0.inner }?.memory ?? 0 }

    var backlog: Int { state.withLock { $0.inner }?.backlog ?? 0 }

    func whenTaken(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.inner }?.whenTaken(body) }

    func adopt(_ inner: any RunningComponent) { state.withLock { $0.inner = inner } }

    func stop() async { await state.withLock { $0.inner }?.stop() }

    func send(_ message: PortMessage) {
        // In one go, so that the order of the record is the order of what arrives.
        state.withLock { state in
            guard let inner = state.inner else { return }
            let now = Self.now
            if now > state.time {
                state.time = now
                pass(.clock(now), to: inner)
            }
            pass(message, to: inner)
        }
    }

    private func pass(_ message: PortMessage, to inner: any RunningComponent) {
        file.add(RecordingFormat.delivered, message)
        inner.send(message)
    }

    func take(_ event: ComponentEvent, of inner: any RunningComponent) {
        adopt(inner)
        switch event {
        case .message(let message):
            file.add(RecordingFormat.sent, message)
            if message.port == "delay" { return delay(message) }
        case .ended(let reason): file.end(reason)
        case .console, .uncaught: break
        }
        events(self, event)
    }

    /// Timers are set here, so that their ends are messages like others.
    private func delay(_ message: PortMessage) {
        guard let call = try? FnCallsProto.RequestWithinCallIntoAndroid(decoding: message.bytes) else { return }
        let reply = { [self] (error: String?) in
            let reply = FnCallsProto.ReplyWithinCall(id: call.id, res: [], err: error)
            send(PortMessage(port: message.port, bytes: reply.encoded))
        }
        guard let time = try? DelayOpProto.MillisArgs(decoding: call.args).millis else {
            return reply("the arguments of delay are malformed")
        }
        guard time > 0 else { return reply(nil) }
        let isAllowed = state.withLock { state in
            state.delays += 1
            return state.delays <= timers
        }
        let done = { [self] in state.withLock { $0.delays -= 1 } }
        guard isAllowed else {
            done()
            return reply("there are \(timers) timers already")
        }
        Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(Int(time)))
            guard self != nil else { return }
            done()
            reply(nil)
        }
    }
}

extension PortMessage {
    /// Moves the clock of a component whose time is fixed.
    static func clock(_ milliseconds: Int64) -> PortMessage {
        var writer = ByteWriter(reserving: 8)
        writer.writeInteger(UInt64(clamping: milliseconds))
        return PortMessage(port: ComponentDeterminism.clockPort, bytes: writer.bytes)
    }
}
