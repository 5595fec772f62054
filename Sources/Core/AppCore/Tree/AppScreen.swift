extension Presentation {
    /// One app: what it does, what it may do, and what runs of it.
    func appScreen(_ id: AppID) -> SemanticNode {
        guard let app = apps[id] else {
            let text: Words = apps.isListed || !apps.isOpen ? Words(Failure(.appUnknown)) : .key("apps.status")
            return page("app", .key("app"), [SemanticNode(.text, "app.gone", text)])
        }
        var children: [SemanticNode] = []
        if let problem = app.problem {
            children.append(SemanticNode(.banner, "app.problem", Words(Failure(problem))))
        }
        if state.isRemoving(id) { children.append(SemanticNode(.status, "app.removing", isBusy: true)) }
        if !app.about.isEmpty {
            children.append(SemanticNode(.text, "app.about", value: .text(app.about)))
        }
        children.append(
            SemanticNode(
                .text, "app.version", .key("app.version", ["version": .said(app.version)]),
                value: .words(.key("app.id_and_size", ["id": .said(id.text), "bytes": .bytes(app.bytes)]))
            ).with(Facts(of: app)))
        children +=
            linkNodes(of: id) + openNodes(app, "app") + windowNodes(of: id) + runNodes(app) + permissionNodes(app) + [
                backgroundNode(app)
            ]
        children += [
            .button("app.log", .apps(.showAppLog(app: id))),
            .button(
                "app.remove", .key("app.remove", ["title": .said(app.title)]),
                .app(.navigate(to: Screen(.removeApp, app: id))),
                isEnabled: !state.isRemoving(id)),
        ]
        return page("app", .said(app.title), children)
    }

    // MARK: - Running

    private func runNodes(_ app: ListedApp) -> [SemanticNode] {
        let canRun = app.problem == nil && !state.isRemoving(app.id)
        let components = apps.components(of: app.id)
        let isStarting = state.isStarting(app.id, nil)
        var nodes = [
            SemanticNode.button(
                "app.run", .apps(.runApp(app: app.id, component: nil, command: nil, parameters: [])),
                isEnabled: canRun && !isStarting, isBusy: isStarting)
        ]
        if components.contains(where: \.isRunning) {
            nodes.append(
                .button(
                    "app.stop", .apps(.stopApp(app: app.id)),
                    isEnabled: !state.isStopping(app.id, nil), isBusy: state.isStopping(app.id, nil)))
        }
        let unseen = components.filter { app.window($0.entrypoint) == nil }
        if !unseen.isEmpty {
            nodes.append(SemanticNode(.list, "app.components", unseen.map(componentNode)))
        }
        guard !app.commands.isEmpty else { return nodes }
        return nodes + [SemanticNode(.section, "app.commands", commandNodes(app, canRun: canRun))]
    }

    private func componentNode(_ component: ListedComponent) -> SemanticNode {
        let id = "component.\(component.id)"
        let isStopping = state.isStopping(component.app, component.id)
        let stop = SemanticNode.button(
            "\(id).stop", .key("component.stop", ["title": .said(component.title)]),
            .apps(.stopComponent(app: component.app, instance: component.id)), isEnabled: !isStopping,
            isBusy: isStopping)
        return SemanticNode(
            .item, id, .said(component.title), value: component.reason.map { .text($0) },
            detail: component.stateText,
            at: component.state == .restarting ? component.at : nil,
            isBusy: component.state == .starting || component.state == .restarting, component.isRunning ? [stop] : [])
    }

    private func commandNodes(_ app: ListedApp, canRun: Bool) -> [SemanticNode] {
        let words = view.apps.parametersForm.split(whereSeparator: \.isWhitespace).map(String.init)
        let field = SemanticNode.field(
            "app.parameters", text: view.apps.parametersForm, .apps(.editParameters(text: "")),
            input: "text")
        // Numbered, because what a command is called is content, and no id shows content.
        let buttons = app.commands.enumerated().map { number, command in
            let isStarting = state.isStarting(app.id, command.name)
            return SemanticNode.button(
                "app.command.\(number)", .key("app.command", ["name": .said(command.name)]),
                .apps(.runApp(app: app.id, component: nil, command: command.name, parameters: words)),
                isEnabled: canRun && !isStarting, isBusy: isStarting)
        }
        return [field] + buttons
    }

    // MARK: - What it may do

    private func permissionNodes(_ app: ListedApp) -> [SemanticNode] {
        guard !app.requests.isEmpty else {
            return [SemanticNode(.text, "app.harmless")]
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
            let change: Words? = pending.map { $0 ? "app.being_granted" : "app.being_revoked" }
            toggle.detail = request.detail(after: change)
            return toggle
        }
        return [SemanticNode(.section, "app.may", toggles)]
    }

    private func backgroundNode(_ app: ListedApp) -> SemanticNode {
        let pending = state.pendingBackground(app.id)
        let choices = BackgroundStrategy.allCases.map { strategy in
            let isPossible = apps.strategies.contains(strategy)
            let isChosen = (pending ?? app.background) == strategy
            return SemanticNode(
                .choice, "app.background.\(strategy.rawValue)", strategy.title,
                detail: isPossible ? nil : Words(Failure(.backgroundUnavailable)),
                isEnabled: isPossible && !isChosen && pending == nil && !state.isRemoving(app.id), isSelected: isChosen,
                isBusy: pending == strategy,
                offers: [.tap(.apps(.setBackground(app: app.id, strategy: strategy)))])
        }
        return SemanticNode(.section, "app.background", choices)
    }

    // MARK: - Its log, and its end

    func appLogScreen(_ id: AppID) -> SemanticNode {
        let log = apps.log(of: id)
        let denials = log.denials.map { denial in
            let words = apps[id]?.requests.first { $0.capability == denial.capability }?.title
            return SemanticNode(
                .item, "app_log.denied.\(denial.capability)", words ?? .said(denial.capability.text),
                value: .text(denial.text), detail: .key("app_log.times", ["count": .count(denial.count)]), at: denial.at
            )
        }
        let lines = log.lines.enumerated().map { number, line in
            let marks = [line.level.title, line.component.map { .said($0) }].compactMap(\.self)
            return SemanticNode(
                .item, "app_log.line.\(number)", line.text.isEmpty ? .key("app_log.empty_line") : .said(line.text),
                detail: Words(listing: marks), at: line.at)
        }
        var children: [SemanticNode] = []
        if !denials.isEmpty { children.append(SemanticNode(.list, "app_log.denied", denials)) }
        children.append(
            lines.isEmpty
                ? SemanticNode(.text, "app_log.empty")
                : SemanticNode(.list, "app_log.lines", lines))
        let isEmpty = !apps.logs.contains { $0.app == id } && apps.components(of: id).allSatisfy(\.isRunning)
        children.append(
            .button("app_log.clear", .apps(.clearAppLog(app: id)), isEnabled: !isEmpty))
        return page("app_log", .said(apps.title(of: id)), children)
    }

    func removeAppScreen(_ id: AppID) -> SemanticNode {
        let canRemove = apps[id] != nil && !state.isRemoving(id)
        return page(
            "remove_app", .key("remove_app", ["title": .said(apps.title(of: id))]),
            [
                SemanticNode(
                    .text, "remove_app.about"),
                .button(
                    "remove_app.keep", .apps(.removeApp(app: id, data: false)),
                    isEnabled: canRemove),
                .button(
                    "remove_app.data", .apps(.removeApp(app: id, data: true)),
                    isEnabled: canRemove),
            ])
    }
}
