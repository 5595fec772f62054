public import Components
internal import Synchronization

/// Keeps what a component does, and lets tests wait for it.
public final class Log: Sendable {
    private struct State {
        var events: [ComponentEvent] = []
        var waiting: [(@Sendable ([ComponentEvent]) -> Bool, CheckedContinuation<[ComponentEvent], Never>)] = []
    }

    private let state = Mutex(State())

    public init() {}

    public var events: [ComponentEvent] { state.withLock { $0.events } }

    public func add(_ event: ComponentEvent) {
        let due = state.withLock { state in
            state.events.append(event)
            let events = state.events
            let due = state.waiting.filter { $0.0(events) }
            state.waiting.removeAll { $0.0(events) }
            return due.map { ($0.1, events) }
        }
        for (continuation, events) in due { continuation.resume(returning: events) }
    }

    /// Waits until what was seen so far satisfies `condition`.
    @discardableResult
    public func wait(for condition: @escaping @Sendable ([ComponentEvent]) -> Bool) async -> [ComponentEvent] {
        await withCheckedContinuation { continuation in
            let events = state.withLock { state -> [ComponentEvent]? in
                if condition(state.events) { return state.events }
                state.waiting.append((condition, continuation))
                return nil
            }
            if let events { continuation.resume(returning: events) }
        }
    }

    /// Waits for the next lines of the console and returns the first `count`.
    @discardableResult
    public func lines(_ count: Int = 1) async -> [String] {
        Array(await wait { $0.lines.count >= count || $0.end != nil }.lines.prefix(count))
    }

    public func end() async -> ComponentEnd? { await wait { $0.end != nil }.end }
}

extension [ComponentEvent] {
    public var lines: [String] {
        compactMap { if case .console(_, let text) = $0 { text } else { nil } }
    }
    public var uncaught: [String] {
        compactMap { if case .uncaught(let text) = $0 { text } else { nil } }
    }
    public var messages: [PortMessage] {
        compactMap { if case .message(let message) = $0 { message } else { nil } }
    }
    public var end: ComponentEnd? {
        for case .ended(let end) in self { return end }
        return nil
    }
}

extension ComponentLaunch {
    public static func test(_ code: String, limits: ComponentLimits = ComponentLimits()) -> ComponentLaunch {
        ComponentLaunch(
            kind: .app, name: "test", source: "/index.js", code: code, capabilities: [["w3n"]: ["log"]], limits: limits)
    }
}

extension ComponentSandbox {
    /// Starts a component that may only log.
    public func start(
        _ code: String, limits: ComponentLimits = ComponentLimits(), log: Log
    ) async throws(ComponentError) -> any RunningComponent {
        try await start(.test(code, limits: limits)) { _, event in log.add(event) }
    }
}

/// The host's end of a component's object IPC.
public final class HostEnd: Sendable {
    private let root: ServiceObject
    private let connection = Mutex<ObjectConnection?>(nil)

    public init(_ root: ServiceObject) { self.root = root }

    public func receive(_ message: PortMessage, from component: any RunningComponent) {
        let connection = connection.withLock { held in
            if let held { return held }
            let new = ObjectConnection(root: root) { [weak component] bytes in
                component?.send(PortMessage(port: "core-ipc", bytes: bytes))
            }
            held = new
            return new
        }
        connection.receive(message.bytes)
    }
}
