extension Presentation {
    /// The buttons that open windows of an app.
    /// - Parameter id: of what stands around them.
    func openNodes(_ app: ListedApp, _ id: String) -> [SemanticNode] {
        let canRun = app.problem == nil && !state.isRemoving(app.id)
        let windows = app.windows ?? []
        return windows.enumerated().map { number, window in
            let isOpening = state.isOpening(app.id, window)
            let title = windows.count == 1 || window.name.isEmpty ? app.title : window.name
            return SemanticNode.button(
                number == 0 ? "\(id).open" : "\(id).open.\(number)", .key("app.open", ["title": .said(title)]),
                .apps(.openWindow(app: app.id, component: window.component)), isEnabled: canRun && !isOpening,
                isBusy: isOpening)
        }
    }

    /// The windows that run: of one app, or of all.
    func windowNodes(of app: AppID?) -> [SemanticNode] {
        let windows = apps.components.filter { component in
            component.isRunning && (app == nil || component.app == app)
                && apps[component.app]?.window(component.entrypoint) != nil
        }
        guard !windows.isEmpty else { return [] }
        return [SemanticNode(.list, "windows", windows.map(windowNode))]
    }

    private func windowNode(_ component: ListedComponent) -> SemanticNode {
        let id = "window.\(component.id)"
        let name = apps[component.app]?.window(component.entrypoint)?.name ?? ""
        let title: Words = .said(name.isEmpty ? apps.title(of: component.app) : name)
        let isStopping = state.isStopping(component.app, component.id)
        let close = SemanticNode.button(
            "\(id).close", .key("window.close", ["title": .words(title)]),
            .apps(.stopComponent(app: component.app, instance: component.id)), isEnabled: !isStopping,
            isBusy: isStopping)
        let node = SemanticNode(
            .item, id, title, detail: component.stateText, isBusy: component.state != .running, [close])
        guard component.state == .running else { return node }
        var facts = Facts()
        facts.window = Facts.Window(
            instance: component.id,
            asked: view.apps.asked.flatMap { $0.instance == component.id ? $0.effect : nil })
        return node.with(facts)
    }
}
