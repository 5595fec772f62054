internal import Wire

/// Reads `capsRequested` of one component.
struct RequestReader {
    let app: AppDomain
    let runtime: AppComponent.Runtime
    private var asked: [Permission] = []

    init(app: AppDomain, runtime: AppComponent.Runtime) {
        self.app = app
        self.runtime = runtime
    }

    consuming func read(_ value: ManifestValue) throws(ManifestError) -> Permissions {
        var object = try value.object()
        try readSimple(from: &object)
        if let mail = object.optional("mail") { try readMail(mail) }
        if let storage = object.optional("storage") { try readStorage(storage) }
        try readServices(from: &object)
        if let shell = object.optional("shell") { try readShell(shell) }
        if let media = object.optional("mediaDevices") { try readMedia(media) }
        if let network = object.optional("connectToExternal") { try readNetwork(network) }
        if let system = object.optional("system") { try readSystem(system) }
        object.done()
        guard asked.count <= Permissions.limit else {
            throw value.error("asks for more than \(Permissions.limit) permissions")
        }
        return Permissions(asked)
    }

    mutating func ask(_ capability: Capability, _ scope: PermissionScope = .whole) {
        asked.append(Permission(capability, scope))
    }

    private mutating func readSimple(from object: inout ManifestObject) throws(ManifestError) {
        if let value = object.optional("keyrings") { try ask(.keyrings, ifAll: value) }
        if try object.flag("mailerid") { ask(.mailerID) }
        if try object.flag("logToPlatform") { ask(.log) }
        // What it was called before.
        if let value = object.optional("log") { try ask(.log, ifAll: value) }
        if let value = object.optional("connectivity") {
            _ = try value.word("check")
            ask(.connectivity)
        }
        if let value = object.optional("webrtc") { try ask(.webRTC, ifAll: value) }
    }

    mutating func ask(_ capability: Capability, ifAll value: ManifestValue) throws(ManifestError) {
        _ = try value.word("all")
        ask(capability)
    }

    private mutating func readMail(_ value: ManifestValue) throws(ManifestError) {
        var object = try value.object()
        let all = ["sendingTo", "receivingFrom", "preflightsTo"].map { name in
            object.optional(name)?.json == .string("all")
        }
        if all[0] && all[1] {
            ask(.mail)
        } else if all[2] {
            ask(.mailPreflight)
        } else {
            value.warn("gives no mail, because neither sendingTo and receivingFrom nor preflightsTo are 'all'")
        }
        if let settings = object.optional("config") { try ask(.mailSettings, ifAll: settings) }
        object.done()
    }

    private mutating func readServices(from object: inout ManifestObject) throws(ManifestError) {
        for service in try object.optional("appRPC")?.array() ?? [] {
            ask(.ownServices, .named(try service.name(), app: nil))
        }
        for value in try object.optional("otherAppsRPC")?.array() ?? [] {
            var entry = try value.object()
            let domain = try entry.required("app").domain()
            ask(.otherServices, .named(try entry.required("service").name(), app: domain))
            entry.done()
        }
    }

    private mutating func readMedia(_ value: ManifestValue) throws(ManifestError) {
        var object = try value.object()
        let devices: [(String, Capability)] = [
            ("cameras", .cameras), ("microphones", .microphones), ("speakers", .speakers), ("screens", .screens),
            ("windows", .screens),
        ]
        for (name, capability) in devices {
            guard let word = try object.optional(name)?.word("all", "select", "use") else { continue }
            ask(capability, .part(capability == .screens ? "\(name) \(word)" : word))
        }
        object.done()
    }

    private mutating func readSystem(_ value: ManifestValue) throws(ManifestError) {
        var object = try value.object()
        if let apps = object.optional("apps") {
            let parts = apps.json == .string("all") ? nil : try apps.array()
            for part in try parts?.map({ (part) throws(ManifestError) in try part.word(of: AppsPart.self) })
                ?? AppsPart.allCases
            {
                ask(.systemApps, .part(part.rawValue))
            }
        }
        if let platform = object.optional("platform") { try ask(.systemPlatform, ifAll: platform) }
        if let monitor = object.optional("monitor") { try ask(.systemMonitor, ifAll: monitor) }
        if let login = object.optional("userLogin") { try ask(.systemLogin, ifAll: login) }
        if try object.flag("logout") { ask(.systemLogout) }
        object.done()
    }

    private enum AppsPart: String, CaseIterable {
        case opener, downloader, installer
    }
}
