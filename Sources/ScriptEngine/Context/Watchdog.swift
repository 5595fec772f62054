internal import CJavaScriptCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Stops scripts that compute for too long. Only used on the thread of its context.
///
/// The engine's own limit starts anew with every promise reaction, so it never ends a chain of them. Such a chain makes
/// garbage, though, unless all it does is `await`: each time that was collected, the time since the call from Swift is
/// looked at here.
final class Watchdog {
    private let group: JSContextGroupRef
    private let limit: Double?
    /// Whether the current call from Swift was stopped.
    private(set) var hasFired = false
    /// The processor time of the thread when garbage was first collected during the current call.
    private var firstCollection: Double?

    private let heapLimit: Int?
    private let heapExceeded: () -> Void
    /// Garbage was collected since the heap was last weighed.
    private var mustWeigh = false
    /// Whether it was the heap that the current call was stopped for.
    private var isHeavy = false

    /// Short enough to stop whatever runs.
    private static let atOnce = 1e-6

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

    /// Nothing is stopped any more. Before the group ends, which may be later than the watchdog.
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

    /// The time is over, or the heap is to be weighed.
    private func mustStop(_ context: JSContextRef?) -> Bool {
        if mustWeigh, let context, !isOverdue {
            mustWeigh = false
            guard let heapLimit, weigh(context) > heapLimit else {
                arm(limit)
                return false
            }
            isHeavy = true
            heapExceeded()
        }
        hasFired = true
        return true
    }

    /// Bytes that live in the heap, or belong to what does.
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
        if heapLimit != nil { mustWeigh = true }
        if limit != nil, firstCollection == nil { firstCollection = processorTime }
        if mustWeigh || isOverdue { arm(Self.atOnce) }
    }

    /// Whether the call from Swift has computed for too long since garbage was first collected in it.
    private var isOverdue: Bool {
        guard let limit, let firstCollection else { return false }
        return processorTime - firstCollection > limit
    }

    /// Seconds that the thread has computed.
    private var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
