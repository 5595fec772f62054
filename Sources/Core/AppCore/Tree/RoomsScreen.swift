extension Presentation {
    var roomsScreen: SemanticNode {
        var children = roomsEntries
        if rooms.isEmpty, settings.isWelcomed != true { children.append(welcome) }
        if rooms.isEmpty {
            children.append(SemanticNode(.text, "rooms.empty"))
        }
        return page("rooms", children + roomsLists)
    }

    /// The rooms, for a window that has space for them beside another screen.
    var roomsBeside: SemanticNode {
        SemanticNode(.section, "rooms.beside", roomsEntries + roomsLists).within(.list)
    }

    /// What the list of rooms leads to.
    private var roomsEntries: [SemanticNode] {
        let ways: [SemanticNode] = [
            .button("rooms.create", .app(.navigate(to: Screen(.create)))),
            .button("rooms.join", .app(.navigate(to: Screen(.join)))),
            .button("rooms.search", .app(.navigate(to: Screen(.search)))),
            .button("rooms.circle", .app(.navigate(to: Screen(.circle)))),
            .button("rooms.notes", .notes(.openNotes)),
            .button("rooms.apps", .apps(.openApps)),
            .button("rooms.agents", .app(.navigate(to: Screen(.agents)))).with(agentsFacts),
            .button("rooms.settings", .app(.navigate(to: Screen(.settings)))),
        ]
        return ways.map { $0.within(.navigation) }
    }

    /// How many questions of agents wait for the person.
    private var agentsFacts: Facts {
        var facts = Facts()
        let count = talks.inOrder.reduce(0) { $0 + $1.session.approvals.count }
        facts.unread = count > 0 ? count : nil
        return facts
    }

    private var roomsLists: [SemanticNode] {
        let byActivity = rooms.sorted { ($1.lastActivity, $1.id) < ($0.lastActivity, $0.id) }
        let pinned = state.pinnedRooms.compactMap { rooms[$0] }
        let loose = byActivity.filter { $0.pin == nil }
        var children = [
            section("rooms.pinned", pinned),
            section("rooms.pending", loose.filter { !$0.status.isOver && $0.status != .accepted }),
            section("rooms.active", loose.filter { $0.status == .accepted }),
            section("rooms.closed", loose.filter(\.status.isOver)),
        ].compactMap(\.self)
        if rooms.contains(where: \.status.isOver) {
            children.append(.button("rooms.clear", .rooms(.clearClosed)))
        }
        return children
    }

    /// What somebody needs who sees this for the first time: what it is, and what to do first.
    private var welcome: SemanticNode {
        let steps = [
            SemanticNode(
                .item, "welcome.name",
                detail: settings.name.map { .key("welcome.name.is", ["name": .said($0)]) } ?? "welcome.name.why",
                isSelected: settings.name != nil, offers: [.tap(.app(.navigate(to: Screen(.settings))))], [nameField]),
            SemanticNode(
                .item, "welcome.passphrase",
                detail: settings.hasPassphrase ? "welcome.passphrase.done" : "welcome.passphrase.why",
                isSelected: settings.hasPassphrase, offers: [.tap(.app(.navigate(to: Screen(.settings))))],
                settings.hasPassphrase ? [] : [passphraseField]),
            SemanticNode(
                .item, "welcome.server", detail: .key("welcome.server.which", ["server": .said(settings.server)]),
                offers: [.tap(.app(.navigate(to: Screen(.settings))))], serverNodes),
            SemanticNode(
                .item, "welcome.invite", detail: "welcome.invite.how",
                offers: [.tap(.app(.navigate(to: Screen(.create))))]),
            SemanticNode(
                .item, "welcome.join", detail: "welcome.join.how", offers: [.tap(.app(.navigate(to: Screen(.join))))]),
            SemanticNode(
                .item, "welcome.restore", detail: "welcome.restore.how",
                offers: [.tap(.app(.navigate(to: Screen(.settings))))], [restoreNode]),
        ]
        return SemanticNode(
            .section, "welcome",
            [SemanticNode(.text, "welcome.about"), SemanticNode(.list, "welcome.steps", steps)]
                + [.button("welcome.done", .app(.endWelcome))])
    }

    private func section(_ id: String, _ rooms: [Room]) -> SemanticNode? {
        rooms.isEmpty ? nil : SemanticNode(.section, id, rooms.map(item))
    }

    private func item(_ room: Room) -> SemanticNode {
        let id = "room.\(room.id)"
        var children: [SemanticNode] = []
        if room.unreadCount > 0 {
            children.append(SemanticNode(.status, "\(id).unread", "room.unread", value: .count(room.unreadCount)))
        }
        children.append(
            .toggle(
                "\(id).pin", .key("room.pin", ["room": .words(room.titleWords)]), isOn: room.pin != nil,
                .rooms(.pinRoom(room: room.id, pinned: room.pin == nil))))
        if let pin = room.pin {
            let last = state.pinnedRooms.count - 1
            children.append(
                .button(
                    "\(id).up", .key("room.up", ["room": .words(room.titleWords)]),
                    .rooms(.movePin(room: room.id, to: pin - 1)),
                    isEnabled: pin > 0))
            children.append(
                .button(
                    "\(id).down", .key("room.down", ["room": .words(room.titleWords)]),
                    .rooms(.movePin(room: room.id, to: pin + 1)),
                    isEnabled: pin < last))
        }
        children.append(
            .button(
                "\(id).delete", .key("room.delete", ["room": .words(room.titleWords)]),
                .rooms(.deleteRoom(room: room.id))))
        var facts = Facts(ofListed: room)
        if let draft = unfinished(in: room.id) { facts.latest = draft }
        return SemanticNode(
            .item, id, room.titleWords, detail: room.statusText, at: room.lastActivity,
            isBusy: [.creating, .joining].contains(room.status), offers: [.tap(.rooms(.openRoom(room: room.id)))],
            children
        ).with(facts).with(
            NodeStates().with(.unread, if: room.unreadCount > 0).with(.pinned, if: room.pin != nil))
    }

    /// What was begun in a room and left, so that it waits for the next window. In the room that is open it stands in the composer.
    private func unfinished(in room: RoomID) -> Words? {
        guard screen.room != room else { return nil }
        let text = state.composers.text(in: room, of: nil).limited(to: RoomLimits.quoteBytes)
            .split(whereSeparator: \.isNewline).joined(separator: " ").trimmed
        return text.isEmpty ? nil : .key("room.latest.draft", ["text": .said(text)])
    }

    /// Every identity that this device has, by the present name of its room.
    var identitiesScreen: SemanticNode {
        let items = rooms.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }.map { room in
            SemanticNode(
                .item, "identity.\(room.id)", room.titleWords, value: .text(room.device.text), at: room.createdAt,
                [
                    .button(
                        "identity.\(room.id).delete", .key("identity.delete", ["room": .words(room.titleWords)]),
                        .rooms(.deleteRoom(room: room.id)))
                ])
        }
        let explanation = SemanticNode(
            .text, "identities.about")
        return page(
            "identities",
            [explanation] + (items.isEmpty ? [] : [SemanticNode(.list, "identities.list", items)]))
    }
}
