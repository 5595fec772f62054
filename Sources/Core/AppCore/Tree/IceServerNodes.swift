extension Presentation {
    /// The STUN and TURN servers of new connections, how they are, and how to add and remove some.
    var iceServers: SemanticNode {
        let added = (settings.addedIceServers ?? []).map { added in
            let id = "settings.ice.\(added.id)"
            let remove = SemanticNode.button(
                "\(id).remove", .key("settings.ice.remove", ["server": .said(added.server.urls.first ?? "")]),
                .app(.removeIceServer(server: added.id)))
            return iceServer(id, added.server, "settings.ice.added", [remove])
        }
        let given = settings.iceServers.flatMap(\.addresses).enumerated().map { position, server in
            iceServer("settings.ice.\(position)", server, "settings.ice.given")
        }
        let all = added + given
        var nodes = [SemanticNode(.text, "settings.ice.about", all.isEmpty ? "settings.ice.none" : "settings.ice.used")]
        nodes += all
        if !all.isEmpty {
            let isBusy = state.iceServerChecks?.contains { $0.effect != nil } ?? false
            nodes.append(.button("settings.ice.check", .app(.checkIceServers), isEnabled: !isBusy, isBusy: isBusy))
        }
        return SemanticNode(.section, "settings.ice", nodes + [iceServerForm])
    }

    /// STUN takes neither a name nor a password: whatever was left out stays away.
    private var iceServerForm: SemanticNode {
        let add = Offer(
            .setSecret, .app(.addIceServer(url: "", username: nil, credential: nil)),
            inputs: ["url": .address, "username": .text, "credential": .secret])
        return SemanticNode(
            .secretField, "settings.ice.add", isEnabled: storageFailure == nil, offers: [add])
    }

    private func iceServer(
        _ id: String, _ server: IceServer, _ origin: Words, _ buttons: [SemanticNode] = []
    ) -> SemanticNode {
        let user = server.username.map { Words.key("settings.ice.user", ["name": .said($0)]) }
        let check = state.iceServerChecks?.first { $0.server == server }
        let state = check.map { [iceServerState("\(id).state", $0)] } ?? []
        return SemanticNode(
            .item, id, .said(server.urls.first ?? ""), detail: Words(listing: [origin, user]), state + buttons)
    }

    private func iceServerState(_ id: String, _ check: IceServerCheck) -> SemanticNode {
        guard check.effect == nil else { return SemanticNode(.status, id, "settings.ice.asking", isBusy: true) }
        let isRelay = check.server.urls.first?.lowercased().hasPrefix("turn") ?? false
        let good: Words = isRelay ? "settings.ice.connects" : "settings.ice.answers"
        var facts = Facts()
        facts.failure = check.failure?.code
        return SemanticNode(.status, id, check.failure.map { Words($0) } ?? good, at: check.at).with(facts)
    }
}
