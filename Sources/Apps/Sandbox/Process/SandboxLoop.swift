#if os(Linux)
internal import Components
internal import Platform
internal import Synchronization

/// The one thread that all confined components of this process are started, heard and watched on. It lasts as long as
/// this process, because components die with the thread that started them.
final class SandboxLoop: Sendable {
    private struct State {
        var components: [UInt64: SandboxedComponent] = [:]
        var work: [@Sendable () -> Void] = []
        var nextID: UInt64 = 1
    }

    private let epoll = alcove_epoll_create()
    private let waker = alcove_eventfd()
    private let state = Mutex(State())

    /// `nil` if the system has no thread to give.
    static let shared = SandboxLoop()

    /// How often components are looked after.
    static let tick = 100

    private init?() {
        guard epoll >= 0, waker >= 0, alcove_epoll_control(epoll, 0, waker, 1, 0, 0) == 0 else { return nil }
        var thread = pthread_t()
        let loop = Unmanaged.passRetained(self).toOpaque()
        let status = pthread_create(
            &thread, nil,
            { loop in
                if let loop { Unmanaged<SandboxLoop>.fromOpaque(loop).takeUnretainedValue().run() }
                return nil
            }, loop)
        guard status == 0 else { return nil }
        pthread_detach(thread)
    }

    /// Calls `work` on the thread soon.
    func perform(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.work.append(work) }
        var one: UInt64 = 1
        _ = write(waker, &one, 8)
    }

    /// Begins to listen to a component.
    func add(_ component: SandboxedComponent, _ descriptor: Int32) -> UInt64 {
        let id = state.withLock { state in
            defer { state.nextID += 1 }
            state.components[state.nextID] = component
            return state.nextID
        }
        _ = alcove_epoll_control(epoll, 0, descriptor, 1, 0, id)
        return id
    }

    func wantsToWrite(_ wants: Bool, _ id: UInt64, _ descriptor: Int32) {
        _ = alcove_epoll_control(epoll, 1, descriptor, 1, wants ? 1 : 0, id)
    }

    func stopListening(_ descriptor: Int32) { _ = alcove_epoll_control(epoll, 2, descriptor, 0, 0, 0) }

    /// The component is gone.
    func remove(_ id: UInt64) { state.withLock { _ = $0.components.removeValue(forKey: id) } }

    private func run() {
        var nextTick = ContinuousClock.now
        while true {
            let isIdle = state.withLock { $0.components.isEmpty && $0.work.isEmpty }
            let left = Int32(clamping: Int64(max(0, (nextTick - .now) / .milliseconds(1)).rounded(.up)))
            wait(isIdle ? -1 : left)
            for work in state.withLock({ state in
                defer { state.work = [] }
                return state.work
            }) { work() }
            guard nextTick <= .now else { continue }
            nextTick = .now + .milliseconds(Self.tick)
            for component in state.withLock({ Array($0.components.values) }) { component.look(at: .now) }
        }
    }

    private func wait(_ milliseconds: Int32) {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
            guard let base = events.baseAddress else { return }
            let count = epoll_wait(epoll, base, 64, milliseconds)
            for index in 0..<max(0, Int(count)) {
                let event = base + index
                let id = alcove_epoll_id(event)
                if id == 0 {
                    var value: UInt64 = 0
                    _ = read(waker, &value, 8)
                } else if let component = state.withLock({ $0.components[id] }) {
                    component.ready(
                        reads: alcove_epoll_readable(event) != 0, writes: alcove_epoll_writable(event) != 0)
                }
            }
        }
    }
}
#endif
