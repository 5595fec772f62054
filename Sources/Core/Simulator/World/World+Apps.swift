import AppCore

// The apps subsystem: a library of apps, and what runs of them.

extension World {
    mutating func noticeInApps(_ effect: Effect) {
        switch effect.kind {
        case .openApps: apps.opening = effect.id
        case .closeApps: apps.opening = nil
        default: break
        }
    }

    /// False if the effect is not for this subsystem.
    mutating func carryOutInApps(_ effect: Effect) -> Bool {
        let id = effect.id
        switch effect.kind {
        case .openApps: listApps(id)
        case .inspectApp(let source): inspect(id, source)
        case .installApp(let source, let digest, let grants): install(effect, source, digest, grants)
        case .removeApp(let app, _): changeApp(id, app) { $0.removeApp(app) }
        case .setGrant(let app, let capability, let on):
            changeApp(id, app) { $0.setGrant(app, capability, on) }
        case .setBackground(let app, let strategy):
            changeApp(id, app) { $0.changeApp(app) { $0.background = strategy } }
        case .startApp(let app, let component, _, _): start(id, app, component ?? "/main.mjs")
        case .stopApp(let app, let instance):
            for component in apps.components where component.app == app && instance ?? component.id == component.id {
                stop(component)
            }
            done(id)
        case .startCore(let bundle): startCore(id, bundle)
        default: return false
        }
        return true
    }

    // MARK: - The library

    /// Why the library cannot be used, if it cannot.
    private var libraryFailure: Failure? {
        switch settings.apps.library {
        case .writable: nil
        case .busy: Failure(.appsBusy, retryable: true)
        case .missing: Failure(.appsUnavailable, retryable: true)
        }
    }

    private mutating func listApps(_ effect: EffectID) {
        if settings.apps.library == .missing { return fail(effect, Failure(.appsUnavailable, retryable: true)) }
        tell(
            .appsListed(
                effect: effect, apps: apps.installed, components: apps.components, core: apps.core,
                strategies: apps.strategies), about: effect)
    }

    private mutating func inspect(_ effect: EffectID, _ source: String) {
        guard let pack = apps.packs[source] else {
            let isBroken = source.contains("broken")
            return fail(effect, Failure(isBroken ? .manifestInvalid : .packUnreadable))
        }
        tell(.appInspected(effect: effect, pack: pack.compared(with: apps[pack.app])), about: effect)
    }

    private mutating func install(_ effect: Effect, _ source: String, _ digest: String, _ grants: [CapabilityName]) {
        if let libraryFailure { return fail(effect.id, libraryFailure) }
        guard let pack = apps.packs[source], pack.digest == digest else {
            return fail(effect.id, Failure(.packChanged))
        }
        if settings.apps.installMs > 0, apps.begun.insert(effect.id).inserted {
            tell(.installProgress(effect: effect.id, done: pack.bytes / 2, total: pack.bytes), about: effect.id)
            return wait(effect, milliseconds: settings.apps.installMs)
        }
        put(ListedApp(pack, granting: grants, over: apps[pack.app]))
        done(effect.id)
    }

    private mutating func changeApp(_ effect: EffectID, _ app: AppID, _ change: (inout World) -> Void) {
        if let libraryFailure { return fail(effect, libraryFailure) }
        guard apps[app] != nil else { return fail(effect, Failure(.appUnknown)) }
        change(&self)
        done(effect)
    }

    /// Somebody installs an app, here or at another terminal.
    mutating func put(_ app: ListedApp) {
        apps.put(app)
        tellApps([app])
    }

    mutating func changeApp(_ id: AppID, _ change: (inout ListedApp) -> Void) {
        apps.update(id, change)
        if let app = apps[id] { tellApps([app]) }
    }

    mutating func setGrant(_ app: AppID, _ capability: CapabilityName, _ on: Bool) {
        changeApp(app) { app in
            for index in app.requests.indices where app.requests[index].capability == capability {
                app.requests[index].granted = on
            }
        }
    }

    mutating func removeApp(_ app: AppID) {
        for component in apps.components where component.app == app { stop(component) }
        apps.remove(app)
        if let effect = apps.opening { tell(.appsChanged(effect: effect, apps: [], removed: [app]), about: effect) }
    }

    private mutating func tellApps(_ changed: [ListedApp]) {
        if let effect = apps.opening { tell(.appsChanged(effect: effect, apps: changed, removed: []), about: effect) }
    }

