internal import Components
internal import Synchronization

/// Passes on what a component does, and sees to it that its end is told once and last, also when its thread hangs.
final class Ending: Sendable {
    private let events: ComponentEvents
    private let hasEnded = Mutex(false)
    private let waiting = Mutex<[@Sendable () -> Void]?>([])
    private let watch = Mutex<Task<Void, Never>?>(nil)
    private let weight = Atomic<Int>(0)

    init(_ events: @escaping ComponentEvents) { self.events = events }

    /// Bytes of the heap when it was last looked at.
    var memory: Int {
        get { weight.load(ordering: .relaxed) }
        set { weight.store(newValue, ordering: .relaxed) }
    }

    func report(_ event: ComponentEvent, of component: ComponentContext) {
        hasEnded.withLock { hasEnded in
            if !hasEnded { events(component, event) }
        }
    }

    func end(_ reason: ComponentEnd, of component: ComponentContext) {
        let isNews = hasEnded.withLock { hasEnded in
            guard !hasEnded else { return false }
            hasEnded = true
            events(component, .ended(reason))
            return true
        }
        guard isNews else { return }
        memory = 0
        watch.withLock { $0.take() }?.cancel()
        let waiting = waiting.withLock { $0.take() }
        for body in waiting ?? [] { body() }
    }

    /// Calls back when the end was told.
    func whenOver(_ body: @escaping @Sendable () -> Void) {
        let isOver = waiting.withLock { waiting in
            waiting?.append(body)
            return waiting == nil
        }
        if isOver { body() }
    }

    /// Asks the thread for a sign of life now and then, and declares the component dead if none comes in time.
    func watch(_ component: ComponentContext, silence: Duration) {
        let watch = Task { [weak component] in
            var asked = ContinuousClock.now
            var answer = component?.flagOfLife()
            while let pending = answer {
                guard (try? await Task.sleep(for: silence / 8)) != nil, let component else { return }
                if pending.isRaised {
                    asked = .now
                    component.weigh()
                    answer = component.flagOfLife()
                } else if asked.duration(to: .now) > silence {
                    return end(.hung, of: component)
                }
            }
        }
        let isOver = hasEnded.withLock { $0 }
        if isOver { watch.cancel() } else { self.watch.withLock { $0 = watch } }
    }
}

extension ComponentContext {
    /// Is raised when the thread comes to it.
    fileprivate func flagOfLife() -> Flag {
        let flag = Flag()
        ping { flag.raise() }
        return flag
    }
}

/// Whether something happened on another thread.
private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    func raise() { value.store(true, ordering: .releasing) }

    var isRaised: Bool { value.load(ordering: .acquiring) }
}
