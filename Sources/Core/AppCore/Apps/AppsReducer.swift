// The list of apps: opened, told by the host, closed.

extension AppState {
    mutating func reduce(_ action: AppsAction, _ context: inout DispatchContext) {
        let view = context.view ?? .main
        switch action {
        case .openApps: show(Screen(.apps), in: view, &context)
        case .closeApps: closeApps(&context)
        case .retryApps: retryApps(&context)
        case .showApp(let app): show(Screen(.app, app: app), in: view, &context)
        case .showAppLog(let app): show(Screen(.appLog, app: app), in: view, &context)
        case .clearAppLog(let app): apps.clear(app)
        case .editSource(let text): views.update(view) { $0.apps.sourceForm = text.appSource }
        case .installApp(let source): inspect(source, &context)
        case .installFile(let name, let handle): inspect(handle, named: name.appName, &context)
        case .switchRequest(let capability, let on): switchRequest(capability, on)
        case .answerInstall(let grants): answerInstall(grants, &context)
        case .declineInstall: declineInstall(&context)
        case .removeApp(let app, let data): removeApp(app, data: data, &context)
        case .grantCapability(let app, let capability): setGrant(app, capability, true, &context)
        case .revokeCapability(let app, let capability): setGrant(app, capability, false, &context)
        case .setBackground(let app, let strategy): setBackground(app, strategy, &context)
        case .editParameters(let text):
            let words = text.withoutControls.limited(to: AppsLimits.parametersBytes)
            views.update(view) { $0.apps.parametersForm = words }
        case .runApp(let app, let component, let command, let parameters):
            run(app, component, command, parameters, &context)
        case .openWindow(let app, let component): openWindow(app, component, &context)
        case .stopApp(let app): stop(app, nil, &context)
        case .stopComponent(let app, let instance): stop(app, instance, &context)
        case .openUrl(let app, let url): if answerLink(app, url) { issue(.openUrl(url: url), &context) }
        case .declineUrl(let app, let url): _ = answerLink(app, url)
        case .editBundle(let text): views.update(view) { $0.apps.bundleForm = text.appSource }
        case .chooseCore(let bundle): chooseCore(bundle, &context)
        }
    }

    // MARK: - Opening

    /// Has the host tell what is installed and what runs, until the apps are closed.
    mutating func openApps(_ context: inout DispatchContext) {
        guard apps.openEffect == nil else { return }
        apps.reopenAt = nil
        apps.failure = nil
        apps.openEffect = issue(.openApps, &context)
    }

    /// This view follows what is installed and runs no longer.
    private mutating func closeApps(_ context: inout DispatchContext) {
        views.update(context.view ?? .main) {
            $0.hide { $0.page.isOfApps }
            $0.apps = AppsView()
        }
        unfollowApps(&context)
    }

    /// Nobody follows what runs once no view does.
    mutating func unfollowApps(_ context: inout DispatchContext) {
        guard !views.contains(where: \.apps.isFollowing) else { return }
        let installation = apps.installation
        if let effect = apps.openEffect {
            settle(effect, &context)
            issue(.closeApps, &context)
        }
        apps = AppsState()
        // What is on its way in stays on its way.
        apps.installation = installation
    }

    private mutating func retryApps(_ context: inout DispatchContext) {
        openApps(&context)
        retryParked(&context)
    }

    mutating func appsEnded(_ effect: EffectID, _ failure: Failure?, _ context: inout DispatchContext) {
        settle(effect, &context)
        guard apps.openEffect == effect else { return }
        apps.openEffect = nil
        apps.isListed = false
        // From now on there are no reports of what runs.
        apps.setComponents([])
        apps.failure = failure
        guard let failure, failure.retryable else { return }
        let time = context.now.advanced(byMilliseconds: max(failure.retryAfter ?? Self.retryInterval, 1000))
        apps.reopenAt = time
        wake(at: time, &context)
    }

    // MARK: - What the host tells

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
        views.updateAll { $0.hide { $0.app == app } }
    }

    mutating func coreChanged(_ core: AppsCore) { if apps.isOpen { apps.core = core.fitted } }

    // MARK: - What serves apps

    private mutating func chooseCore(_ bundle: String?, _ context: inout DispatchContext) {
        let bundle = bundle?.appSource
        guard bundle != "", !isChoosingCore, bundle != nil || apps.core.bundle != nil else { return }
        views.update(context.view ?? .main) { $0.apps.bundleForm = "" }
        issue(.startCore(bundle: bundle), &context)
    }

    var isChoosingCore: Bool { pendingEffects.contains { if case .startCore = $0 { true } else { false } } }
}
