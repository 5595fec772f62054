// What apps may be granted, in the words that a person reads.

extension CapabilityName {
    /// Those that have a sentence in the catalogue: all that this version knows.
    package static let known: Set<CapabilityName> = [
        "connectivity", "keyrings", "log", "mail", "mail.config", "mail.preflight", "mailerid", "media.cameras",
        "media.microphones", "media.screens", "media.speakers", "network", "rpc.otherApps", "rpc.thisApp",
        "shell.clipboard", "shell.commands", "shell.dashboard", "shell.deviceFiles", "shell.fileDialogs",
        "shell.mounts", "shell.notifications", "shell.openFiles", "shell.openURL", "shell.resources",
        "storage.app.local", "storage.app.synced", "storage.device", "storage.system", "storage.user", "system.apps",
        "system.logout", "system.monitor", "system.platform", "system.userLogin", "webrtc",
    ]
}

extension AppRequest {
    /// What it lets the app do. What this version does not know is called as the host calls it.
    package var title: Words {
        if CapabilityName.known.contains(capability) { return .key("capability.\(capability)") }
        return .said(words.isEmpty ? capability.text : words)
    }
}
