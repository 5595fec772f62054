// What apps do: they run, log, are denied something, ask for something.

extension AppState {
    mutating func run(
        _ app: AppID, _ component: String?, _ command: String?, _ parameters: [String], _ context: inout DispatchContext
    ) {
        guard let known = apps[app], known.problem == nil, !isRemoving(app) else { return }
        guard parameters.reduce(0, { $0 + $1.utf8.count }) <= AppsLimits.parametersBytes else {
            return notify(.problem, Wording.parametersTooLong, app: app, context)
        }
        let start = Effect.Kind.startApp(
            app: app, component: component?.appName, command: command?.appName, parameters: parameters)
        guard !pendingEffects.byID.values.contains(start) else { return }
        if command != nil { views.update(context.view ?? .main) { $0.apps.parametersForm = "" } }
        issue(start, &context)
    }

    /// Two views that ask for the same window at once both show it.
    mutating func openWindow(_ app: AppID, _ component: String, _ context: inout DispatchContext) {
        guard let known = apps[app], known.problem == nil, !isRemoving(app), known.window(component) != nil else {
            return
        }
        let start = Effect.Kind.startApp(app: app, component: component, command: nil, parameters: [])
        let effect = pendingEffects.inOrder.first { $0.kind == start }?.id ?? issue(start, &context)
        views.update(context.view ?? .main) { $0.apps.opening = effect }
    }

    /// Whether a window of the app is being opened.
    func isOpening(_ app: AppID, _ window: AppWindow) -> Bool {
        pendingEffects.contains {
            if case .startApp(app, window.component, nil, _) = $0 { true } else { false }
        }
    }

    /// Whether the app, or this command of it, is being started.
    func isStarting(_ app: AppID, _ command: String?) -> Bool {
        pendingEffects.contains { if case .startApp(app, _, command, _) = $0 { true } else { false } }
    }

    mutating func componentStarted(
        _ effect: EffectID, _ instance: InstanceID, _ entrypoint: String, _ context: inout DispatchContext
    ) {
        guard case .startApp(let app, _, _, _) = pendingEffects[effect] else { return }
        settle(effect, &context)
        views.updateAll { view in
            guard view.apps.opening == effect else { return }
            view.apps.opening = nil
            view.apps.asked = AskedWindow(instance: instance, effect: effect)
        }
        // Its state may have been told before.
        guard apps.isOpen, !apps.components.contains(where: { $0.id == instance }) else { return }
        apps.put(ListedComponent(id: instance, app: app, entrypoint: entrypoint, state: .starting))
    }

    /// - Parameter instance: one of them; without it everything of the app.
    mutating func stop(_ app: AppID, _ instance: InstanceID?, _ context: inout DispatchContext) {
        let running = apps.components(of: app).filter { $0.isRunning && (instance == nil || $0.id == instance) }
        guard !running.isEmpty, !isStopping(app, instance) else { return }
        issue(.stopApp(app: app, instance: instance), &context)
    }

    func isStopping(_ app: AppID, _ instance: InstanceID?) -> Bool {
        pendingEffects.byID.values.contains(.stopApp(app: app, instance: instance))
    }

    mutating func componentChanged(_ component: ListedComponent) { if apps.isOpen { apps.put(component) } }

    mutating func appLogged(_ app: AppID, _ line: AppLogLine) { apps.log(app) { $0.add(line.fitted) } }

    /// Told once for each capability, however often it happens.
    mutating func accessDenied(_ app: AppID, _ capability: CapabilityName, _ text: String, _ context: DispatchContext) {
        guard let known = apps[app] else { return }
        var isFirst = false
        apps.log(app) { isFirst = $0.deny(capability, text, at: context.now) }
        guard isFirst else { return }
        let words = known.requests.first { $0.capability == capability }?.title ?? .said(capability.text)
        // One app does not drive out what others have to say.
        notices.removeAll { $0.app == app && $0.kind == .problem }
        notifyOnce(.problem, Wording.denied(words), app: app, context)
    }

    /// The newest notification of each app.
    mutating func appNotified(_ app: AppID, _ text: String, _ context: DispatchContext) {
        guard apps[app] != nil else { return }
        notices.removeAll { $0.app == app && $0.kind == .information }
        notify(.information, text.appName.isEmpty ? Wording.emptyNotification : .said(text.appName), app: app, context)
    }

    mutating func appAsksUrl(_ app: AppID, _ url: String) {
        let link = AppLink(app: app, url: url.appSource)
        // What is not whole is not the link that was meant.
        guard apps[app] != nil, link.url == url, link.isOpenable, !apps.links.contains(link),
            apps.links.count < AppsLimits.links
        else { return }
        apps.links.append(link)
    }

    /// - Returns: whether the link was asked for.
    mutating func answerLink(_ app: AppID, _ url: String) -> Bool {
        guard let index = apps.links.firstIndex(of: AppLink(app: app, url: url)) else { return false }
        apps.links.remove(at: index)
        return true
    }
}

extension AppLink {
    /// Pages, and addresses for mail. Other schemes could start other programs.
    fileprivate var isOpenable: Bool { ["http://", "https://", "mailto:"].contains(where: url.lowercased().hasPrefix) }
}
