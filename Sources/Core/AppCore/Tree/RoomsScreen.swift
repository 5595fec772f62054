extension Presentation {
    var roomsScreen: SemanticNode {
        var children: [SemanticNode] = [
            .button("rooms.create", "New room", .app(.navigate(to: Screen(.create)))),
            .button("rooms.join", "Join with a code", .app(.navigate(to: Screen(.join)))),
            .button("rooms.circle", "Your circle", .app(.navigate(to: Screen(.circle)))),
            .button("rooms.notes", "Notes", .notes(.openNotes)),
            .button("rooms.apps", "Apps", .apps(.openApps)),
            .button("rooms.settings", "Settings", .app(.navigate(to: Screen(.settings)))),
        ]
        if rooms.isEmpty {
            children.append(SemanticNode(.text, "rooms.empty", "No rooms yet. Make one, and pass its code on."))
        }
        let byActivity = rooms.sorted { ($1.lastActivity, $1.id) < ($0.lastActivity, $0.id) }
        let pinned = state.pinnedRooms.compactMap { rooms[$0] }
        let loose = byActivity.filter { $0.pin == nil }
        children += [
            section("rooms.pinned", "Pinned", pinned),
            section("rooms.pending", "Waiting", loose.filter { !$0.status.isOver && $0.status != .accepted }),
            section("rooms.active", "Active", loose.filter { $0.status == .accepted }),
            section("rooms.closed", "Closed", loose.filter(\.status.isOver)),
        ].compactMap(\.self)
        if rooms.contains(where: \.status.isOver) {
            children.append(.button("rooms.clear", "Delete all closed rooms", .rooms(.clearClosed)))
        }
        return page("rooms", "Rooms", children)
    }

    private func section(_ id: String, _ label: String, _ rooms: [Room]) -> SemanticNode? {
        rooms.isEmpty ? nil : SemanticNode(.section, id, label, rooms.map(item))
    }

    private func item(_ room: Room) -> SemanticNode {
        let id = "room.\(room.id)"
        var children: [SemanticNode] = []
        if !room.live.unread.isEmpty {
            children.append(SemanticNode(.status, "\(id).unread", "Unread", value: .text("\(room.live.unread.count)")))
        }
        children.append(
            .toggle(
                "\(id).pin", "Pin \(room.title)", isOn: room.pin != nil,
                .rooms(.pinRoom(room: room.id, pinned: room.pin == nil))))
        if let pin = room.pin {
            let last = state.pinnedRooms.count - 1
            children.append(
                .button(
                    "\(id).up", "Move \(room.title) up", .rooms(.movePin(room: room.id, to: pin - 1)),
                    isEnabled: pin > 0))
            children.append(
                .button(
                    "\(id).down", "Move \(room.title) down", .rooms(.movePin(room: room.id, to: pin + 1)),
                    isEnabled: pin < last))
        }
        children.append(.button("\(id).delete", "Delete \(room.title)", .rooms(.deleteRoom(room: room.id))))
        return SemanticNode(
            .item, id, room.title, detail: room.statusText, at: room.lastActivity,
            isBusy: [.creating, .joining].contains(room.status), offers: [.tap(.rooms(.openRoom(room: room.id)))],
            children)
    }

    /// Every identity that this device has, by the present name of its room.
    var identitiesScreen: SemanticNode {
        let items = rooms.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }.map { room in
            SemanticNode(
                .item, "identity.\(room.id)", room.title, value: .text(room.device.text), at: room.createdAt,
                [
                    .button(
                        "identity.\(room.id).delete", "Delete \(room.title) and its identity",
                        .rooms(.deleteRoom(room: room.id)))
                ])
        }
        let explanation = SemanticNode(
            .text, "identities.about",
            "Each room knows this device by another name, which is forgotten when the room is deleted.")
        return page(
            "identities", "Session identities",
            [explanation] + (items.isEmpty ? [] : [SemanticNode(.list, "identities.list", "Identities", items)]))
    }
}
