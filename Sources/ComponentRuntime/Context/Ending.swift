internal import Components
internal import Synchronization

/// Passes on what a component does, and sees to it that its end is told once and last, also when its thread hangs.
final class Ending: Sendable {
    private let events: ComponentEvents
    private let hasEnded = Mutex(false)
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]?>([])
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
        for continuation in waiting ?? [] { continuation.resume() }
    }

    /// Returns when the end was told.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isOver = waiting.withLock { waiting in
                waiting?.append(continuation)
                return waiting == nil
            }
            if isOver { continuation.resume() }
        }
    }

    /// Asks the thread for a sign of life now and then, and declares the component dead if none comes in time.
    func watch(_ component: ComponentContext, silence: Duration) {
        let watch = Task { [weak component] in
            var asked = ContinuousClock.now
            var answer = component?.askForLife()
            while let pending = answer {
                guard (try? await Task.sleep(for: silence / 8)) != nil else { return }
                guard let component else { return }
                if pending.load() {
                    asked = .now
                    answer = component.askForLife()
                } else if asked.duration(to: .now) > silence {
                    return end(.hung, of: component)
                }
            }
        }
        let isOver = hasEnded.withLock { $0 }
        if isOver { watch.cancel() } else { self.watch.withLock { $0 = watch } }
    }
}

/// Whether something happened on another thread.
final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    func raise() { value.store(true, ordering: .releasing) }

    func load() -> Bool { value.load(ordering: .acquiring) }
}
