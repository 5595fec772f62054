/// What is open and who is signed in, from the start of a core to its end: decides what the host does when a person opens an
/// app or follows a link.
///
/// A value without I/O. The host feeds it events and does what it answers, in order.
package struct CoreBoot: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
        /// The core is being loaded and initialised.
        case starting
        /// No account is signed in.
        case idle
        /// The startup app was asked for, or is open.
        case loggingIn
        case signedIn(user: String)
        /// Signed out, or dead. There is no way back but a new core.
        case ended
    }

    /// The apps that every host knows by name.
    package struct KnownApps: Hashable, Sendable {
        package var startup = "startup.app.privacysafe.io"
        package var launcher = "launcher.app.privacysafe.io"

        package init() {}
    }

    package let apps: KnownApps
    package private(set) var phase = Phase.starting
    /// Windows of components by connector, with the domain of their app.
    package private(set) var open: [String: String] = [:]
    /// The app to open when someone has signed in.
    package private(set) var remembered: String?
    /// What was asked for while the core was starting.
    private var waiting: [Event] = []
    private var isLaunchingStartup = false
    /// The fragment for the startup app's page.
    private var fragment = ""

    static let waitingLimit = 16
    /// How long after sign-in the remembered app is opened, when the launcher has come up.
    package static let pauseBeforeRemembered = Duration.milliseconds(100)

    package init(apps: KnownApps = KnownApps()) { self.apps = apps }

    package mutating func handle(_ event: Event) -> [Action] {
        switch (phase, event) {
        case (.ended, _): return []
        case (_, .ended):
            let windows = open.keys.sorted().map(Action.close)
            self = CoreBoot(apps: apps)
            phase = .ended
            return windows
        case (.starting, .initialised):
            phase = .idle
            defer { waiting = [] }
            return waiting.flatMap { handle($0) }
        case (.starting, _):
            if waiting.count < Self.waitingLimit { waiting.append(event) }
            return []
        case (_, .initialised): return []
        case (_, .opens(let app)): return opens(app)
        case (_, .returns(let app, let connector, let entrypoint)):
            guard open[connector] == nil else { return [.focus(connector: connector)] }
            return isSignedIn && entrypoint != nil ? [.launch(app)] : opens(app)
        case (_, .follows(let url)): return follows(url)
        case (_, .preparedStartup(let fragment)):
            self.fragment = fragment
            return opens(apps.startup)
        case (_, .launched(let app, let entry)): return launched(app, entry)
        case (_, .failedToLaunch(let app)):
            guard app == apps.startup else { return [] }
            isLaunchingStartup = false
            if phase == .loggingIn, startupWindow == nil { phase = .idle }
            return []
        case (_, .signedIn(let user)): return signedIn(user)
        case (_, .coreShows(let connector, let app, let entrypoint)):
            open[connector] = app
            return [.show(connector: connector, app: app, entrypoint: entrypoint)]
        case (_, .coreCloses(let connector)):
            let connectors = connector == "init" ? [startupWindow].compactMap(\.self) : [connector]
            return connectors.filter { open.removeValue(forKey: $0) != nil }.map(Action.close)
        case (_, .closed(let connector)): return closed(connector)
        }
    }

    package var isSignedIn: Bool { if case .signedIn = phase { true } else { false } }

    private var startupWindow: String? { open.first { $0.value == apps.startup }?.key }

    private mutating func opens(_ app: String) -> [Action] {
        if isSignedIn {
            // The startup app has nothing left to do.
            let app = app == apps.startup ? apps.launcher : app
            if let window = open.filter({ $0.value == app }).keys.min() { return [.focus(connector: window)] }
            return [.launch(app)]
        }
        if app != apps.startup, app != apps.launcher { remembered = app }
        if let startupWindow { return [.focus(connector: startupWindow)] }
        guard !isLaunchingStartup else { return [] }
        isLaunchingStartup = true
        phase = .loggingIn
        return [.launch(apps.startup)]
    }

    private mutating func follows(_ url: DeepLink) -> [Action] {
        if case .app(let domain) = url { return opens(domain) }
        return isSignedIn ? [.process(url: url.text)] : [.processBeforeLogin(url: url.text)]
    }

    private mutating func launched(_ app: String, _ entry: CoreFunctions.Entry) -> [Action] {
        if app == apps.startup { isLaunchingStartup = false }
        guard entry.connector != CoreFunctions.Entry.proceedToLauncher else { return [.waitForUser] }
        open[entry.connector] = app
        let page = app == apps.startup && !fragment.isEmpty ? "\(entry.entrypoint)#\(fragment)" : entry.entrypoint
        fragment = ""
        let show = Action.show(connector: entry.connector, app: app, entrypoint: page)
        return app == apps.startup && !isSignedIn ? [show, .waitForUser] : [show]
    }

    private mutating func signedIn(_ user: String) -> [Action] {
        guard !isSignedIn else { return [] }
        phase = .signedIn(user: user)
        defer { remembered = nil }
        return opens(apps.launcher) + (remembered.map { [.openLater($0)] } ?? [])
    }

    private mutating func closed(_ connector: String) -> [Action] {
        guard let app = open.removeValue(forKey: connector) else { return [] }
        if app == apps.startup, phase == .loggingIn { phase = .idle }
        return [.tellClosed(connector: connector)]
    }
}

/// The windows of a host, as a session drives them. They are known by the connectors of their components.
package struct CoreWindows: Sendable {
    /// Opens a window on a component's page: a path in its app, for the startup app possibly with a fragment.
    package var show: @Sendable (_ connector: String, _ app: String, _ entrypoint: String) async -> Void
    package var focus: @Sendable (_ connector: String) async -> Void
    package var close: @Sendable (_ connector: String) async -> Void

    package init(
        show: @escaping @Sendable (_ connector: String, _ app: String, _ entrypoint: String) async -> Void,
        focus: @escaping @Sendable (_ connector: String) async -> Void,
        close: @escaping @Sendable (_ connector: String) async -> Void
    ) {
        (self.show, self.focus, self.close) = (show, focus, close)
    }
}
