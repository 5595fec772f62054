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
