extension Presentation {
    var settingsScreen: SemanticNode {
        var children = serverNodes
        children += [iceServers, appearance, language, notifications]
        children += passphraseNodes
        children.append(
            .toggle(
                "settings.cover", isOn: settings.coversWhenAway ?? false,
                .app(.setCover(on: !(settings.coversWhenAway ?? false)))))
        if let usage = state.storageUsage { children.append(storage(usage)) }
        children += archiveNodes
        children += [
            nameField,
            .button("settings.identities", .app(.navigate(to: Screen(.identities)))),
            .button("settings.erase", .app(.eraseAll)),
        ]
        return page("settings", children)
    }

    /// The server for new rooms, and whether it answers.
    var serverNodes: [SemanticNode] {
        let check = state.serverCheck.flatMap { $0.server == settings.server ? $0 : nil }
        var nodes: [SemanticNode] = [
            .field("settings.server", text: settings.server, .app(.setServer(url: "")), input: "url", kind: .address),
            .button(
                "settings.server.check", .app(.checkServer), isEnabled: check?.effect == nil,
                isBusy: check?.effect != nil),
        ]
        if let check, let time = check.at {
            let words = check.failure.map { Words($0) } ?? "settings.server.answers"
            nodes.append(
                SemanticNode(.status, "settings.server.state", words, at: time).with(Facts(of: check)))
        }
        return nodes
    }

    private var appearance: SemanticNode {
        let chosen = settings.theme ?? .system
        return SemanticNode(
            .section, "settings.theme",
            Settings.Theme.allCases.map { theme in
                SemanticNode(
                    .choice, "settings.theme.\(theme.rawValue)", isEnabled: chosen != theme,
                    isSelected: chosen == theme, offers: [.tap(.app(.setTheme(theme: theme)))])
            })
    }

    private var language: SemanticNode {
        let chosen = settings.language ?? .system
        return SemanticNode(
            .section, "settings.language",
            Settings.Language.allCases.map { language in
                SemanticNode(
                    .choice, "settings.language.\(language.rawValue)", isEnabled: chosen != language,
                    isSelected: chosen == language, offers: [.tap(.app(.setLanguage(language: language)))])
            })
    }

    /// What the person is called.
    var nameField: SemanticNode {
        .field("settings.name", text: settings.name ?? "", .app(.setName(name: "")), input: "name")
    }

    private var notifications: SemanticNode {
        SemanticNode(
            .section, "settings.notifications",
            Settings.NotificationContent.allCases.map { content in
                let isChosen = settings.notificationContent == content
                return SemanticNode(
                    .choice, "settings.notifications.\(content.rawValue)", isEnabled: !isChosen,
                    isSelected: isChosen, offers: [.tap(.app(.setNotifications(content: content)))])
            })
    }

    private func storage(_ usage: StorageUsage) -> SemanticNode {
        func size(_ id: String, _ bytes: Int64) -> SemanticNode {
            var node = SemanticNode(.text, id, value: .words(.key("bytes", ["bytes": .bytes(bytes)])))
            node.facts.bytes = bytes
            return node
        }
        return SemanticNode(
            .section, "settings.storage",
            [
                size("settings.storage.database", usage.database),
                size("settings.storage.files", usage.files),
                size("settings.storage.notes", usage.notes),
                SemanticNode(.text, "settings.storage.folder", value: .text(usage.folder)),
            ])
    }

    /// Sets a passphrase or changes it.
    var passphraseField: SemanticNode {
        let isSet = settings.hasPassphrase
        let change = Offer(
            .setSecret, .app(.setPassphrase(passphrase: "-", current: isSet ? "-" : nil)),
            inputs: isSet ? ["current": .secret, "passphrase": .secret] : ["passphrase": .secret])
        return SemanticNode(
            .secretField, "settings.passphrase", isSet ? "settings.passphrase.change" : "settings.passphrase",
            isEnabled: !isSettingPassphrase, isBusy: isSettingPassphrase, offers: [change])
    }

    private var isSettingPassphrase: Bool {
        pendingEffects.contains { if case .setPassphrase = $0 { true } else { false } }
    }

    private var passphraseNodes: [SemanticNode] {
        var nodes = [passphraseField]
        guard settings.hasPassphrase else { return nodes }
        let isBusy = isSettingPassphrase
        let remove = Offer(
            .setSecret, .app(.setPassphrase(passphrase: nil, current: "-")), inputs: ["current": .secret])
        nodes.append(
            SemanticNode(
                .secretField, "settings.passphrase.remove", isEnabled: !isBusy, isBusy: isBusy,
                offers: [remove]))
        nodes.append(
            .toggle(
                "settings.auto_lock", isOn: settings.autoLock,
                .app(.setAutoLock(on: !settings.autoLock))))
        nodes.append(.button("settings.lock", .app(.lock)))
        return nodes
    }
}

extension Facts {
    /// What came of a question to the server.
    fileprivate init(of check: ServerCheck) { failure = check.failure?.code }
}
