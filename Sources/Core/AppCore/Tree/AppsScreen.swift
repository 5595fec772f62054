extension Presentation {
    /// The list of apps, what they ask, and the way to more of them.
    var appsScreen: SemanticNode {
        var children = appNodes + installationNodes + linkNodes(of: nil)
        let items = apps.list.map(item)
        if apps.isListed, items.isEmpty {
            children.append(SemanticNode(.text, "apps.empty", "No apps yet. Enter where one is, and install it."))
        } else if !items.isEmpty {
            children.append(SemanticNode(.list, "apps.list", "Installed", items))
        }
        let isFree = apps.installation == nil
        children += [
            .field(
                "apps.source", "Folder or ZIP file of an app", text: view.apps.sourceForm, .apps(.editSource(text: "")),
                input: "text", isEnabled: isFree),
            .button(
                "apps.install", "Install it", .apps(.installApp(source: view.apps.sourceForm)),
                isEnabled: isFree && !view.apps.sourceForm.isEmpty),
            .button("apps.core", "What serves apps", .app(.navigate(to: Screen(.appsCore)))),
            .button("apps.close", "Close the apps", .apps(.closeApps)),
        ]
        return page("apps", "Apps", children)
    }

    private var appNodes: [SemanticNode] {
        if let failure = apps.failure {
            let retry = SemanticNode.button("apps.retry", "Try again", .apps(.retryApps))
            return [SemanticNode(.banner, "apps.problem", Wording.sentence(for: failure), [retry])]
        }
        if !apps.isOpen { return [.button("apps.retry", "Open the apps", .apps(.retryApps))] }
        if !apps.isListed { return [SemanticNode(.status, "apps.status", "Opening the apps", isBusy: true)] }
        guard let text = apps.core.warning else { return [] }
        return [SemanticNode(.banner, "apps.core_warning", text)]
    }

    private var installationNodes: [SemanticNode] {
        guard let installation = apps.installation else { return [] }
        guard installation.step == .inspecting else {
            return [
                SemanticNode(
                    .item, "apps.installation", installation.pack?.title ?? installation.source,
                    detail: installation.statusText,
                    isBusy: installation.step == .installing,
                    offers: [.tap(.app(.navigate(to: Screen(.installApp))))])
            ]
        }
        return [
            SemanticNode(
                .status, "apps.installation", installation.statusText, value: .text(installation.source), isBusy: true),
            .button("apps.cancel", "Do not install it", .apps(.declineInstall)),
        ]
    }

    private func item(_ app: ListedApp) -> SemanticNode {
        let denials = apps.log(of: app.id).denials.count
        let marks = [
            app.problem.map { Wording.sentence(for: Failure($0)) }, state.isRemoving(app.id) ? "Being removed" : nil,
            runningText(of: app.id), denials > 0 ? "Was denied something" : nil, "Version \(app.version)",
        ]
        return SemanticNode(
            .item, "app.\(app.id)", app.title, value: app.about.isEmpty ? nil : .text(app.about),
            detail: marks.compactMap(\.self).joined(separator: ". "), isBusy: state.isRemoving(app.id),
            offers: [.tap(.apps(.showApp(app: app.id)))])
    }

    /// How the components of an app stand, in a few words; nil if none runs.
    private func runningText(of app: AppID) -> String? {
        let states = Set(apps.components(of: app).map(\.state))
        if states.contains(.crashed) { return "Crashed" }
        if states.contains(.restarting) { return "Crashed, being restarted" }
        if states.contains(.running) { return "Running" }
        return states.contains(.starting) ? "Starting" : nil
    }

    /// Links that apps ask to open: of one app, or of all.
    func linkNodes(of app: AppID?) -> [SemanticNode] {
        apps.links.enumerated().filter { app == nil || $0.element.app == app }.map { number, link in
            let id = "link.\(number)"
            return SemanticNode(
                .banner, id, "\(apps.title(of: link.app)) asks to open a link", value: .text(link.url),
                [
                    .button(
                        "\(id).open", "Open the link in the browser", .apps(.openUrl(app: link.app, url: link.url))),
                    .button("\(id).decline", "Do not open it", .apps(.declineUrl(app: link.app, url: link.url))),
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
            children.append(SemanticNode(.banner, "apps_core.problem", Wording.sentence(for: failure)))
        }
        children += [
            SemanticNode(
                .text, "apps_core.about",
                "The built-in core serves apps on this computer alone. A core library of 3NWeb brings an account with a server."
            ),
            SemanticNode(
                .choice, "apps_core.built_in", "Use the built-in core",
                isEnabled: core.bundle != nil && !state.isChoosingCore, isSelected: core.bundle == nil,
                offers: [.tap(.apps(.chooseCore(bundle: nil)))]),
            .field(
                "apps_core.bundle", "File of a core library", text: view.apps.bundleForm, .apps(.editBundle(text: "")),
                input: "text"),
            .button(
                "apps_core.choose", "Use this library", .apps(.chooseCore(bundle: view.apps.bundleForm)),
                isEnabled: !view.apps.bundleForm.isEmpty && !state.isChoosingCore, isBusy: state.isChoosingCore),
        ]
        return page("apps_core", "What serves apps", children)
    }
}
