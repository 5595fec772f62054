#if os(Linux)
internal import Components
internal import Platform
internal import Synchronization

/// The one thread that all sandboxed components of this process are started, heard and watched on. It lasts as long as
/// this process, because components die with the thread that started them.
final class SandboxLoop: Sendable {
    private struct State {
        var components: [UInt64: SandboxedComponent] = [:]
        var work: [@Sendable () -> Void] = []
        var nextID: UInt64 = 1
    }

    private let poller: Poller
    private let state = Mutex(State())

    /// `nil` if the system has no thread to give.
    static let shared = SandboxLoop()

    /// Milliseconds between two looks at all components.
    static let tick = 100

    private init?() {
        guard let poller = Poller() else { return nil }
        self.poller = poller
        guard PlatformThread.start(name: "sandboxes", { [self] in run() }) else { return nil }
    }

    /// Calls `work` on the thread soon.
    func perform(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.work.append(work) }
        poller.wake()
    }

    /// Begins to listen to a component.
    func add(_ component: SandboxedComponent, _ descriptor: Int32) -> UInt64 {
        let id = state.withLock { state in
            defer { state.nextID += 1 }
            state.components[state.nextID] = component
            return state.nextID
        }
        _ = poller.add(descriptor, id: id, reads: true, writes: false)
        return id
    }

    func wantsToWrite(_ wants: Bool, _ id: UInt64, _ descriptor: Int32) {
        poller.change(descriptor, id: id, reads: true, writes: wants)
    }

    func stopListening(_ descriptor: Int32) { poller.remove(descriptor) }

    /// The component is gone.
    func remove(_ id: UInt64) { state.withLock { _ = $0.components.removeValue(forKey: id) } }

    private func run() {
        var nextTick = ContinuousClock.now
        while true {
            let isIdle = state.withLock { $0.components.isEmpty && $0.work.isEmpty }
            let left = Int32(clamping: Int64(max(0, (nextTick - .now) / .milliseconds(1)).rounded(.up)))
            poller.wait(atMost: isIdle ? -1 : left) { event in
                let component = state.withLock { $0.components[event.id] }
                component?.ready(reads: event.isReadable, writes: event.isWritable)
            }
            for work in state.withLock({ state in
                defer { state.work = [] }
                return state.work
            }) { work() }
            guard nextTick <= .now else { continue }
            nextTick = .now + .milliseconds(Self.tick)
            for component in state.withLock({ Array($0.components.values) }) { component.look(at: .now) }
        }
    }
}
#endif
