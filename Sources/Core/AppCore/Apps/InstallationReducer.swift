// The way of an app into the list: looked at, asked about, installed; and its way out.

extension AppState {
    /// - Parameter name: what to call it, where its path says nothing to a person.
    mutating func inspect(_ source: String, named name: String? = nil, _ context: inout DispatchContext) {
        let source = source.appSource
        guard !source.isEmpty else { return }
        guard apps.installation == nil else { return notify(.problem, Wording.installationUnderWay, context) }
        views.update(context.view ?? .main) { $0.apps.sourceForm = "" }
        let effect = issue(.inspectApp(source: source), &context)
        apps.installation = Installation(source: source, name: name, step: .inspecting, effect: effect)
    }

    mutating func appInspected(_ effect: EffectID, _ pack: AppPack, _ context: inout DispatchContext) {
        guard case .inspectApp = pendingEffects[effect] else { return }
        settle(effect, &context)
        guard apps.installation?.effect == effect else { return }
        apps.installation?.effect = nil
        apps.installation?.step = .asking
        apps.installation?.pack = pack.fitted
        let view = actingView(context)
        if view.screen.page.isOfApps {
            show(Screen(.installApp), in: view.id, &context)
        } else {
            notify(.information, Wording.installationAsks, context)
        }
    }

    mutating func switchRequest(_ capability: CapabilityName, _ on: Bool) {
        guard let installation = apps.installation, installation.step == .asking,
            installation.open.contains(where: { $0.capability == capability }),
            let index = installation.pack?.requests.firstIndex(where: { $0.capability == capability })
        else { return }
        apps.installation?.pack?.requests[index].granted = on
    }

    /// The answer counts once.
    mutating func answerInstall(_ grants: [CapabilityName], _ context: inout DispatchContext) {
        guard let installation = apps.installation, installation.step == .asking, let pack = installation.pack else {
            return
        }
        let asked = pack.open.map(\.capability)
        let effect = issue(
            .installApp(source: installation.source, digest: pack.digest, grants: asked.filter(grants.contains)),
            &context)
        apps.installation?.step = .installing
        apps.installation?.effect = effect
        for index in pack.requests.indices where asked.contains(pack.requests[index].capability) {
            apps.installation?.pack?.requests[index].granted = grants.contains(pack.requests[index].capability)
        }
    }

    /// What is being installed at this moment cannot be called off; what failed for now can be given up.
    mutating func declineInstall(_ context: inout DispatchContext) {
        guard let installation = apps.installation, installation.step != .installing || installation.failure != nil
        else { return }
        if let effect = installation.effect { settle(effect, &context) }
        endInstallation()
    }

    private mutating func endInstallation() {
        apps.installation = nil
        views.updateAll { $0.hide { $0.page == .installApp } }
        notices.removeAll { $0.text == Wording.installationAsks }
    }

    mutating func installProgress(_ effect: EffectID, done: Int64, total: Int64) {
        guard apps.installation?.effect == effect, apps.installation?.step == .installing, total > 0 else { return }
        apps.installation?.progress = .init(done: min(max(done, 0), total), total: total)
        apps.installation?.failure = nil
    }

    mutating func installed(_ effect: EffectID, _ context: inout DispatchContext) {
        settle(effect, &context)
        guard let installation = apps.installation, installation.effect == effect else { return }
        let app = installation.pack?.app
        let watching = views.filter { $0.screen.page == .installApp }.map(\.id)
        endInstallation()
        guard let app, apps[app] != nil else { return }
        for view in watching { show(Screen(.app, app: app), in: view, &context) }
    }

    mutating func installationFailed(_ effect: EffectID, _ failure: Failure, _ context: inout DispatchContext) {
        let isKept = failure.retryable && pendingEffects[effect]?.hasRecord == true
        if isKept { park(effect, after: failure, &context) } else { settle(effect, &context) }
        guard apps.installation?.effect == effect else { return }
        if isKept {
            apps.installation?.failure = failure
            apps.installation?.progress = nil
        } else {
            endInstallation()
            notify(.problem, Words(failure), context)
        }
    }

    /// An installation that the last process began goes on.
    mutating func resumeInstallation() {
        for effect in pendingEffects.inOrder {
            guard case .installApp(let source, _, _) = effect.kind else { continue }
            apps.installation = Installation(source: source, step: .installing, effect: effect.id)
        }
    }

    // MARK: - Out again

    mutating func removeApp(_ app: AppID, data: Bool, _ context: inout DispatchContext) {
        guard apps[app] != nil, !isRemoving(app) else { return }
        issue(.removeApp(app: app, data: data), &context)
        views.updateAll { $0.hide { $0.app == app && $0.page == .removeApp } }
    }

    func isRemoving(_ app: AppID) -> Bool {
        pendingEffects.contains { if case .removeApp(app, _) = $0 { true } else { false } }
    }

    mutating func removed(_ effect: EffectID, _ app: AppID, _ context: inout DispatchContext) {
        settle(effect, &context)
        forget(app)
    }
}
