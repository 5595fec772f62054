extension Presentation {
    /// One app: what it does, what it may do, and what runs of it.
    func appScreen(_ id: AppID) -> SemanticNode {
        guard let app = apps[id] else {
            let text = apps.isListed || !apps.isOpen ? Wording.sentence(for: Failure(.appUnknown)) : "Opening the apps"
            return page("app", "App", [SemanticNode(.text, "app.gone", text)])
        }
        var children: [SemanticNode] = []
        if let problem = app.problem {
            children.append(SemanticNode(.banner, "app.problem", Wording.sentence(for: Failure(problem))))
        }
        if state.isRemoving(id) { children.append(SemanticNode(.status, "app.removing", "Being removed", isBusy: true)) }
        if !app.about.isEmpty {
            children.append(SemanticNode(.text, "app.about", "What it says of itself", value: .text(app.about)))
        }
        children.append(
            SemanticNode(
                .text, "app.version", "Version \(app.version)",
                value: .text("\(id), \(Wording.size(bytes: app.bytes))")))
        children += linkNodes(of: id) + runNodes(app) + permissionNodes(app) + [backgroundNode(app)]
        children += [
            .button("app.log", "What it said and was denied", .apps(.showAppLog(app: id))),
            .button(
                "app.remove", "Remove \(app.title)", .app(.navigate(to: Screen(.removeApp, app: id))),
                isEnabled: !state.isRemoving(id)),
        ]
        return page("app", app.title, children)
    }

    // MARK: - Running

    private func runNodes(_ app: ListedApp) -> [SemanticNode] {
        let canRun = app.problem == nil && !state.isRemoving(app.id)
        let components = apps.components(of: app.id)
        let isStarting = state.isStarting(app.id, nil)
        var nodes = [
            SemanticNode.button(
                "app.run", "Start it", .apps(.runApp(app: app.id, component: nil, command: nil, parameters: [])),
                isEnabled: canRun && !isStarting, isBusy: isStarting)
        ]
        if components.contains(where: \.isRunning) {
            nodes.append(
                .button(
                    "app.stop", "Stop everything of it", .apps(.stopApp(app: app.id)),
                    isEnabled: !state.isStopping(app.id, nil), isBusy: state.isStopping(app.id, nil)))
        }
        if !components.isEmpty {
            nodes.append(SemanticNode(.list, "app.components", "What runs", components.map(componentNode)))
        }
        guard !app.commands.isEmpty else { return nodes }
        return nodes + [SemanticNode(.section, "app.commands", "Commands", commandNodes(app, canRun: canRun))]
    }

    private func componentNode(_ component: ListedComponent) -> SemanticNode {
        let id = "component.\(component.id)"
        let isStopping = state.isStopping(component.app, component.id)
        let stop = SemanticNode.button(
            "\(id).stop", "Stop \(component.title)",
            .apps(.stopComponent(app: component.app, instance: component.id)), isEnabled: !isStopping,
            isBusy: isStopping)
        return SemanticNode(
            .item, id, component.title, value: component.reason.map { .text($0) }, detail: component.stateText,
            at: component.state == .restarting ? component.at : nil,
            isBusy: component.state == .starting || component.state == .restarting, component.isRunning ? [stop] : [])
    }

    private func commandNodes(_ app: ListedApp, canRun: Bool) -> [SemanticNode] {
        let words = view.apps.parametersForm.split(whereSeparator: \.isWhitespace).map(String.init)
        let field = SemanticNode.field(
            "app.parameters", "Words for the command", text: view.apps.parametersForm, .apps(.editParameters(text: "")),
            input: "text")
        // Numbered, because what a command is called is content, and no id shows content.
        let buttons = app.commands.enumerated().map { number, command in
            let isStarting = state.isStarting(app.id, command.name)
            return SemanticNode.button(
                "app.command.\(number)", "Run \(command.name)",
                .apps(.runApp(app: app.id, component: nil, command: command.name, parameters: words)),
                isEnabled: canRun && !isStarting, isBusy: isStarting)
        }
        return [field] + buttons
    }

    // MARK: - What it may do

    private func permissionNodes(_ app: ListedApp) -> [SemanticNode] {
        guard !app.requests.isEmpty else {
            return [SemanticNode(.text, "app.harmless", "It asks for nothing.")]
        }
        let toggles = app.requests.map { request in
            let pending = state.pendingGrant(app.id, request.capability)
            let isOn = state.isGranted(request.capability, to: app.id)
            var toggle = SemanticNode.toggle(
                "app.may.\(request.capability)", request.title, isOn: isOn,
                .apps(
                    request.granted
                        ? .revokeCapability(app: app.id, capability: request.capability)
                        : .grantCapability(app: app.id, capability: request.capability)),
                isEnabled: pending == nil && !state.isRemoving(app.id))
            toggle.isBusy = pending != nil
            let change = pending.map { $0 ? "Being granted" : "Being taken back" }
            toggle.detail = request.detail(after: change)
            return toggle
        }
        return [SemanticNode(.section, "app.may", "What it may do", toggles)]
    }

    private func backgroundNode(_ app: ListedApp) -> SemanticNode {
        let pending = state.pendingBackground(app.id)
        let choices = BackgroundStrategy.allCases.map { strategy in
            let isPossible = apps.strategies.contains(strategy)
            let isChosen = (pending ?? app.background) == strategy
            return SemanticNode(
                .choice, "app.background.\(strategy.rawValue)", strategy.title,
                detail: isPossible ? nil : Wording.sentence(for: Failure(.backgroundUnavailable)),
                isEnabled: isPossible && !isChosen && pending == nil && !state.isRemoving(app.id), isSelected: isChosen,
                isBusy: pending == strategy,
                offers: [.tap(.apps(.setBackground(app: app.id, strategy: strategy)))])
        }
        return SemanticNode(.section, "app.background", "While Alcove is not in front", choices)
    }

    // MARK: - Its log, and its end

    func appLogScreen(_ id: AppID) -> SemanticNode {
        let log = apps.log(of: id)
        let denials = log.denials.map { denial in
            let words = apps[id]?.requests.first { $0.capability == denial.capability }?.title
            return SemanticNode(
                .item, "app_log.denied.\(denial.capability)", words ?? denial.capability.text,
                value: .text(denial.text), detail: denial.count == 1 ? "Once" : "\(denial.count) times", at: denial.at)
        }
        let lines = log.lines.enumerated().map { number, line in
            let marks = [line.level.title, line.component].compactMap(\.self).joined(separator: ", ")
            return SemanticNode(
                .item, "app_log.line.\(number)", line.text.isEmpty ? "An empty line" : line.text,
                detail: marks.isEmpty ? nil : marks, at: line.at)
        }
        var children: [SemanticNode] = []
        if !denials.isEmpty { children.append(SemanticNode(.list, "app_log.denied", "What it was denied", denials)) }
        children.append(
            lines.isEmpty
                ? SemanticNode(.text, "app_log.empty", "It has said nothing.")
                : SemanticNode(.list, "app_log.lines", "What it said", lines))
        let isEmpty = !apps.logs.contains { $0.app == id } && apps.components(of: id).allSatisfy(\.isRunning)
        children.append(
            .button("app_log.clear", "Clear this", .apps(.clearAppLog(app: id)), isEnabled: !isEmpty))
        return page("app_log", apps.title(of: id), children)
    }

    func removeAppScreen(_ id: AppID) -> SemanticNode {
        let canRemove = apps[id] != nil && !state.isRemoving(id)
        return page(
            "remove_app", "Remove \(apps.title(of: id))?",
            [
                SemanticNode(
                    .text, "remove_app.about",
                    "What runs of it ends. Its files can stay, for when it is installed again, or go for good."),
                .button(
                    "remove_app.keep", "Remove it, and keep its files", .apps(.removeApp(app: id, data: false)),
                    isEnabled: canRemove),
                .button(
                    "remove_app.data", "Remove it and its files", .apps(.removeApp(app: id, data: true)),
                    isEnabled: canRemove),
            ])
    }
}
