/// What an app can be granted, each by itself. The raw value is its name everywhere: in `--grant`, in files, in exceptions.
public enum Capability: String, Hashable, Sendable, Codable, CaseIterable {
    case ownFiles = "storage.app.local"
    case syncedFiles = "storage.app.synced"
    case userFiles = "storage.user"
    case systemFiles = "storage.system"
    case deviceFiles = "storage.device"
    case network
    case log
    case ownServices = "rpc.thisApp"
    case otherServices = "rpc.otherApps"
    case commands = "shell.commands"
    case resources = "shell.resources"
    case openURL = "shell.openURL"
    case openFiles = "shell.openFiles"
    case fileDialogs = "shell.fileDialogs"
    case devicePaths = "shell.deviceFiles"
    case mounts = "shell.mounts"
    case notifications = "shell.notifications"
    case clipboard = "shell.clipboard"
    case dashboard = "shell.dashboard"
    case connectivity
    case mail
    case mailPreflight = "mail.preflight"
    case mailSettings = "mail.config"
    case mailerID = "mailerid"
    case keyrings
    case cameras = "media.cameras"
    case microphones = "media.microphones"
    case speakers = "media.speakers"
    case screens = "media.screens"
    case webRTC = "webrtc"
    case systemApps = "system.apps"
    case systemMonitor = "system.monitor"
    case systemPlatform = "system.platform"
    case systemLogin = "system.userLogin"
    case systemLogout = "system.logout"

    /// What it lets an app do, for a person who is asked.
    public var words: String { facts.words }
    /// What it makes appear in `w3n`, as paths with dots.
    public var members: [String] { facts.members }
    /// The key of `capsRequested` that asks for it.
    public var manifestKey: String { facts.key }
    /// Whether it reaches beyond the app's own affairs, so that a person should think about it.
    public var isSensitive: Bool { facts.isSensitive }
    /// Whether the built-in core serves it. What it does not serve can be asked for, and is not there.
    public var isServed: Bool { facts.isServed }
}
