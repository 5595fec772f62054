extension Presentation {
    var settingsScreen: SemanticNode {
        var children: [SemanticNode] = [
            .field(
                "settings.server", "Server for new rooms", text: settings.server, .app(.setServer(url: "")),
                input: "url")
        ]
        let servers = settings.iceServers.enumerated().map { position, server in
            SemanticNode(.item, "settings.ice.\(position)", server.urls.joined(separator: ", "))
        }
        if !servers.isEmpty { children.append(SemanticNode(.list, "settings.ice", "STUN and TURN servers", servers)) }
        children += passphraseNodes
        children += [
            .button("settings.identities", "Session identities", .app(.navigate(to: Screen(.identities)))),
            .button("settings.erase", "Erase everything", .app(.eraseAll)),
        ]
        return page("settings", "Settings", children)
    }

    private var passphraseNodes: [SemanticNode] {
        let isSet = settings.hasPassphrase
        let isBusy = pendingEffects.contains { if case .setPassphrase = $0 { true } else { false } }
        let change = Offer(
            .setSecret, .app(.setPassphrase(passphrase: "-", current: isSet ? "-" : nil)),
            inputs: isSet ? ["current", "passphrase"] : ["passphrase"])
        var nodes = [
            SemanticNode(
                .secretField, "settings.passphrase", isSet ? "Change the passphrase" : "Set a passphrase",
                isEnabled: !isBusy, isBusy: isBusy, offers: [change])
        ]
        guard isSet else { return nodes }
        let remove = Offer(.setSecret, .app(.setPassphrase(passphrase: nil, current: "-")), inputs: ["current"])
        nodes.append(
            SemanticNode(
                .secretField, "settings.passphrase.remove", "Remove the passphrase", isEnabled: !isBusy, isBusy: isBusy,
                offers: [remove]))
        nodes.append(
            .toggle(
                "settings.auto_lock", "Lock when Alcove is not in front", isOn: settings.autoLock,
                .app(.setAutoLock(on: !settings.autoLock))))
        nodes.append(.button("settings.lock", "Lock now", .app(.lock)))
        return nodes
    }
}
