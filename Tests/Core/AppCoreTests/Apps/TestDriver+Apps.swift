import AppCore
import Testing

extension TestDriver {
    mutating func apps(_ action: AppsAction) throws { try dispatch(.apps(action)) }

    /// Apps are open, and these are installed.
    mutating func listApps(
        _ apps: [ListedApp] = [.feeds, .checklist], _ components: [ListedComponent] = [],
        strategies: [BackgroundStrategy] = [.foreground, .periodic]
    ) throws {
        try self.apps(.openApps)
        try event(
            .appsListed(
                effect: try waiting(\.opensApps), apps: apps, components: components, core: AppsCore(state: .signedIn),
                strategies: strategies))
    }

    mutating func changeApps(_ apps: [ListedApp] = [], removed: [AppID] = []) throws {
        try event(.appsChanged(effect: try waiting(\.opensApps), apps: apps, removed: removed))
    }

    /// A component of the feed reader stands like this now.
    mutating func component(
        _ state: ListedComponent.State, _ instance: InstanceID = "i1", of app: AppID = "feeds.example",
        entrypoint: String = "/main.mjs"
    ) throws {
        try event(
            .componentChanged(
                app: app, instance: instance, entrypoint: entrypoint, state: state, at: nil, reason: nil))
    }

    /// A pack was looked at, and the person is asked.
    mutating func askToInstall(_ pack: AppPack = .feeds) throws {
        if !state.apps.isListed { try listApps([]) }
        try apps(.installApp(source: "feeds.zip"))
        try event(.appInspected(effect: try waiting(\.inspects), pack: pack))
    }

    mutating func done(_ condition: (Effect.Kind) -> Bool) throws {
        try event(.effectDone(effect: try waiting(condition)))
    }

    func isOn(_ id: String) -> Bool? { tree.find(id)?.isSelected }
}

extension ListedApp {
    static let feeds = ListedApp(
        id: "feeds.example", name: "Feed reader", version: "1.0", about: "Reads feeds.", bytes: 2048,
        requests: [.files(granted: true), .network(granted: true)],
        commands: [AppCommand(name: "add", component: "/main.mjs"), AppCommand(name: "sync", component: "/main.mjs")])
    static let checklist = ListedApp(id: "checklist.example", name: "Checklist", version: "1.0")

    func with(_ change: (inout ListedApp) -> Void) -> ListedApp {
        var app = self
        change(&app)
        return app
    }
}

extension AppRequest {
    static func files(granted: Bool = false) -> AppRequest {
        AppRequest(capability: "storage.app.local", words: "Keep its own files", granted: granted)
    }

    static func network(granted: Bool = false, added: Bool = false) -> AppRequest {
        AppRequest(
            capability: "network", words: "Reach sites",
            details: [
                .address(scheme: "https", host: "example.org", subdomains: false, port: nil, below: nil)
            ], sensitive: true, granted: granted,
            added: added)
    }
}

extension AppPack {
    static let feeds = AppPack(
        app: "feeds.example", name: "Feed reader", version: "1.0", digest: "d1", requests: [.files(), .network()])
}

extension Effect.Kind {
    var opensApps: Bool { self == .openApps }
    var inspects: Bool { if case .inspectApp = self { true } else { false } }
    var installs: Bool { if case .installApp = self { true } else { false } }
    var setsGrant: Bool { if case .setGrant = self { true } else { false } }
    var startsApp: Bool { if case .startApp = self { true } else { false } }
    var removesApp: Bool { if case .removeApp = self { true } else { false } }
    var startsCore: Bool { if case .startCore = self { true } else { false } }
}