    mutating func setLibrary(_ state: AppsSettings.Library) { settings.apps.library = state }

    // MARK: - Running

    private mutating func start(_ effect: EffectID, _ app: AppID, _ entrypoint: String) {
        guard apps[app] != nil else { return fail(effect, Failure(.appUnknown)) }
        guard settings.apps.hasSandbox else { return fail(effect, Failure(.sandboxUnavailable)) }
        let instance = apps.components.first { $0.app == app && $0.isRunning && $0.entrypoint == entrypoint }?.id
        let component = ListedComponent(
            id: instance ?? apps.newInstance(), app: app, entrypoint: entrypoint, state: .running)
        tell(.componentStarted(effect: effect, instance: component.id, entrypoint: component.entrypoint), about: effect)
        guard instance == nil else { return }
        apps.put(component)
        show(component)
        guard settings.apps.behaves == .crashes else { return }
        crash(component, forGood: false, after: 500)
        crash(component, forGood: true, after: 3000)
    }

    /// A component crashes, and is started again a second later or not at all.
    mutating func crash(_ component: ListedComponent, forGood: Bool, after milliseconds: Int64 = 0) {
        var component = component
        component.reason = "Error: out of memory at /main.mjs:7"
        component.state = forGood ? .crashed : .restarting
        component.at = forGood ? nil : now.advanced(byMilliseconds: milliseconds + 1000)
        show(component, after: milliseconds)
        guard !forGood else { return }
        (component.state, component.at, component.reason) = (.running, nil, nil)
        show(component, after: milliseconds + 1000)
    }

    private mutating func stop(_ component: ListedComponent) {
        agenda.remove { deed in
            if case .tell(.componentChanged(_, component.id, _, _, _, _), _) = deed { true } else { false }
        }
        var component = component
        component.state = .stopped
        apps.put(component)
        show(component)
    }

    private mutating func show(_ component: ListedComponent, after milliseconds: Int64 = 0) {
        tell(
            .componentChanged(
                app: component.app, instance: component.id, entrypoint: component.entrypoint, state: component.state,
                at: component.at, reason: component.reason), after: milliseconds)
    }

    private mutating func startCore(_ effect: EffectID, _ bundle: String?) {
        if bundle?.contains("broken") == true { return fail(effect, Failure(.coreInvalid)) }
        setCore(AppsCore(bundle: bundle, state: .starting))
        done(effect)
        setCore(AppsCore(bundle: bundle, state: bundle == nil ? .signedIn : .signedOut))
    }

    mutating func setCore(_ core: AppsCore) {
        apps.core = core
        tell(.coreChanged(core: core))
    }

    // MARK: - What the core has heard

    mutating func observeInApps(_ event: Event, isOwn: Bool) {
        switch event {
        case .effectFailed(let effect, _) where books[effect] == .openApps: apps.opening = nil
        case .componentChanged(let app, let instance, let entrypoint, let state, let at, let reason):
            apps.put(
                ListedComponent(
                    id: instance, app: app, entrypoint: entrypoint, state: state, at: at, reason: reason))
        case _ where isOwn: break
        case .appsListed(_, let listed, let components, let core, let strategies):
            apps.learn(listed, components)
            (apps.core, apps.strategies) = (core, strategies)
        case .appsChanged(_, let changed, let removed):
            for app in changed { apps.put(app) }
            for app in removed { apps.remove(app) }
        case .appInspected(let effect, let pack):
            if case .inspectApp(let source) = books[effect] { apps.packs[source] = pack }
        case .componentStarted(let effect, let instance, let entrypoint):
            guard case .startApp(let app, _, _, _) = books[effect] else { return }
            apps.put(ListedComponent(id: instance, app: app, entrypoint: entrypoint, state: .starting))
        case .coreChanged(let core): apps.core = core
        case .effectDone(let effect): observeDone(effect)
        default: break
        }
    }

    /// Somebody else has done what the core asked for.
    private mutating func observeDone(_ effect: EffectID) {
        switch books[effect] {
        case .openApps: apps.opening = nil
        case .installApp(let source, _, let grants):
            if let pack = apps.packs[source] { put(ListedApp(pack, granting: grants, over: apps[pack.app])) }
        case .removeApp(let app, _): removeApp(app)
        case .setGrant(let app, let capability, let on): setGrant(app, capability, on)
        case .setBackground(let app, let strategy): changeApp(app) { $0.background = strategy }
        default: break
        }
    }
}
