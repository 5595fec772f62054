import ComponentRuntime
import Components
import Synchronization

/// What goes ahead of the components of these tests: functions over ports, in as few lines as that takes.
let testPreload = PreloadScript(
    name: "preload.js",
    source: """
        (() => {
            const ports = _ports_;
            delete globalThis._ports_;
            const listeners = new Map(), waiting = new Map();
            ports.onMessage((port, bytes) => {
                const listener = listeners.get(port);
                if (listener) listener(bytes); else waiting.set(port, [...waiting.get(port) ?? [], bytes]);
            });
            globalThis.send = (port, bytes) => ports.send(port, bytes);
            globalThis.listen = (port, listener) => {
                listeners.set(port, listener);
                for (const bytes of waiting.get(port) ?? []) listener(bytes);
                waiting.delete(port);
            };
            globalThis.capabilities = ports.capabilities;
            const pending = new Map();
            let next = 1;
            const varint = (number) => {
                const bytes = [];
                for (; number > 127; number >>>= 7) bytes.push(number & 127 | 128);
                return [...bytes, number];
            };
            globalThis.call = (name, number) => new Promise((done) => {
                const id = next++;
                const args = [8, ...varint(number)];
                if (!listeners.has(name)) listen(name, (bytes) => {
                    let id = 0, at = 1;
                    for (let shift = 0; ; shift += 7) {
                        const byte = bytes[at++];
                        id |= (byte & 127) << shift;
                        if (byte < 128) break;
                    }
                    pending.get(id)(bytes.subarray(at + 2));
                    pending.delete(id);
                });
                pending.set(id, done);
                send(name, new Uint8Array([8, ...varint(id), 18, args.length, ...args]));
            });
            globalThis._awaitPreloadInit = async () => undefined;
        })();
        """)

extension ComponentWall where Self == InProcessWall {
    static var test: InProcessWall { InProcessWall { _ in [testPreload] } }
}

extension ComponentLaunch {
    static func test(_ code: String, limits: ComponentLimits = ComponentLimits()) -> ComponentLaunch {
        ComponentLaunch(kind: .app, name: "test", source: "/index.js", code: code, limits: limits)
    }
}

/// Keeps what a component does, and lets tests wait for it.
final class Log: Sendable {
    private struct State {
        var events: [ComponentEvent] = []
        var waiting: [(@Sendable ([ComponentEvent]) -> Bool, CheckedContinuation<[ComponentEvent], Never>)] = []
    }

    private let state = Mutex(State())

    var events: [ComponentEvent] { state.withLock { $0.events } }

    func add(_ event: ComponentEvent) {
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
    func wait(for condition: @escaping @Sendable ([ComponentEvent]) -> Bool) async -> [ComponentEvent] {
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
    func lines(_ count: Int = 1) async -> [String] {
        Array(await wait { $0.lines.count >= count || $0.end != nil }.lines.prefix(count))
    }

    func end() async -> ComponentEnd? { await wait { $0.end != nil }.end }
}

extension [ComponentEvent] {
    var lines: [String] {
        compactMap { if case .console(_, let text) = $0 { text } else { nil } }
    }
    var uncaught: [String] {
        compactMap { if case .uncaught(let text) = $0 { text } else { nil } }
    }
    var messages: [PortMessage] {
        compactMap { if case .message(let message) = $0 { message } else { nil } }
    }
    var end: ComponentEnd? {
        for case .ended(let end) in self { return end }
        return nil
    }
}

extension ComponentWall {
    func start(_ code: String, limits: ComponentLimits = ComponentLimits(), log: Log) async throws
        -> any RunningComponent
    {
        try await start(.test(code, limits: limits)) { _, event in log.add(event) }
    }
}
