/// What an app can be granted, each by itself. The raw value is its name everywhere: in `--grant`, in files, in exceptions.
public enum Capability: String, Hashable, Sendable, Codable, CaseIterable {
    /// The app's own files on this device.
    case ownFiles = "storage.app.local"
    /// The app's own files on all devices of the person.
    case syncedFiles = "storage.app.synced"
    /// The person's files.
    case userFiles = "storage.user"
    /// The files of the system, with those of all apps.
    case systemFiles = "storage.system"
    /// Named files of this computer.
    case deviceFiles = "storage.device"
    /// Requests and web sockets to given addresses.
    case network
    /// Lines in the app's log.
    case log
    /// Services of other components of the same app.
    case ownServices = "rpc.thisApp"
    /// Services of other apps.
    case otherServices = "rpc.otherApps"
    /// Commands of other apps.
    case commands = "shell.commands"
    /// Files and folders that apps share.
    case resources = "shell.resources"
    /// Opening pages in the person's browser.
    case openURL = "shell.openURL"
    /// Opening files in other apps.
    case openFiles = "shell.openFiles"
    /// Dialogs in which the person chooses files.
    case fileDialogs = "shell.fileDialogs"
    /// Files that the person drops on the app.
    case devicePaths = "shell.deviceFiles"
    /// Showing the app's files as folders of this computer.
    case mounts = "shell.mounts"
    /// Notifications.
    case notifications = "shell.notifications"
    /// The clipboard.
    case clipboard = "shell.clipboard"
    /// Opening the dashboard.
    case dashboard = "shell.dashboard"
    /// Whether the device is online.
    case connectivity
    /// Reading and sending mail.
    case mail
    /// Asking whether an address accepts mail.
    case mailPreflight = "mail.preflight"
    /// Settings of the mailbox.
    case mailSettings = "mail.config"
    /// Signing in to services as the person.
    case mailerID = "mailerid"
    /// The person's keys for mail.
    case keyrings
    /// Pictures from cameras.
    case cameras = "media.cameras"
    /// Sound from microphones.
    case microphones = "media.microphones"
    /// Choosing speakers.
    case speakers = "media.speakers"
    /// Pictures of screens and windows.
    case screens = "media.screens"
    /// WebRTC connections.
    case webRTC = "webrtc"
    /// Installing, opening and removing apps.
    case systemApps = "system.apps"
    /// Which apps run.
    case systemMonitor = "system.monitor"
    /// Updating Alcove, or wiping it from this computer.
    case systemPlatform = "system.platform"
    /// Changing how the person signs in.
    case systemLogin = "system.userLogin"
    /// Signing the person out.
    case systemLogout = "system.logout"

    /// What it lets an app do, for a person who is asked.
    public var words: String { facts.words }
    /// What it makes appear in `w3n`, as paths with dots.
    public var members: [String] { facts.members }
    /// The key of `capsRequested` that asks for it.
    public var manifestKey: String { facts.key }
    /// Whether it reaches beyond the app's own affairs, so that a person should think about it.
    public var isSensitive: Bool { facts.isSensitive }
    /// Whether the built-in core serves it. An app may ask for a capability that is not served, but does not get it.
    public var isServed: Bool { facts.isServed }
}
