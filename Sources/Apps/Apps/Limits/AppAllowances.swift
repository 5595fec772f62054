internal import ComponentStorage
internal import Synchronization

/// What one app may have of what all share: how often it may still ask for the person's attention, and how much it watches. It outlives
/// the app's components, so that nothing is gained by starting anew.
final class AppAllowances: Sendable {
    private let links: Mutex<Allowance>
    private let notifications: Mutex<Allowance>
    /// In all its storages together.
    let watches: WatchAllowance

    init(_ settings: AppPlatform.Settings) {
        links = Mutex(Allowance(settings.linkRate))
        notifications = Mutex(Allowance(settings.notificationRate))
        watches = WatchAllowance(settings.watchesOfApp)
    }

    func takeLink() -> Bool { links.withLock { $0.take() } }

    func takeNotification() -> Bool { notifications.withLock { $0.take() } }
}

/// How often something may happen: some at once, and then one more after each pause.
package struct Rate: Hashable, Sendable {
    package var burst: Int
    package var pause: Duration

    package init(burst: Int, pause: Duration) {
        self.burst = burst
        self.pause = pause
    }
}

/// What is left of a rate.
struct Allowance {
    private let rate: Rate
    private var left: Double
    private var counted: ContinuousClock.Instant

    init(_ rate: Rate, at now: ContinuousClock.Instant = .now) {
        self.rate = rate
        left = Double(rate.burst)
        counted = now
    }

    /// Takes one, if one is left.
    mutating func take(at now: ContinuousClock.Instant = .now) -> Bool {
        left = min(Double(rate.burst), left + (now - counted) / rate.pause)
        counted = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
