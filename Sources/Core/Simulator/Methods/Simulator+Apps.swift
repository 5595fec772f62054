import AppCore

// What apps do by themselves, and what is done to them elsewhere.

extension Simulator {
    static let apps: [String: Method] = [
        "apps": { simulator, parameters in try simulator.apps(parameters) }
    ]

    /// `apps{do, app?, …}`: an app, another terminal or the library does something.
    private func apps(_ parameters: Parameters) throws -> JSONValue {
        let act = try Self.act(try parameters.needText("do"), parameters, app: { try self.app(parameters) })
        return try acting { try change { try $0.change(act) } }
    }

    /// The app that is meant, or the newest one.
    private func app(_ parameters: Parameters) throws -> AppID {
        let apps = simulation.world.apps
        if let id = try parameters.text("app") {
            guard apps[AppID(id)] != nil else { throw SimulatorError(.badRequest, "apps: there is no app \(id).") }
            return AppID(id)
        }
        guard let newest = apps.installed.last else {
            throw SimulatorError(.badRequest, "apps: there is no app yet; do \"install\" first.")
        }
        return newest.id
    }

    private static func act(_ deed: String, _ parameters: Parameters, app: () throws -> AppID) throws
        -> (inout World) throws -> Void
    {
        switch deed {
        case "install":
            let source = try parameters.needText("source")
            return { try $0.installApp(from: source) }
        case "remove":
            let app = try app()
            return { $0.removeApp(app) }
        case "crash", "crash_for_good":
            let app = try app()
            return { try $0.crash(app, forGood: deed == "crash_for_good") }
        case "say":
            let (app, text) = (try app(), try parameters.needText("text"))
            return { $0.tell(.appLogged(app: app, level: .info, component: "/main.mjs", text: text, at: $0.now)) }
        case "be_denied":
            let (app, capability) = (try app(), CapabilityName(try parameters.needText("capability")))
            return { $0.tell(.accessDenied(app: app, capability: capability, text: "w3n.\(capability)")) }
        case "notify":
            let (app, text) = (try app(), try parameters.needText("text"))
            return { $0.tell(.appNotification(app: app, text: text)) }
        case "ask_url":
            let (app, url) = (try app(), try parameters.needText("url"))
            return { $0.tell(.appAsksUrl(app: app, url: url)) }
        case "library":
            let state = try choice(AppsSettings.Library.self, parameters)
            return { $0.setLibrary(state) }
        case "core":
            let state = try choice(AppsCore.State.self, parameters)
            return { $0.setCore(AppsCore(bundle: $0.apps.core.bundle, state: state)) }
        default:
            throw SimulatorError(
                .badRequest,
                "apps: \"do\" must be install, remove, crash, crash_for_good, say, be_denied, notify, ask_url, library"
                    + " or core.")
        }
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ type: Choice.Type, _ parameters: Parameters
    ) throws -> Choice {
        guard let choice = Choice(rawValue: try parameters.needText("state")) else {
            let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw SimulatorError(.badRequest, "apps: \"state\" must be one of \(choices).")
        }
        return choice
    }
}

extension World {
    /// Another terminal installs an app, with everything that it asks for.
    fileprivate mutating func installApp(from source: String) throws {
        guard let pack = apps.packs[source] else {
            let sources = apps.packs.keys.sorted().joined(separator: ", ")
            throw SimulatorError(.badRequest, "apps: there is no app at \(source); there are: \(sources).")
        }
        put(ListedApp(pack, granting: pack.requests.map(\.capability), over: apps[pack.app]))
    }

    fileprivate mutating func crash(_ app: AppID, forGood: Bool) throws {
        guard let component = apps.components.first(where: { $0.app == app && $0.isRunning }) else {
            throw SimulatorError(.badRequest, "apps: nothing of \(app) runs; start it first.")
        }
        crash(component, forGood: forGood)
    }
}
