internal import CJavaScriptCore

/// Stops scripts that compute for too long. Only used on the thread of its context.
final class Watchdog {
    private let group: JSContextGroupRef
    private let limit: Double?
    /// Whether the current call from outside was stopped.
    private(set) var hasFired = false

    init(group: JSContextGroupRef, limit: Duration?) {
        self.group = group
        self.limit = limit.map { max(0.001, $0 / .seconds(1)) }
        arm(self.limit)
    }

    /// A new call from outside begins.
    func begin() {
        guard hasFired else { return }
        hasFired = false
        arm(limit)
    }

    /// Stops the script again soon: a script that called Swift, which called the one that was stopped, could catch
    /// the error and go on.
    func insist() {
        if hasFired { arm(0.001) }
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
}
