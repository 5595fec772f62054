internal import Wire

extension RequestReader {
    mutating func readShell(_ value: ManifestValue) throws(ManifestError) {
        var object = try value.object()
        if let dialogs = object.optional("fileDialog") {
            let isReadOnly = try dialogs.word("all", "readonly") == "readonly"
            ask(.fileDialogs, isReadOnly ? ["reading"] : ["reading", "writing"])
        }
        if let files = object.optional("deviceFiles") { try ask(.devicePaths, ifAll: files) }
        for mount in try object.optional("mounts")?.oneOrMore() ?? [] {
            ask(.mounts, [try mount.word("any", "chat", "mail", "app")])
        }
        if try object.flag("userNotifications") { ask(.notifications) }
        if try object.flag("openDashboard") { ask(.dashboard) }
        if let commands = object.optional("startAppCmds") { try readNames(commands, .commands) }
        if let resources = object.optional("fsResource") { try readNames(resources, .resources) }
        for (name, part) in [
            ("openFile", "files"), ("openFolder", "folders"), ("openInMountedFolder", "mounted folders"),
        ] {
            guard let opening = object.optional(name) else { continue }
            _ = try opening.word("all")
            ask(.openFiles, [part])
        }
        for target in try object.optional("openURL")?.array() ?? [] {
            ask(.openURL, try target.link())
        }
        if let clipboard = object.optional("clipboard") {
            let word = try clipboard.word("all", "readonly", "writeonly")
            if word != "writeonly" { ask(.clipboard, ["reading"]) }
            if word != "readonly" { ask(.clipboard, ["writing"]) }
        }
        object.done()
    }

    private mutating func ask(_ capability: Capability, _ parts: [String]) {
        for part in parts { ask(capability, .part(part)) }
    }

    /// `{thisApp, otherApps: {domain: …}}`, with one name or a list of names each.
    private mutating func readNames(_ value: ManifestValue, _ capability: Capability) throws(ManifestError) {
        var object = try value.object()
        for name in try object.optional("thisApp")?.oneOrMore() ?? [] {
            ask(capability, .named(try name.name(), app: nil))
        }
        for entry in try object.optional("otherApps")?.map() ?? [] {
            let domain = try entry.name.domain()
            for name in try entry.value.oneOrMore() {
                ask(capability, .named(try name.name(), app: domain))
            }
        }
        object.done()
    }
}

extension ManifestValue {
    /// What ``address()`` reads, or `{schema: "mailto"}`.
    fileprivate func link() throws(ManifestError) -> PermissionScope {
        guard json.object?["schema"] == "mailto" else { return .address(try address()) }
        var object = try object()
        _ = object.optional("schema")
        object.done()
        return .mailAddresses
    }
}
