extension Presentation {
    /// The question what an app may do that is about to be installed, and how far that has come.
    var installAppScreen: SemanticNode {
        guard let installation = apps.installation else {
            let text = SemanticNode(.text, "install_app.none")
            return page("install_app", "install_app", [text])
        }
        var children = [
            SemanticNode(
                .status, "install_app.status", installation.statusText, isBusy: installation.step != .asking)
        ]
        if let progress = installation.progress {
            children.append(
                SemanticNode(
                    .progress, "install_app.progress",
                    value: .progress(done: progress.done, total: progress.total)))
        }
        if let failure = installation.failure {
            children.append(SemanticNode(.banner, "install_app.problem", Words(failure)))
        }
        if let pack = installation.pack { children += about(pack, installation.origin) + questions(installation) }
        children += answerButtons(installation)
        let title =
            installation.pack.map { Words.key("install_app.title", ["title": .said($0.title)]) } ?? "install_app"
        return page("install_app", title, children)
    }

    private func about(_ pack: AppPack, _ source: String) -> [SemanticNode] {
        var nodes = [
            SemanticNode(
                .text, "install_app.version", pack.stepText,
                value: .words(.key("app.id_and_size", ["id": .said(pack.app.text), "bytes": .bytes(pack.bytes)]))
            ).with(Facts(of: pack)),
            SemanticNode(.text, "install_app.source", value: .text(source)),
        ]
        nodes += (pack.warnings ?? []).enumerated().map {
            SemanticNode(.banner, "install_app.warning.\($0.offset)", .said($0.element))
        }
        if !pack.about.isEmpty {
            nodes.append(SemanticNode(.text, "install_app.about", value: .text(pack.about)))
        }
        return nodes
    }

    private func questions(_ installation: Installation) -> [SemanticNode] {
        let open = installation.open
        let isAsking = installation.step == .asking
        let toggles = open.map { request in
            var toggle = SemanticNode.toggle(
                "install_app.may.\(request.capability)", request.title, isOn: request.granted,
                .apps(.switchRequest(capability: request.capability, on: !request.granted)), isEnabled: isAsking)
            toggle.detail = request.detail(after: installation.pack?.step == .new ? nil : "install_app.new")
            return toggle
        }
        let asked = Set(open.map(\.capability))
        let decided = (installation.pack?.requests ?? []).filter { !asked.contains($0.capability) }.map { request in
            SemanticNode(
                .item, "install_app.decided.\(request.capability)", request.title,
                detail: request.detail(after: request.granted ? "install_app.granted" : "install_app.not_granted"))
        }
        var nodes: [SemanticNode] = []
        if toggles.isEmpty {
            let text: Words = decided.isEmpty ? "app.harmless" : "install_app.nothing_new"
            nodes.append(SemanticNode(.text, "install_app.harmless", text))
        } else {
            nodes.append(SemanticNode(.section, "install_app.may", toggles))
        }
        if !decided.isEmpty {
            nodes.append(SemanticNode(.list, "install_app.decided", decided))
        }
        return nodes
    }

    private func answerButtons(_ installation: Installation) -> [SemanticNode] {
        switch installation.step {
        case .inspecting: return [.button("install_app.decline", .apps(.declineInstall))]
        case .asking:
            let grants = installation.open.filter(\.granted).map(\.capability)
            return [
                .button("install_app.accept", .apps(.answerInstall(grants: grants))),
                .button("install_app.decline", .apps(.declineInstall)),
            ]
        case .installing:
            guard installation.failure != nil else { return [] }
            return [.button("install_app.decline", "install_app.give_up", .apps(.declineInstall))]
        }
    }
}
