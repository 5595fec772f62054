extension Presentation {
    /// The list of apps, what they ask, and the way to more of them.
    var appsScreen: SemanticNode {
        var children = appNodes + installationNodes + linkNodes(of: nil) + windowNodes(of: nil)
        let items = apps.list.map(item)
        if apps.isListed, items.isEmpty {
            children.append(SemanticNode(.text, "apps.empty"))
        } else if !items.isEmpty {
            children.append(SemanticNode(.list, "apps.list", items))
        }
        let isFree = apps.installation == nil
        children += [
            SemanticNode(
                .button, "apps.pick", isEnabled: isFree,
                offers: [
                    Offer(.attach, .apps(.installFile(name: "", handle: "")), inputs: ["name": .text, "handle": .file])
                ]),
            .field(
                "apps.source", text: view.apps.sourceForm, .apps(.editSource(text: "")),
                input: "text", isEnabled: isFree),
            .button(
                "apps.install", .apps(.installApp(source: view.apps.sourceForm)),
                isEnabled: isFree && !view.apps.sourceForm.isEmpty),
            .button("apps.core", .app(.navigate(to: Screen(.appsCore)))),
            .button("apps.close", .apps(.closeApps)),
        ]
        return page("apps", children)
    }

    private var appNodes: [SemanticNode] {
        if let failure = apps.failure {
            let retry = SemanticNode.button("apps.retry", .apps(.retryApps))
            return [SemanticNode(.banner, "apps.problem", Words(failure), [retry])]
        }
        if !apps.isOpen { return [.button("apps.retry", "apps.reopen", .apps(.retryApps))] }
        if !apps.isListed { return [SemanticNode(.status, "apps.status", isBusy: true)] }
        guard let text = apps.core.warning else { return [] }
        return [SemanticNode(.banner, "apps.core_warning", text)]
    }

    private var installationNodes: [SemanticNode] {
        guard let installation = apps.installation else { return [] }
        guard installation.step == .inspecting else {
            return [
                SemanticNode(
                    .item, "apps.installation", .said(installation.pack?.title ?? installation.origin),
                    detail: installation.statusText,
                    isBusy: installation.step == .installing,
                    offers: [.tap(.app(.navigate(to: Screen(.installApp))))])
            ]
        }
        return [
            SemanticNode(
                .status, "apps.installation", installation.statusText, value: .text(installation.origin), isBusy: true),
            .button("apps.cancel", .apps(.declineInstall)),
        ]
    }

    private func item(_ app: ListedApp) -> SemanticNode {
        let denials = apps.log(of: app.id).denials.count
        let marks: [Words?] = [
            app.problem.map { Words(Failure($0)) }, state.isRemoving(app.id) ? "app.removing" : nil,
            runningText(of: app.id), denials > 0 ? "app.denied" : nil,
            .key("app.version", ["version": .said(app.version)]),
        ]
        return SemanticNode(
            .item, "app.\(app.id)", .said(app.title), value: app.about.isEmpty ? nil : .text(app.about),
            detail: Words(sentences: marks), isBusy: state.isRemoving(app.id),
            offers: [.tap(.apps(.showApp(app: app.id)))], openNodes(app, "app.\(app.id)")
        ).with(Facts(of: app))
    }

    /// How the components of an app stand, in a few words; nil if none runs.
    private func runningText(of app: AppID) -> Words? {
        let states = Set(apps.components(of: app).map(\.state))
        if states.contains(.crashed) { return "app.crashed" }
        if states.contains(.restarting) { return "app.restarting" }
        if states.contains(.running) { return "app.running" }
        return states.contains(.starting) ? "app.starting" : nil
    }

    /// Links that apps ask to open: of one app, or of all.
    func linkNodes(of app: AppID?) -> [SemanticNode] {
        apps.links.enumerated().filter { app == nil || $0.element.app == app }.map { number, link in
            let id = "link.\(number)"
            return SemanticNode(
                .banner, id, .key("link", ["app": .said(apps.title(of: link.app))]), value: .text(link.url),
                [
                    .button(
                        "\(id).open", .key("link.open"), .apps(.openUrl(app: link.app, url: link.url))),
                    .button("\(id).decline", .key("link.decline"), .apps(.declineUrl(app: link.app, url: link.url))),
                ])
        }
    }

    // MARK: - What serves apps

    var appsCoreScreen: SemanticNode {
        let core = apps.core
        var children = [
            SemanticNode(
                .status, "apps_core.status", core.statusText, value: core.bundle.map { .text($0) },
                isBusy: core.state == .starting || state.isChoosingCore)
        ]
        if let failure = core.failure {
            children.append(SemanticNode(.banner, "apps_core.problem", Words(failure)))
        }
        children += [
            SemanticNode(.text, "apps_core.about"),
            SemanticNode(
                .choice, "apps_core.built_in",
                isEnabled: core.bundle != nil && !state.isChoosingCore, isSelected: core.bundle == nil,
                offers: [.tap(.apps(.chooseCore(bundle: nil)))]),
            .field(
                "apps_core.bundle", text: view.apps.bundleForm, .apps(.editBundle(text: "")),
                input: "text"),
            .button(
                "apps_core.choose", .apps(.chooseCore(bundle: view.apps.bundleForm)),
                isEnabled: !view.apps.bundleForm.isEmpty && !state.isChoosingCore, isBusy: state.isChoosingCore),
        ]
        return page("apps_core", children)
    }
}
