/// What a person does with apps that other people wrote.
package enum AppsAction: Sendable, Hashable, Codable {
    /// Shows the list, and follows what is installed and runs from now on.
    case openApps
    /// Follows it no longer. What runs goes on.
    case closeApps
    /// Tries again what is wrong with the list.
    case retryApps
    case showApp(app: AppID)
    case showAppLog(app: AppID)
    /// Forgets what is told of an app: log lines, denials, crashes.
    case clearAppLog(app: AppID)

    // Installing.

    /// Where the next app is: what stands in the field.
    case editSource(text: String)
    /// Looks at a folder or ZIP file with an app, or a newer version of one. The person is asked before anything is installed.
    case installApp(source: String)
    /// The same with a file that the person gave the host; `handle` is where the host finds it.
    case installFile(name: String, handle: String)
    /// Turns one of the switches of the question.
    case switchRequest(capability: CapabilityName, on: Bool)
    /// Installs what the person was asked about, with these of the capabilities that it asks for.
    case answerInstall(grants: [CapabilityName])
    /// Installs nothing, or gives up an installation that does not work out.
    case declineInstall
    case removeApp(app: AppID, data: Bool)

    // What it may do.

    case grantCapability(app: AppID, capability: CapabilityName)
    /// Takes a capability back, also from what runs.
    case revokeCapability(app: AppID, capability: CapabilityName)
    case setBackground(app: AppID, strategy: BackgroundStrategy)

    // Running.

    /// The words for the next command: what stands in the field.
    case editParameters(text: String)
    /// Starts an app, or one of its components, or has it carry out a command.
    case runApp(app: AppID, component: String?, command: String?, parameters: [String])
    /// Starts a component that is shown in a window. The view that asks for it is told which one to show.
    case openWindow(app: AppID, component: String)
    case stopApp(app: AppID)
    case stopComponent(app: AppID, instance: InstanceID)
    /// Opens a link that an app asked to open.
    case openUrl(app: AppID, url: String)
    case declineUrl(app: AppID, url: String)

    // What serves apps.

    /// The path of a core library: what stands in the field.
    case editBundle(text: String)
    /// Has the core library in a bundle serve apps; without one the built-in core.
    case chooseCore(bundle: String?)
}
