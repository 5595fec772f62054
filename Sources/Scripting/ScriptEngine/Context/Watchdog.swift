internal import CJavaScriptCore
internal import Platform

/// Stops scripts that compute for too long. Only used on the thread of its context.
///
/// The engine's own limit starts anew with every promise reaction, so it never ends a chain of them. But such a chain
/// makes garbage, unless it only awaits. So each time that garbage was collected, the time since the call from Swift is
/// checked here.
///
/// The engine is asked to stop as seldom as possible. If it is asked again in the moment in which it responds, it ends
/// the process (`VMTraps::requestThreadStopIfNeeded` demands an order that its threads do not keep). So the heap is
/// measured between calls, and only during long ones.
final class Watchdog {
    private let group: JSContextGroupRef
    private let limit: Double?
    /// Whether the current call from Swift was stopped.
    private(set) var hasFired = false
    /// The processor time of the thread when garbage was first collected during the current call.
    private var firstCollection: Double?

    private let heapLimit: Int?
    private let heapExceeded: () -> Void
    /// Garbage was collected, and the heap has not been measured recently.
    private var mustWeigh = false
    /// The engine was asked to stop for measuring the heap.
    private var stopsToWeigh = false
    /// The processor time of the thread when the heap was last measured.
    private var lastWeighing = -weighingPause
    /// Whether the current call was stopped because of the heap.
    private var isHeavy = false

    /// Short enough to stop whatever runs.
    private static let atOnce = 1e-6
    /// Seconds of processor time between measurements, because each one walks through the whole heap.
    private static let weighingPause = 0.05

    init(group: JSContextGroupRef, limits: ScriptLimits, heapExceeded: @escaping () -> Void) {
        self.group = group
        limit = limits.executionTime.map { max(0.001, $0 / .seconds(1)) }
        heapLimit = limits.heap
        self.heapExceeded = heapExceeded
        guard isNeeded else { return }
        arm(self.limit)
        JSContextGroupAddHeapFinalizer(group, Self.collected, Unmanaged.passUnretained(self).toOpaque())
    }

    private var isNeeded: Bool { limit != nil || heapLimit != nil }

    /// Stops nothing from now on. Called before the context group ends, which may be later than the watchdog.
    func retire() {
        guard isNeeded else { return }
        JSContextGroupClearExecutionTimeLimit(group)
        JSContextGroupRemoveHeapFinalizer(group, Self.collected, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Why the current call fails if it was stopped.
    var error: ScriptError {
        isHeavy
            ? ScriptError(.outOfMemory, "the script holds more than \(heapLimit ?? 0) bytes")
            : ScriptError(.timeout, "the script, or a promise reaction, ran for longer than \(limit ?? 0) s")
    }

    /// A new call from Swift begins.
    func begin() {
        firstCollection = nil
        guard hasFired else { return }
        hasFired = false
        isHeavy = false
        stopsToWeigh = false
        arm(limit)
    }

    /// Stops the script again soon: a script that called Swift, which called the one that was stopped, could catch
    /// the error and go on.
    func insist() {
        if hasFired { arm(Self.atOnce) }
    }

    private func arm(_ seconds: Double?) {
        guard let seconds else { return JSContextGroupClearExecutionTimeLimit(group) }
        JSContextGroupSetExecutionTimeLimit(
            group, seconds,
            { context, data in
                guard let data else { return true }
                return Unmanaged<Watchdog>.fromOpaque(data).takeUnretainedValue().mustStop(context)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// A call from Swift is about to return.
    func end(_ context: JSContextRef) {
        guard mustWeigh, !hasFired else { return }
        if isTooHeavy(context) { hasFired = true }
        guard stopsToWeigh else { return }
        stopsToWeigh = false
        arm(limit)
    }

    /// The time is over, or the heap is to be measured.
    private func mustStop(_ context: JSContextRef?) -> Bool {
        if stopsToWeigh, let context, !isOverdue {
            stopsToWeigh = false
            if !isTooHeavy(context) {
                arm(limit)
                return false
            }
        }
        hasFired = true
        return true
    }

    /// Measures the heap, and calls ``ScriptConfiguration/heapExceeded`` if it is too large.
    private func isTooHeavy(_ context: JSContextRef) -> Bool {
        mustWeigh = false
        let weight = weigh(context)
        lastWeighing = processorTime
        isHeavy = heapLimit.map { weight > $0 } ?? false
        if isHeavy { heapExceeded() }
        return isHeavy
    }

    /// Bytes of live objects in the heap and of their external memory.
    private func weigh(_ context: JSContextRef) -> Int {
        let figures = JSGetMemoryUsageStatistics(context)
        return ["heapSize", "extraMemorySize"].reduce(0) { sum, name in
            let key = scriptString(name)
            defer { JSStringRelease(key) }
            let figure = JSValueToNumber(context, JSObjectGetProperty(context, figures, key, nil), nil)
            return sum + (Int(exactly: figure.rounded()) ?? 0)
        }
    }

    private static let collected: AlcoveHeapFinalizer = { _, data in
        guard let data else { return }
        Unmanaged<Watchdog>.fromOpaque(data).takeUnretainedValue().afterCollection()
    }

    private func afterCollection() {
        let now = processorTime
        if heapLimit != nil, now - lastWeighing > Self.weighingPause { mustWeigh = true }
        guard let firstCollection else { return firstCollection = now }
        if mustWeigh, now - firstCollection > Self.weighingPause { stopsToWeigh = true }
        if isOverdue || stopsToWeigh { arm(Self.atOnce) }
    }

    /// Whether the call from Swift has computed for too long since garbage was first collected in it.
    private var isOverdue: Bool {
        guard let limit, let firstCollection else { return false }
        return processorTime - firstCollection > limit
    }

    /// The processor time of the thread in seconds.
    private var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
