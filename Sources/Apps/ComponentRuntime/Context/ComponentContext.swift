package import Components
package import ScriptEngine
internal import Synchronization

/// One component in a script context on a thread of its own.
///
/// Messages cost no task and no change of actors: what the component sends is handed to `events` on its thread, and what
/// is sent to it from within that call is delivered in the same turn.
package final class ComponentContext: RunningComponent {
    /// The thread that the component lives on.
    package let thread: ScriptThread
    private let launch: ComponentLaunch
    private let inbox: Inbox
    private let ending: Ending
    private let taken = Mutex<(@Sendable () -> Void)?>(nil)
    /// `nil` before the start and after the end. Only touched on the thread.
    nonisolated(unsafe) private var script: ComponentScript?

    /// Makes the thread; the component does not exist before ``begin(_:then:)``.
    package convenience init(_ launch: ComponentLaunch, events: @escaping ComponentEvents) throws(ComponentError) {
        do {
            self.init(launch, on: try ScriptThread(name: launch.name), events: events)
        } catch {
            throw ComponentError(.unavailable, error.message)
        }
    }

    /// The same on a thread that exists.
    package init(_ launch: ComponentLaunch, on thread: ScriptThread, events: @escaping ComponentEvents) {
        self.thread = thread
        self.launch = launch
        inbox = Inbox(limit: launch.limits.backlog)
        ending = Ending(events)
    }

    /// Evaluates the preloads, and the component's code up to its first `await`; then `completion` is called on the thread,
    /// with what went wrong.
    package func begin(_ preloads: [PreloadScript], then completion: @escaping @Sendable (ComponentError?) -> Void) {
        thread.post { [self] in
            do throws(ScriptError) {
                let script = try ComponentScript(launch, on: thread, host: self)
                self.script = script
                try script.run(preloads)
                try script.runCode()
                drainSoon()
                completion(nil)
            } catch {
                end(.crashed(error.report))
                completion(ComponentError(error.kind == .unavailable ? .unavailable : .invalidCode, error.report))
            }
        }
    }

    /// Calls back when the component has ended.
    package func whenOver(_ body: @escaping @Sendable () -> Void) { ending.whenOver(body) }

    /// Sees to it that the component is declared dead if its thread gives no sign of life for too long.
    func watchForSilence() { ending.watch(self, silence: launch.limits.silence) }

    package func send(_ message: PortMessage) {
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
            guard let script, let message = inbox.next() else {
                taken.withLock { $0 }?()
                return
            }
            script.deliver(message)
        }
        drainSoon()
    }

    private static let deliveriesOfATurn = 256

    package func stop() async {
        end(.stopped)
        await withCheckedContinuation { continuation in ending.whenOver { continuation.resume() } }
    }

    package var memory: Int { ending.memory }

    package var backlog: Int { inbox.count }

    package func whenTaken(_ body: @escaping @Sendable () -> Void) { taken.withLock { $0 = body } }

    /// Ends the component soon, unless it has ended.
    package func end(_ reason: ComponentEnd) {
        inbox.close()
        thread.post { [self] in
            script?.close()
            script = nil
            ending.end(reason, of: self)
        }
    }

    /// Tells the host, unless the component has ended.
    func report(_ event: ComponentEvent) { ending.report(event, of: self) }

    /// Calls back on the thread when it comes to it: a sign of life.
    package func ping(_ answer: @escaping @Sendable () -> Void) { thread.post(answer) }

    /// Calls back when everything that was sent so far has been delivered.
    func whenIdle(_ body: @escaping @Sendable () -> Void) {
        thread.post { [self] in inbox.isEmpty ? body() : whenIdle(body) }
    }

    /// Looks soon how much memory the component holds.
    func weigh() {
        thread.post { [self] in ending.memory = script?.heap ?? 0 }
    }
}
