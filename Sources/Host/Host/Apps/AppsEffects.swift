import AppCore

/// Carries the core's wishes about apps to the subsystem, and its answers back.
extension AppHost {
    func executeApps(_ effect: Effect) {
        let id = effect.id
        switch effect.kind {
        case .openApps:
            stopFollowingApps()
            heldApps = id
            forApps(id) { try await $0.follow(for: id) }
        case .closeApps:
            stopFollowingApps()
            apps.tell(.effectDone(effect: id))
        case .inspectApp(let source):
            answerApps(id) { .appInspected(effect: id, pack: try await $0.inspect(source)) }
        case .installApp(let source, let digest, let grants):
            inTurn(id) { try await $0.install(source, digest, granting: grants, for: id) }
        case .removeApp(let app, let data): inTurn(id) { try await $0.remove(app, withData: data) }
        case .setGrant(let app, let capability, let on): inTurn(id) { try await $0.setGrant(app, capability, to: on) }
        case .setBackground(let app, let strategy): inTurn(id) { try await $0.setBackground(app, strategy) }
        case .startApp(let app, let component, let command, let parameters):
            answerApps(id) { apps in
                try await apps.start(app, component: component, command: command, parameters: parameters, for: id)
                return nil
            }
        case .stopApp(let app, let instance): forApps(id) { try await $0.stop(app, instance) }
        case .openUrl(let url): forApps(id) { try await $0.open(url) }
        case .startCore(let bundle): inTurn(id) { try await $0.chooseCore(bundle) }
        default: break
        }
    }

    /// The address of a window of an app that runs, which lets one browser in, once. It is a secret, so it is not in the core's state.
    /// - Parameter instance: what the core calls it.
    /// - Throws: ``Failure``, and what the apps say.
    package func windowAddress(_ instance: String) async throws -> String {
        guard read({ !$0.lock.isLocked && $0.apps.hasWindow(instance) }) else { throw Failure(.componentUnknown) }
        return try await apps.entrance(to: instance)
    }

    func stopFollowingApps() {
        if let lasting = heldApps { tasks[lasting]?.cancel() }
        heldApps = nil
    }

    /// Waits for the change that is under way, and ends what runs and what is being started.
    func endApps(_ end: (HostedApps) async -> Void) async {
        stopFollowingApps()
        await lastAppChange?.value
        await end(apps)
        for id in appTasks { await tasks[id]?.value }
        await apps.close()
    }

    /// What the subsystem tells; nothing any more while the host stops, so that what is broken off is asked for again.
    func hear(_ event: Event) {
        if !isStopping { dispatch(.event(event)) }
    }

    /// Does something beside the other effects. The answer goes the way of the subsystem's reports, so that it comes after them; without
    /// one, the subsystem has answered.
    private func answerApps(_ id: EffectID, _ body: @escaping @Sendable (HostedApps) async throws -> Event?) {
        appTasks.insert(id)
        tasks[id] = Task { [apps] in
            do {
                if let answer = try await body(apps) { apps.tell(answer) }
            } catch {
                apps.tell(.effectFailed(effect: id, failure: Failure(error)))
            }
            tasks[id] = nil
            appTasks.remove(id)
        }
    }

    private func forApps(_ id: EffectID, _ body: @escaping @Sendable (HostedApps) async throws -> Void) {
        answerApps(id) { apps in
            try await body(apps)
            return .effectDone(effect: id)
        }
    }

    /// One change after the other, as they were asked for.
    private func inTurn(_ id: EffectID, _ body: @escaping @Sendable (HostedApps) async throws -> Void) {
        let before = lastAppChange
        forApps(id) { apps in
            await before?.value
            try await body(apps)
        }
        lastAppChange = tasks[id]
    }
}
