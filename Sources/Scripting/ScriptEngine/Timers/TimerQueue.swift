internal import CJavaScriptCore

/// The timers of a context. One alarm of the event loop serves all of them.
///
/// Only used on the thread of its context, whose functions it keeps protected.
final class TimerQueue {
    enum Action {
        case script(function: JSValueRef?, arguments: [JSValueRef?])
        case native(() -> Void)
    }

    private struct Timer {
        var due: Due
        var interval: Duration?
        var action: Action
    }

    /// Timers of the same time fire in the order in which they were set.
    struct Due: Comparable {
        var time: ContinuousClock.Instant
        var number: Int

        static func < (one: Due, other: Due) -> Bool {
            one.time == other.time ? one.number < other.number : one.time < other.time
        }
    }

    private let slot: OpenContext
    private var timers: [Int: Timer] = [:]
    /// When timers are due. Cleared ones stay until their time has come.
    private var queue = Heap<Due>()
    private var nextNumber = 1
    private var alarm: Alarm?

    init(_ slot: OpenContext) { self.slot = slot }

    var count: Int { timers.count }

    /// Calls back after `delay`, and then every `interval`; returns the number to clear it with.
    func add(after delay: Duration, every interval: Duration? = nil, _ action: Action) -> Int {
        let due = Due(time: .now + delay, number: nextNumber)
        nextNumber += 1
        timers[due.number] = Timer(due: due, interval: interval, action: action)
        insert(due)
        return due.number
    }

    /// Removes a timer; returns its callback.
    @discardableResult
    func remove(_ number: Int) -> Action? {
        guard let timer = timers.removeValue(forKey: number) else { return nil }
        // Cleared timers must not accumulate.
        if timers.isEmpty || queue.count > 64 && queue.count > 2 * timers.count {
            queue = Heap(timers.values.map(\.due))
        }
        if timers.isEmpty { alarm?.set(after: nil) }
        return timer.action
    }

    func removeAll() {
        timers = [:]
        queue = Heap()
        alarm = nil
    }

    private func insert(_ due: Due) {
        queue.insert(due)
        if queue.first == due { setAlarm(for: due) }
    }

    private func setAlarm(for due: Due) {
        if alarm == nil, let context = slot.context {
            alarm = Alarm(on: context.runLoop.loop) { [weak self] in self?.ring() }
        }
        alarm?.set(after: due.time - .now)
    }

    /// Calls the timers that are due. Timers that are set meanwhile wait for the next round of the loop.
    private func ring() {
        guard let context = slot.context else { return }
        let now = Due(time: .now, number: nextNumber)
        while !context.isClosed, let due = queue.first, due < now {
            queue.removeFirst()
            guard let timer = timers[due.number], timer.due == due else { continue }
            if let interval = timer.interval {
                let next = Due(time: now.time + max(interval, .milliseconds(1)), number: due.number)
                timers[due.number]?.due = next
                queue.insert(next)
            } else {
                timers[due.number] = nil
            }
            context.perform(timer.action, again: timer.interval != nil)
        }
        if let due = queue.first { setAlarm(for: due) }
    }
}

extension ScriptContext {
    /// Calls `body` on the thread after `delay`, unless the context is closed before.
    public func setTimer(after delay: Duration, _ body: @escaping () -> Void) throws(ScriptError) {
        guard timers.count < limits.timers else {
            throw ScriptError(.limit, "there are \(limits.timers) timers already", name: "RangeError")
        }
        _ = timers.add(after: delay, .native(body))
    }

    fileprivate func perform(_ action: TimerQueue.Action, again: Bool) {
        switch action {
        case .native(let body): body()
        case .script(let function, let arguments):
            defer { if !again { release(action) } }
            do {
                _ = try call { engine, exception in
                    arguments.withUnsafeBufferPointer {
                        JSObjectCallAsFunction(engine, function, nil, $0.count, $0.baseAddress, exception)
                    }
                }
            } catch {
                configuration.uncaught(error)
            }
        }
    }

    /// Releases the values that a timer held.
    func release(_ action: TimerQueue.Action) {
        guard case .script(let function, let arguments) = action, let engine = try? open() else { return }
        for reference in [function] + arguments { JSValueUnprotect(engine, reference) }
    }
}
