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

    /// Short enough to stop whatever runs.
    private static let atOnce = 1e-6

    init(group: JSContextGroupRef, limit: Duration?) {
        self.group = group
        self.limit = limit.map { max(0.001, $0 / .seconds(1)) }
        guard limit != nil else { return }
        arm(self.limit)
        JSContextGroupAddHeapFinalizer(group, Self.collected, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Nothing is stopped any more. Before the group ends, which may be later than the watchdog.
    func retire() {
        guard limit != nil else { return }
        JSContextGroupClearExecutionTimeLimit(group)
        JSContextGroupRemoveHeapFinalizer(group, Self.collected, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Why the current call fails if it was stopped.
    var error: ScriptError {
        ScriptError(.timeout, "the script, or a promise reaction, ran for longer than \(limit ?? 0) s")
    }

    /// A new call from Swift begins.
    func begin() {
        firstCollection = nil
        guard hasFired else { return }
        hasFired = false
        arm(limit)
    }

    /// Stops the script again soon: a script that called Swift, which called the one that was stopped, could catch
    /// the error and go on.
    func insist() {
        if hasFired { arm(Self.atOnce) }
    }

    private func arm(_ seconds: Double?) {
        guard let seconds else { return }
        JSContextGroupSetExecutionTimeLimit(
            group, seconds,
            { _, data in
                guard let data else { return true }
                Unmanaged<Watchdog>.fromOpaque(data).takeUnretainedValue().hasFired = true
                return true
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private static let collected: AlcoveHeapFinalizer = { _, data in
        guard let data else { return }
        Unmanaged<Watchdog>.fromOpaque(data).takeUnretainedValue().afterCollection()
    }

    private func afterCollection() {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        let now = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        guard let limit, let firstCollection else { return firstCollection = now }
        if now - firstCollection > limit { arm(Self.atOnce) }
    }
}
