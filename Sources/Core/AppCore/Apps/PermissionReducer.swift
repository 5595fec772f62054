// What an installed app may do.

extension AppState {
    mutating func setGrant(_ app: AppID, _ capability: CapabilityName, _ on: Bool, _ context: inout DispatchContext) {
        guard let request = apps[app]?.requests.first(where: { $0.capability == capability }), request.granted != on,
            pendingGrant(app, capability) == nil, !isRemoving(app)
        else { return }
        issue(.setGrant(app: app, capability: capability, on: on), &context)
    }

    /// What a grant is about to become.
    func pendingGrant(_ app: AppID, _ capability: CapabilityName) -> Bool? {
        for kind in pendingEffects.byID.values {
            if case .setGrant(app, capability, let on) = kind { return on }
        }
        return nil
    }

    /// Whether the app has it, as far as a person may rely on it: what is being taken back counts as taken back.
    package func isGranted(_ capability: CapabilityName, to app: AppID) -> Bool {
        apps[app]?.requests.first { $0.capability == capability }?.granted == true
            && pendingGrant(app, capability) == nil
    }

    mutating func grantWasSet(
        _ effect: EffectID, _ app: AppID, _ capability: CapabilityName, _ on: Bool, _ context: inout DispatchContext
    ) {
        settle(effect, &context)
        apps.update(app) { app in
            for index in app.requests.indices where app.requests[index].capability == capability {
                app.requests[index].granted = on
            }
        }
    }

    mutating func setBackground(_ app: AppID, _ strategy: BackgroundStrategy, _ context: inout DispatchContext) {
        guard let known = apps[app], known.background != strategy, apps.strategies.contains(strategy),
            pendingBackground(app) == nil, !isRemoving(app)
        else { return }
        issue(.setBackground(app: app, strategy: strategy), &context)
    }

    func pendingBackground(_ app: AppID) -> BackgroundStrategy? {
        for kind in pendingEffects.byID.values {
            if case .setBackground(app, let strategy) = kind { return strategy }
        }
        return nil
    }

    mutating func backgroundWasSet(
        _ effect: EffectID, _ app: AppID, _ strategy: BackgroundStrategy, _ context: inout DispatchContext
    ) {
        settle(effect, &context)
        apps.update(app) { $0.background = strategy }
    }

    mutating func appChangeFailed(_ effect: EffectID, _ failure: Failure, _ context: inout DispatchContext) {
        if failure.retryable {
            park(effect, after: failure, &context)
        } else if case .removeApp(let app, _) = settle(effect, &context), failure.code == .appUnknown {
            // Somebody else was quicker.
            return forget(app)
        }
        notify(.problem, Words(failure), context)
    }
}
