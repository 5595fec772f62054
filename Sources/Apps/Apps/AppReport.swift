package import Components
package import HostFunctions

/// What happens to apps, for the program that shows it.
package enum AppReport: Sendable {
    /// A component started, runs, waits to be started again, or ended.
    case changed(RunningInstance, reason: String?)
    /// A component said something, or something was denied to it. `instance` is nil for what the platform itself says.
    case logged(app: AppDomain, AppLog.Entry)
    /// An app asks to open a link outside. Nothing has been opened, and the person has not been asked.
    case asksURL(app: AppDomain, name: String, url: ExternalURL)
    /// An app has something for the person to read.
    case notified(app: AppDomain, name: String, AppNotification)
    /// The installed apps, or their grants, are not what they were.
    case packsChanged
}
