/// The apps of this person, as far as screens show them. None of it is saved: the host knows what is installed, granted and
/// running.
package struct AppsState: Sendable, Hashable, AddedLater {
    /// The ``Effect/Kind/openApps`` under which the host tells what there is.
    package internal(set) var openEffect: EffectID?
    /// Whether the list has come.
    package internal(set) var isListed = false
    /// Why the list could not be opened.
    package internal(set) var failure: Failure?
    /// When a list that could not be opened is tried again.
    var reopenAt: Timestamp?

    /// By name.
    package private(set) var list: [ListedApp] = []
    /// What runs or has crashed, in the order in which it began.
    package private(set) var components: [ListedComponent] = []
    package internal(set) var logs: [AppLog] = []
    package internal(set) var installation: Installation?
    package internal(set) var core = AppsCore()
    /// How apps can go on in the background on this machine.
    package internal(set) var strategies: [BackgroundStrategy] = [.foreground]
    /// What apps ask to open, oldest first.
    package internal(set) var links: [AppLink] = []

    package init() {}

    package var isOpen: Bool { openEffect != nil }

    package subscript(id: AppID) -> ListedApp? { list.first { $0.id == id } }

    package func components(of app: AppID) -> [ListedComponent] { components.filter { $0.app == app } }

    /// Whether a component with this id is a window that runs.
    package func hasWindow(_ id: String) -> Bool {
        components.contains { $0.id.text == id && $0.isRunning && self[$0.app]?.window($0.entrypoint) != nil }
    }

    package func log(of app: AppID) -> AppLog { logs.first { $0.app == app } ?? AppLog(app: app) }

    /// What an app is called here.
    func title(of app: AppID) -> String { self[app]?.title ?? app.text }

    // MARK: - Changing

    /// Adds apps, or replaces what was known of them. Beyond ``AppsLimits/apps`` none is added.
    mutating func put(_ changed: [ListedApp]) {
        for app in changed {
            if let index = list.firstIndex(where: { $0.id == app.id }) {
                list[index] = app.fitted
            } else if list.count < AppsLimits.apps {
                list.append(app.fitted)
            }
        }
        list.sort { ($0.title.lowercased(), $0.id) < ($1.title.lowercased(), $1.id) }
    }

    mutating func update(_ id: AppID, _ change: (inout ListedApp) -> Void) {
        if let index = list.firstIndex(where: { $0.id == id }) { change(&list[index]) }
    }

    /// Forgets everything about an app.
    mutating func remove(_ id: AppID) {
        list.removeAll { $0.id == id }
        components.removeAll { $0.app == id }
        logs.removeAll { $0.app == id }
        links.removeAll { $0.app == id }
    }

    /// Everything that runs, of apps that are known.
    mutating func setComponents(_ all: [ListedComponent]) {
        components = []
        for component in all { put(component) }
    }

    /// Notes how a component stands. What starts takes the place of what crashed before.
    mutating func put(_ component: ListedComponent) {
        guard self[component.app] != nil else { return }
        if component.state == .stopped { return components.removeAll { $0.id == component.id } }
        if let index = components.firstIndex(where: { $0.id == component.id }) {
            // An instance belongs to one app for ever.
            if components[index].app == component.app { components[index] = component.fitted }
            return
        }
        let fitted = component.fitted
        components.removeAll {
            $0.app == fitted.app && $0.entrypoint == fitted.entrypoint && $0.state == .crashed
        }
        if components.count < AppsLimits.components { components.append(fitted) }
    }

    mutating func clear(_ app: AppID) {
        logs.removeAll { $0.app == app }
        components.removeAll { $0.app == app && $0.state == .crashed }
    }

    mutating func log(_ app: AppID, _ change: (inout AppLog) -> Void) {
        guard self[app] != nil else { return }
        let index = logs.firstIndex { $0.app == app } ?? logs.endIndex
        if index == logs.endIndex { logs.append(AppLog(app: app)) }
        change(&logs[index])
    }
}

/// What serves apps: the core that is built in, or a library that the person chose.
package struct AppsCore: Sendable, Hashable, Codable {
    package enum State: String, Sendable, Hashable, Codable, CaseIterable {
        case stopped, starting
        case signedOut = "signed_out"
        case signedIn = "signed_in"
        case failed
    }

    /// The path of the library's bundle; `nil` for the built-in core.
    package var bundle: String?
    /// The built-in core is `signed_in` whenever it is there: it has no accounts.
    package var state: State
    package var failure: Failure?

    package init(bundle: String? = nil, state: State = .stopped, failure: Failure? = nil) {
        self.bundle = bundle
        self.state = state
        self.failure = failure
    }

    var fitted: AppsCore { AppsCore(bundle: bundle?.appSource, state: state, failure: failure) }
}
