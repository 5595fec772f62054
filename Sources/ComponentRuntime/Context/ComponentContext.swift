public import Components
public import ScriptEngine
internal import Synchronization

/// One component in a script context on a thread of its own.
///
/// Messages cost no task and no change of actors: what the component sends is handed to `events` on its thread, and what
/// is sent to it from within that call is delivered in the same turn.
public final class ComponentContext: RunningComponent {
    /// The thread that the component lives on.
    public let thread: ScriptThread
    private let launch: ComponentLaunch
    private let inbox: Inbox
    private let ending: Ending
    /// `nil` before the start and after the end. Only touched on the thread.
    nonisolated(unsafe) private var script: ComponentScript?

    private init(_ launch: ComponentLaunch, _ events: @escaping ComponentEvents) throws(ScriptError) {
        thread = try ScriptThread(name: launch.name)
        self.launch = launch
        inbox = Inbox(limit: launch.limits.backlog)
        ending = Ending(events)
    }

    /// Makes a context, and returns when the component's code was evaluated up to its first `await`.
    public static func start(
        _ launch: ComponentLaunch, preloads: [PreloadScript], events: @escaping ComponentEvents
    ) async throws(ComponentError) -> ComponentContext {
        let component: ComponentContext
        do {
            component = try ComponentContext(launch, events)
        } catch {
            throw ComponentError(.unavailable, error.message)
        }
        do {
            try await component.thread.run { try component.begin(preloads) }
        } catch {
            let error = (error as? ScriptError) ?? ScriptError(.exception, String(describing: error))
            component.end(.crashed(error.report))
            throw ComponentError(error.kind == .unavailable ? .unavailable : .invalidCode, error.report)
        }
        component.ending.watch(component, silence: launch.limits.silence)
        return component
    }

    private func begin(_ preloads: [PreloadScript]) throws {
        let script = try ComponentScript(launch, on: thread, host: self)
        self.script = script
        try script.run(preloads)
        try script.runCode()
        drainSoon()
    }

    public func send(_ message: PortMessage) {
        guard message.bytes.count <= launch.limits.message else { return end(.exceeded("message")) }
        switch inbox.add(message) {
        case .waits: break
        case .isFirst: drainSoon()
        case .tooMuch: end(.exceeded("backlog"))
        }
    }

    private func drainSoon() {
        thread.post { [self] in drain() }
    }

    /// Delivers what waits; in parts, so that messages that bring about others do not keep timers and the end away.
    private func drain() {
        for _ in 0..<Self.deliveriesOfATurn {
            guard let script, let message = inbox.next() else { return }
            script.deliver(message)
        }
        drainSoon()
    }

    private static let deliveriesOfATurn = 256

    public func stop() async {
        end(.stopped)
        await ending.ended()
    }

    public var memory: Int { ending.memory }

    /// Ends the component soon, unless it has ended.
    func end(_ reason: ComponentEnd) {
        inbox.close()
        thread.post { [self] in
            script?.close()
            script = nil
            ending.end(reason, of: self)
        }
    }

    /// Tells the host, unless the component has ended.
    func report(_ event: ComponentEvent) { ending.report(event, of: self) }

    /// Raises the flag when the thread comes to it, and looks how much memory the component holds.
    func askForLife() -> Flag {
        let answer = Flag()
        thread.post { [weak self] in
            if let self { ending.memory = script?.heap ?? 0 }
            answer.raise()
        }
        return answer
    }
}
