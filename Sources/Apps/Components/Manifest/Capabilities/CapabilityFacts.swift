/// What there is to know about a capability: the source of `docs/capabilities.md` and of every question to a person.
struct CapabilityFacts {
    var words: String
    var key: String
    var members: [String]
    var isSensitive: Bool
    var isServed: Bool

    init(_ words: String, _ key: String, _ members: [String], sensitive: Bool = false, served: Bool = false) {
        self.words = words
        self.key = key
        self.members = members
        isSensitive = sensitive
        isServed = served
    }
}

extension Capability {
    // A table: the switch is only there so that the compiler misses a row.
    var facts: CapabilityFacts {
        switch self {
        case .ownFiles:
            CapabilityFacts(
                "Keep its own files on this computer", "storage.appFS", ["storage.getAppLocalFS"], served: true)
        case .syncedFiles:
            CapabilityFacts(
                "Keep its own files in step on all your devices", "storage.appFS", ["storage.getAppSyncedFS"])
        case .userFiles:
            CapabilityFacts("Open your files", "storage.userFS", ["storage.getUserFS"], sensitive: true)
        case .systemFiles:
            CapabilityFacts(
                "Open the files of the system, with those of all apps", "storage.sysFS", ["storage.getSysFS"],
                sensitive: true, served: true)
        case .deviceFiles:
            CapabilityFacts("Open named files of this computer", "storage.filesOnDevice", [], sensitive: true)
        case .network:
            CapabilityFacts(
                "Reach sites on the network", "connectToExternal.fetch", ["http.request"], sensitive: true, served: true
            )
        case .log: CapabilityFacts("Write to its log", "logToPlatform", ["log"], served: true)
        case .ownServices:
            CapabilityFacts("Let its parts work together", "appRPC", ["rpc.thisApp"], served: true)
        case .otherServices:
            CapabilityFacts(
                "Use services of other apps", "otherAppsRPC", ["rpc.otherAppsRPC"], sensitive: true, served: true)
        case .commands:
            CapabilityFacts(
                "Open itself and other apps", "shell.startAppCmds", ["shell.startAppWithParams"], served: true)
        case .resources:
            CapabilityFacts(
                "Use files that apps share", "shell.fsResource", ["shell.getFSResource"], sensitive: true, served: true)
        case .openURL:
            CapabilityFacts("Open links in your browser", "shell.openURL", ["shell.openURL"], served: true)
        case .openFiles:
            CapabilityFacts(
                "Open files and folders in other programs", "shell.openFile",
                ["shell.openFile", "shell.openFolder", "shell.openInMounted"])
        case .fileDialogs:
            CapabilityFacts("Ask you to choose files and folders", "shell.fileDialog", ["shell.fileDialogs"])
        case .devicePaths:
            CapabilityFacts("Take files that you drop on it", "shell.deviceFiles", ["shell.deviceFiles"])
        case .mounts:
            CapabilityFacts(
                "Show its files as folders of this computer", "shell.mounts", ["shell.mounts"], sensitive: true)
        case .notifications:
            CapabilityFacts(
                "Show notifications", "shell.userNotifications", ["shell.userNotifications"], served: true)
        case .clipboard:
            CapabilityFacts("Use the clipboard", "shell.clipboard", ["shell.clipboard"], sensitive: true)
        case .dashboard: CapabilityFacts("Open the dashboard", "shell.openDashboard", ["shell.openDashboard"])
        case .connectivity:
            CapabilityFacts("See whether there is a network", "connectivity", ["connectivity"], served: true)
        case .mail: CapabilityFacts("Read and send your mail", "mail", ["mail"], sensitive: true)
        case .mailPreflight:
            CapabilityFacts("Ask whether mail would be taken", "mail.preflightsTo", ["mail.delivery.preFlight"])
        case .mailSettings:
            CapabilityFacts("Change the settings of your mail", "mail.config", ["mail.config"], sensitive: true)
        case .mailerID:
            CapabilityFacts("Sign in to services in your name", "mailerid", ["mailerid"], sensitive: true)
        case .keyrings: CapabilityFacts("Use the keys of your mail", "keyrings", ["keyrings"], sensitive: true)
        case .cameras: CapabilityFacts("Use cameras", "mediaDevices.cameras", ["mediaDevices"], sensitive: true)
        case .microphones:
            CapabilityFacts("Use microphones", "mediaDevices.microphones", ["mediaDevices"], sensitive: true)
        case .speakers: CapabilityFacts("Choose speakers", "mediaDevices.speakers", ["mediaDevices"])
        case .screens:
            CapabilityFacts("See your screen or windows", "mediaDevices.screens", ["mediaDevices"], sensitive: true)
        case .webRTC: CapabilityFacts("Connect directly to other computers", "webrtc", [], sensitive: true)
        case .systemApps:
            CapabilityFacts(
                "Install, open and remove apps, and replace the code of those that it installed, which keep what you granted",
                "system.apps", ["system.apps"], sensitive: true, served: true)
        case .systemMonitor:
            CapabilityFacts("See which apps run", "system.monitor", ["system.monitor"], sensitive: true, served: true)
        case .systemPlatform:
            CapabilityFacts(
                "Update Alcove, or wipe it from this computer", "system.platform", ["system.platform"], sensitive: true)
        case .systemLogin:
            CapabilityFacts("Change how you sign in", "system.userLogin", ["system.userLogin"], sensitive: true)
        case .systemLogout: CapabilityFacts("Sign you out", "system.logout", ["system.logout"], sensitive: true)
        }
    }
}
