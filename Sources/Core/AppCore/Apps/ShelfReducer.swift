// The list of apps: opened, told by the wing, closed.

extension AppState {
    mutating func reduce(_ action: AppsAction, _ turn: inout DispatchContext) {
        switch action {
        case .openApps: show(Screen(.apps), &turn)
        case .closeApps: closeApps(&turn)
        case .retryApps: retryApps(&turn)
        case .showApp(let app): show(Screen(.app, app: app), &turn)
        case .showAppLog(let app): show(Screen(.appLog, app: app), &turn)
        case .clearAppLog(let app): apps.clear(app)
        case .editSource(let text): apps.sourceForm = text.appSource
        case .installApp(let source): inspect(source, &turn)
        case .switchRequest(let capability, let on): switchRequest(capability, on)
        case .answerInstall(let grants): answerInstall(grants, &turn)
        case .declineInstall: declineInstall(&turn)
        case .removeApp(let app, let data): removeApp(app, data: data, &turn)
        case .grantCapability(let app, let capability): setGrant(app, capability, true, &turn)
        case .revokeCapability(let app, let capability): setGrant(app, capability, false, &turn)
        case .setBackground(let app, let strategy): setBackground(app, strategy, &turn)
        case .editParameters(let text):
            apps.parametersForm = text.withoutControls.limited(to: AppsLimits.parametersBytes)
        case .runApp(let app, let component, let command, let parameters):
            run(app, component, command, parameters, &turn)
        case .stopApp(let app): stop(app, nil, &turn)
        case .stopComponent(let app, let instance): stop(app, instance, &turn)
        case .openUrl(let app, let url): if answerLink(app, url) { issue(.openUrl(url: url), &turn) }
        case .declineUrl(let app, let url): _ = answerLink(app, url)
        case .editBundle(let text): apps.bundleForm = text.appSource
        case .chooseCore(let bundle): chooseCore(bundle, &turn)
        }
    }

    // MARK: - Opening

    /// Has the wing tell what is installed and what runs, until the apps are closed.
    mutating func openApps(_ turn: inout DispatchContext) {
        guard apps.openEffect == nil else { return }
        apps.reopenAt = nil
        apps.failure = nil
        apps.openEffect = issue(.openApps, &turn)
    }

    private mutating func closeApps(_ turn: inout DispatchContext) {
        screens.removeAll { $0.page.isOfApps }
        if screens.isEmpty { screens = [Screen(.rooms)] }
        let installation = apps.installation
        if let effect = apps.openEffect {
            settle(effect, &turn)
            issue(.closeApps, &turn)
        }
        apps = AppsState()
        // What is on its way in stays on its way.
        apps.installation = installation
    }

    private mutating func retryApps(_ turn: inout DispatchContext) {
        openApps(&turn)
        retryParked(&turn)
    }

    mutating func appsEnded(_ effect: EffectID, _ failure: Failure?, _ turn: inout DispatchContext) {
        settle(effect, &turn)
        guard apps.openEffect == effect else { return }
        apps.openEffect = nil
        apps.isListed = false
        // Nobody tells any more what runs.
        apps.setComponents([])
        apps.failure = failure
        guard let failure, failure.retryable else { return }
        let time = turn.now.advanced(byMilliseconds: max(failure.retryAfter ?? Self.retryInterval, 1000))
        apps.reopenAt = time
        wake(at: time, &turn)
    }

    // MARK: - What the wing tells

    mutating func appsListed(
        _ effect: EffectID, _ listed: [ListedApp], _ components: [ListedComponent], _ core: AppsCore,
        _ strategies: [BackgroundStrategy]
    ) {
        guard apps.openEffect == effect else { return }
        apps.isListed = true
        let known = Set(listed.map(\.id))
        for app in apps.list where !known.contains(app.id) { forget(app.id) }
        apps.put(listed)
        apps.setComponents(components)
        apps.core = core.fitted
        apps.strategies = BackgroundStrategy.allCases.filter(strategies.contains)
    }

    mutating func appsChanged(_ effect: EffectID, _ changed: [ListedApp], removed: [AppID]) {
        guard apps.openEffect == effect else { return }
        apps.put(changed)
        for app in removed { forget(app) }
    }

    /// The app is gone, and so is all that the screen shows of it.
    mutating func forget(_ app: AppID) {
        apps.remove(app)
        notices.removeAll { $0.app == app }
        screens.removeAll { $0.app == app }
        if screens.isEmpty { screens = [Screen(.rooms)] }
    }

    mutating func coreChanged(_ core: AppsCore) { if apps.isOpen { apps.core = core.fitted } }

    // MARK: - What serves apps

    private mutating func chooseCore(_ bundle: String?, _ turn: inout DispatchContext) {
        let bundle = bundle?.appSource
        guard bundle != "", !isChoosingCore, bundle != nil || apps.core.bundle != nil else { return }
        apps.bundleForm = ""
        issue(.startCore(bundle: bundle), &turn)
    }

    var isChoosingCore: Bool { pendingEffects.byID.values.contains { if case .startCore = $0 { true } else { false } } }
}
