import AppCore

/// What the world knows about apps: the library, what runs, and packs that can be installed.
struct AppsWorld: Sendable {
    /// In the order in which they came.
    private(set) var installed: [ListedApp] = []
    private(set) var components: [ListedComponent] = []
    /// Packs by where they are.
    var packs = AppPack.samples
    var core = AppsCore(state: .signedIn)
    var strategies: [BackgroundStrategy] = [.foreground, .periodic]
    /// The effect under which the core is told what there is.
    var opening: EffectID?
    /// Installations that have begun.
    var begun: Set<EffectID> = []
    private var made = 0

    subscript(id: AppID) -> ListedApp? { installed.first { $0.id == id } }

    mutating func put(_ app: ListedApp) {
        if let index = installed.firstIndex(where: { $0.id == app.id }) {
            installed[index] = app
        } else {
            installed.append(app)
        }
    }

    mutating func update(_ id: AppID, _ change: (inout ListedApp) -> Void) {
        if let index = installed.firstIndex(where: { $0.id == id }) { change(&installed[index]) }
    }

    mutating func remove(_ id: AppID) {
        installed.removeAll { $0.id == id }
        components.removeAll { $0.app == id }
    }

    mutating func learn(_ apps: [ListedApp], _ running: [ListedComponent]) {
        installed = apps
        components = running
    }

    /// A component stands like this from now on.
    mutating func put(_ component: ListedComponent) {
        components.removeAll { $0.id == component.id }
        if component.state != .stopped, self[component.app] != nil { components.append(component) }
    }

    mutating func newInstance() -> InstanceID {
        made += 1
        return InstanceID("instance-\(made)")
    }

    /// Components run in processes of their own, which end with the one that started them.
    mutating func processEnded() {
        opening = nil
        components = []
        begun = []
    }
}

extension ListedApp {
    /// The app that a pack becomes; earlier grants are kept.
    init(_ pack: AppPack, granting grants: [CapabilityName], over old: ListedApp?) {
        let requests = pack.requests.map { request in
            var request = request
            let before = old?.requests.first { $0.capability == request.capability }
            request.granted = grants.contains(request.capability) || before?.granted == true
            request.added = false
            return request
        }
        self.init(
            id: pack.app, name: pack.name, version: pack.version, about: pack.about, bytes: pack.bytes,
            requests: requests, commands: [AppCommand(name: "add", component: "/main.mjs")],
            windows: pack.app == "checklist.alcove.example" ? [AppWindow(name: "", component: "/index.html")] : nil,
            background: old?.background ?? .foreground)
    }
}

extension AppPack {
    /// What can be installed everywhere.
    static let samples: [String: AppPack] = {
        let files = AppRequest(capability: "storage.app.local", words: "Keep its own files on this computer")
        let log = AppRequest(capability: "log", words: "Write to its log")
        let network = AppRequest(
            capability: "network", words: "Reach sites on the network",
            details: [.address(scheme: "https", host: "example.org", subdomains: true, port: nil, below: nil)],
            sensitive: true)
        let feeds = AppPack(
            app: "feeds.alcove.example", name: "Feed reader", version: "1.0.0",
            about: "Reads feeds while you do something else.", bytes: 20_000, digest: "feeds-1",
            requests: [files, log])
        var newer = feeds
        newer.version = "2.0.0"
        newer.digest = "feeds-2"
        newer.requests.append(network)
        let checklist = AppPack(
            app: "checklist.alcove.example", name: "Checklist", version: "1.0.0",
            about: "Lists of things to do.", bytes: 5000, digest: "checklist-1", requests: [files])
        return ["apps/checklist": checklist, "apps/feeds": feeds, "apps/feeds-2": newer]
    }()

    /// As the library would tell of it, beside what is installed.
    func compared(with installed: ListedApp?) -> AppPack {
        var pack = self
        guard let installed else {
            (pack.step, pack.replaces) = (.new, nil)
            return pack
        }
        pack.replaces = installed.version
        pack.step =
            version == installed.version ? .again : version < installed.version ? .downgrade : .update
        pack.requests = requests.map { request in
            var request = request
            let before = installed.requests.first { $0.capability == request.capability }
            request.granted = before?.granted ?? false
            request.added = before == nil
            return request
        }
        return pack
    }
}
