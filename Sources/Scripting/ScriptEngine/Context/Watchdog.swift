internal import CJavaScriptCore
internal import Platform

/// Stops scripts that compute for too long, or that hold too much memory. Only used on the thread of its context.
///
/// The engine has a limit of its own. When it is reached, a thread of the engine's sets a mark, and the script, which looks at
/// the mark again and again, asks here whether it must stop. This limit is short (``period``), and the answer is "go on" until
/// the call from Swift has computed for too long.
///
/// The engine ends the process if the mark is set a second time in the moment in which a script takes it away
/// (`VMTraps::requestThreadStopIfNeeded` demands an order that its threads do not keep). A limit that stays the same never
/// does that, because its next mark comes a whole period after the last one was taken away. Each change of the limit makes
/// another timer, and two that are late on a busy machine follow each other at once. So the limit is changed as seldom as
/// possible, and then the script stands still until the mark is set (``askAtOnce()``). That is needed for a chain of promise
/// reactions, for each of which the engine counts anew, so that it never asks. Such a chain makes garbage, unless it only
/// awaits. Each time that garbage was collected, the time since the call from Swift is looked at here.
final class Watchdog {
    private let group: JSContextGroupRef
    private let limit: Double?
    /// Seconds of processor time after which the engine asks whether the script must stop.
    private let period: Double
    /// Whether the current call from Swift was stopped.
    private(set) var hasFired = false
    /// The processor time of the thread from which on the current call is known to compute.
    private var began: Double?
    /// The processor time of the thread when the engine last asked.
    private var lastAsked = -2 * weighingPause
    /// How often the engine was told to ask at once since it last asked.
    private var demands = 0

    private let heapLimit: Int?
    private let heapExceeded: () -> Void
    /// Garbage was collected, and the heap has not been measured recently.
    private var mustWeigh = false
    /// The processor time of the thread when the heap was last measured.
    private var lastWeighing = -weighingPause
    /// Whether the current call was stopped because of the heap.
    private var isHeavy = false

    /// Seconds of processor time, so few that even the shortest promise reaction takes longer.
    private static let atOnce = 1e-6
    /// Seconds of processor time between measurements, because each one walks through the whole heap.
    private static let weighingPause = 0.05

    init(group: JSContextGroupRef, limits: ScriptLimits, heapExceeded: @escaping () -> Void) {
        self.group = group
        limit = limits.executionTime.map { max(0.001, $0 / .seconds(1)) }
        period = min(limit ?? .infinity, Self.weighingPause)
        heapLimit = limits.heap
        self.heapExceeded = heapExceeded
        guard isNeeded else { return }
        arm(period)
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
        began = nil
        guard hasFired else { return }
        hasFired = false
        isHeavy = false
        askPeriodically()
    }

    /// Stops the script again soon: a script that called Swift, which called the one that was stopped, could catch
    /// the error and go on.
    func insist() {
        if hasFired { askAtOnce() }
    }

    /// A call from Swift is about to return.
    func end(_ context: JSContextRef) {
        guard !hasFired else { return }
        if mustWeigh, isTooHeavy(context) { hasFired = true }
        if demands > 0 { askPeriodically() }
    }

    /// Makes the engine ask as soon as the script goes on, and waits meanwhile until the mark is set: while the limit is this
    /// short, each promise reaction makes a timer. If the mark is late nevertheless, the next demand waits longer for it.
    private func askAtOnce() {
        demands += 1
        arm(Self.atOnce)
        usleep(UInt32(5_000 << min(demands - 1, 4)))
    }

    private func askPeriodically() {
        demands = 0
        arm(period)
    }

    private func arm(_ seconds: Double) {
        JSContextGroupSetExecutionTimeLimit(
            group, seconds,
            { context, data in
                guard let data else { return true }
                return Unmanaged<Watchdog>.fromOpaque(data).takeUnretainedValue().mustStop(context)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The engine asks whether the script must stop.
    private func mustStop(_ context: JSContextRef?) -> Bool {
        demands = 0
        guard !hasFired else { return true }
        lastAsked = processorTime
        if began == nil { began = lastAsked - period }
        hasFired = isOverdue(at: lastAsked) || mustWeigh && context.map(isTooHeavy) ?? false
        if !hasFired { askPeriodically() }
        return hasFired
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
        guard let began else { return self.began = now }
        // The engine would have asked by itself if this were no chain of short reactions.
        guard now - max(began, lastAsked) > 2 * period else { return }
        if isOverdue(at: now) || mustWeigh { askAtOnce() }
    }

    /// Whether the call from Swift has computed for too long since it was first known to.
    private func isOverdue(at now: Double) -> Bool {
        guard let limit, let began else { return false }
        return now - began > limit - 1e-6
    }

    /// The processor time of the thread in seconds.
    private var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
