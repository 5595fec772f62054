import AppCore

// Apps, with a library that changes as it likes and components that do what they like.

extension WalkRun {
    mutating func answerAboutApps(_ effect: Effect) throws {
        switch effect.kind {
        case .openApps where chance(40):
            let running = ListedComponent(id: "i1", app: "a1", entrypoint: "/main.mjs", state: .running)
            let core = AppsCore(bundle: chance(50) ? "core.js" : nil, state: anyCoreState())
            try tell(
                .appsListed(
                    effect: effect.id, apps: [anyApp(), anyApp()], components: [running], core: core,
                    strategies: chance(50) ? BackgroundStrategy.allCases : []))
        case .openApps where chance(90):
            let isGone = chance(20)
            try tell(
                .appsChanged(
                    effect: effect.id, apps: isGone ? [] : [anyApp()], removed: isGone ? [anyApp().id] : []))
        case .inspectApp:
            let pack = AppPack(
                app: anyApp().id, name: chance(80) ? "Feed reader" : "", version: "2",
                step: chance(50) ? .new : .update,
                replaces: "1", digest: "d", requests: anyRequests())
            try tell(.appInspected(effect: effect.id, pack: pack))
        case .installApp where chance(50):
            let done = Int64.random(in: -1...9, using: &random)
            try tell(.installProgress(effect: effect.id, done: done, total: Int64.random(in: 0...9, using: &random)))
        case .startApp:
            try tell(
                .componentStarted(
                    effect: effect.id, instance: anyInstance(), entrypoint: chance(50) ? "/main.mjs" : "/index.html"))
        default: try tell(.effectDone(effect: effect.id))
        }
    }

    mutating func haveAnAppDoSomething() throws {
        let app = anyApp().id
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<3:
            let state = ListedComponent.State.allCases.randomElement(using: &random) ?? .running
            try tell(
                .componentChanged(
                    app: app, instance: anyInstance(), entrypoint: chance(50) ? "/main.mjs" : "/index.html",
                    state: state, at: state == .restarting ? simulation.now : nil,
                    reason: chance(50) ? "Error: \u{202E}" : nil))
        case 3:
            try tell(
                .appLogged(app: app, level: .info, component: nil, text: chance(80) ? "said" : "", at: simulation.now))
        case 4: try tell(.accessDenied(app: app, capability: "network", text: "https://example.org"))
        case 5: try tell(.appNotification(app: app, text: chance(80) ? "New items" : ""))
        case 6:
            try tell(
                .appAsksUrl(
                    app: app,
                    url: chance(80) ? "https://example.org/\(UInt8.random(in: 0...3, using: &random))" : "file:///"))
        default:
            let library = AppsSettings.Library.allCases.randomElement(using: &random) ?? .writable
            try simulation.change { $0.setLibrary(library) }
        }
    }

    private mutating func anyApp() -> ListedApp {
        let known = simulation.world.apps.installed.map(\.id) + ["a1", "a2"]
        return ListedApp(
            id: known.randomElement(using: &random) ?? "a1", name: chance(80) ? "Feed reader" : "", version: "1",
            about: "", bytes: Int64.random(in: -1...9_000_000, using: &random), requests: anyRequests(),
            commands: chance(50) ? [AppCommand(name: "add", component: "/main.mjs")] : [],
            windows: chance(50) ? [AppWindow(name: "", component: "/index.html")] : nil,
            background: BackgroundStrategy.allCases.randomElement(using: &random) ?? .foreground,
            problem: chance(10) ? .appDamaged : nil)
    }

    private mutating func anyRequests() -> [AppRequest] {
        ["network", "log", "log"].map { capability in
            AppRequest(
                capability: capability, words: chance(90) ? "Do something" : "", sensitive: chance(50),
                available: chance(80), granted: chance(50), added: chance(50))
        }
    }

    private mutating func anyInstance() -> InstanceID {
        let known = simulation.world.apps.components.map(\.id) + ["i1", "i2"]
        return known.randomElement(using: &random) ?? "i1"
    }

    private mutating func anyCoreState() -> AppsCore.State {
        AppsCore.State.allCases.randomElement(using: &random) ?? .failed
    }
}
