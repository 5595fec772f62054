internal import Synchronization

/// How often one app may still ask for the person's attention. It outlives the app's components, so that nothing is gained by
/// starting anew.
final class AppAllowances: Sendable {
    private let links: Mutex<Allowance>
    private let notifications: Mutex<Allowance>

    init(_ settings: AppPlatform.Settings) {
        links = Mutex(Allowance(settings.linkRate))
        notifications = Mutex(Allowance(settings.notificationRate))
    }

    func takeLink() -> Bool { links.withLock { $0.take() } }

    func takeNotification() -> Bool { notifications.withLock { $0.take() } }
}
