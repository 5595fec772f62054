/// Tells a person of something outside the program's own windows.
package protocol NotificationService: Sendable {
    /// Shows a notification, in the place of the one with the same id. Does not wait, and says nothing if it cannot be shown.
    func show(_ notification: DesktopNotification)
    /// Takes a notification away, if it is still there. Does not wait.
    func close(_ id: String)
    /// Asks the person something. Returns when they answer or put it away, `patience` is over, or the task is cancelled.
    func ask(_ question: DesktopQuestion, patience: Duration) async -> DesktopAnswer
    /// The ids of the notifications that the person chooses, as they do so. For one reader.
    var opened: AsyncStream<String> { get }
    /// Whether there is somebody who shows notifications, as far as it is known.
    var state: NotificationState { get }
    /// Takes all notifications away. Nothing is shown any more.
    func end() async
}

/// What one notification says. Both texts are plain.
package struct DesktopNotification: Sendable, Hashable {
    /// Stands for the thing that it tells of; never shown.
    package let id: String
    package let title: String
    package let text: String

    package init(id: String, title: String, text: String) {
        self.id = id
        self.title = title
        self.text = text
    }
}

/// A notification with a button.
package struct DesktopQuestion: Sendable, Hashable {
    package let notification: DesktopNotification
    /// What the button says that accepts it.
    package let accept: String

    package init(_ notification: DesktopNotification, accept: String) {
        (self.notification, self.accept) = (notification, accept)
    }
}

package enum DesktopAnswer: Sendable {
    case accepted
    /// It was put away, or nobody said anything.
    case declined
    /// Nobody could be asked: no desktop shows notifications, or none with buttons.
    case unavailable
}

/// Whether notifications reach a desktop.
package enum NotificationState: String, Sendable {
    /// Nothing was to be shown yet.
    case unused
    case shown
    /// This process belongs to no desktop session.
    case noBus = "no_desktop_bus"
    /// No program of the desktop session shows notifications.
    case noServer = "no_notification_server"
}

/// The notifications of the system.
package enum SystemNotifications {
    /// A way to the desktop of the person; `nil` on systems whose desktop is not known. Nothing is asked before something is shown.
    package static func service() -> (any NotificationService)? {
        #if canImport(CGIO)
        DesktopNotifications(address: SessionBus.address)
        #else
        nil
        #endif
    }
}
