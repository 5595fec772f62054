extension Presentation {
    var settingsScreen: SemanticNode {
        var children: [SemanticNode] = [
            .field(
                "settings.server", text: settings.server, .app(.setServer(url: "")),
                input: "url")
        ]
        let servers = settings.iceServers.enumerated().map { position, server in
            SemanticNode(.item, "settings.ice.\(position)", .said(server.urls.joined(separator: ", ")))
        }
        if !servers.isEmpty { children.append(SemanticNode(.list, "settings.ice", servers)) }
        children.append(
            SemanticNode(
                .section, "settings.notifications",
                Settings.NotificationContent.allCases.map { content in
                    let isChosen = settings.notificationContent == content
                    return SemanticNode(
                        .choice, "settings.notifications.\(content.rawValue)", isEnabled: !isChosen,
                        isSelected: isChosen, offers: [.tap(.app(.setNotifications(content: content)))])
                }))
        children += passphraseNodes
        children += [
            .button("settings.identities", .app(.navigate(to: Screen(.identities)))),
            .button("settings.erase", .app(.eraseAll)),
        ]
        return page("settings", children)
    }

    private var passphraseNodes: [SemanticNode] {
        let isSet = settings.hasPassphrase
        let isBusy = pendingEffects.contains { if case .setPassphrase = $0 { true } else { false } }
        let change = Offer(
            .setSecret, .app(.setPassphrase(passphrase: "-", current: isSet ? "-" : nil)),
            inputs: isSet ? ["current", "passphrase"] : ["passphrase"])
        var nodes = [
            SemanticNode(
                .secretField, "settings.passphrase", isSet ? "settings.passphrase.change" : "settings.passphrase",
                isEnabled: !isBusy, isBusy: isBusy, offers: [change])
        ]
        guard isSet else { return nodes }
        let remove = Offer(.setSecret, .app(.setPassphrase(passphrase: nil, current: "-")), inputs: ["current"])
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
