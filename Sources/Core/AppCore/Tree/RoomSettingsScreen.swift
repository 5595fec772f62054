extension Presentation {
    func roomSettingsScreen(_ room: Room) -> SemanticNode {
        let id = room.id
        let asked = room.outgoingProposal?.lifetime
        let lifetimes = Lifetime.allCases.map { lifetime in
            SemanticNode(
                .choice, "room_settings.lifetime.\(lifetime.rawValue)", lifetime.title,
                detail: asked == lifetime ? "Proposed: the other person has not answered yet" : nil,
                isEnabled: room.canWrite && asked == nil && room.lifetime != lifetime,
                isSelected: room.lifetime == lifetime,
                offers: [.tap(.chat(.proposeLifetime(room: id, lifetime: lifetime)))])
        }
        return page(
            "room_settings", "Room settings",
            [
                .field(
                    "room_settings.name", "Name (only you see it)", text: room.name,
                    .rooms(.renameRoom(room: id, name: "")), input: "name"),
                .toggle(
                    "room_settings.pinned", "Pinned", isOn: room.pin != nil,
                    .rooms(.pinRoom(room: id, pinned: room.pin == nil))),
                .toggle(
                    "room_settings.ephemeral", "Keep nothing on this device", isOn: room.isEphemeral,
                    .chat(.setEphemeral(room: id, on: !room.isEphemeral))),
                SemanticNode(.section, "room_settings.lifetime", "Both keep messages", lifetimes),
                SemanticNode(.text, "room_settings.verification", "Verification", value: .text(room.verificationText)),
                .button(
                    "room_settings.safety_number", "Safety number",
                    .app(.navigate(to: Screen(.safetyNumber, room: id))), isEnabled: room.live.safetyNumber != nil),
                .button(
                    "room_settings.member", "Trust and keys", .app(.navigate(to: Screen(.member, room: id)))),
                SemanticNode(.text, "room_settings.identity", "Your identity here", value: .text(room.device.text)),
                SemanticNode(.text, "room_settings.server", "Server", value: .text(room.server)),
                .button(
                    "room_settings.leave", "Leave the room", .rooms(.leaveRoom(room: id)),
                    isEnabled: room.wantsLink || room.live.linkEffect != nil),
                .button("room_settings.delete", "Delete the room", .rooms(.deleteRoom(room: id))),
            ])
    }

    func safetyNumberScreen(_ room: Room) -> SemanticNode {
        guard let number = room.live.safetyNumber else {
            return page(
                "safety_number", "Safety number",
                [SemanticNode(.text, "safety_number.none", "There is one while you are connected.")])
        }
        return page(
            "safety_number", "Safety number",
            [
                SemanticNode(
                    .text, "safety_number.about",
                    "Read it to each other by phone. If both see the same digits, nobody sits in between."),
                SemanticNode(.text, "safety_number.digits", "Safety number", value: .text(number)),
                SemanticNode(.text, "safety_number.state", "Verification", value: .text(room.verificationText)),
                .button(
                    "safety_number.same", "They are the same",
                    .chat(.compareSafetyNumber(room: room.id, matches: true)),
                    isEnabled: room.isTalking && room.live.comparison == nil),
                .button(
                    "safety_number.different", "They differ: stop talking",
                    .chat(.compareSafetyNumber(room: room.id, matches: false)), isEnabled: room.isTalking),
            ])
    }
}
