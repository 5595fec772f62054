extension Presentation {
    func roomSettingsScreen(_ room: Room) -> SemanticNode {
        let id = room.id
        let asked = room.outgoingProposal?.lifetime
        let lifetimes = Lifetime.allCases.map { lifetime in
            SemanticNode(
                .choice, "room_settings.lifetime.\(lifetime.rawValue)", lifetime.title,
                detail: asked == lifetime ? "room_settings.lifetime.proposed" : nil,
                isEnabled: room.canWrite && asked == nil && room.lifetime != lifetime,
                isSelected: room.lifetime == lifetime,
                offers: [.tap(.chat(.proposeLifetime(room: id, lifetime: lifetime)))])
        }
        return page(
            "room_settings",
            [
                .field(
                    "room_settings.name", text: room.name,
                    .rooms(.renameRoom(room: id, name: "")), input: "name"),
                .toggle(
                    "room_settings.pinned", isOn: room.pin != nil,
                    .rooms(.pinRoom(room: id, pinned: room.pin == nil))),
                .toggle(
                    "room_settings.muted", isOn: room.isMuted ?? false,
                    .rooms(.muteRoom(room: id, muted: !(room.isMuted ?? false)))),
                .toggle(
                    "room_settings.ephemeral", isOn: room.isEphemeral,
                    .chat(.setEphemeral(room: id, on: !room.isEphemeral))),
                .toggle(
                    "room_settings.keep_changed", isOn: room.keepsChanged ?? false,
                    .chat(.keepChanged(room: id, on: !(room.keepsChanged ?? false)))),
                SemanticNode(.section, "room_settings.lifetime", lifetimes),
                SemanticNode(.text, "room_settings.verification", value: .words(room.verificationText)),
                .button(
                    "room_settings.safety_number",
                    .app(.navigate(to: Screen(.safetyNumber, room: id))), isEnabled: room.live.safetyNumber != nil),
                .button(
                    "room_settings.member", .app(.navigate(to: Screen(.member, room: id)))),
                .button("room_settings.summarise", .app(.navigate(to: Screen(.summary, room: id)))),
                SemanticNode(.text, "room_settings.identity", value: .text(room.device.text)),
                SemanticNode(.text, "room_settings.server", value: .text(room.server)),
                .button(
                    "room_settings.leave", .rooms(.leaveRoom(room: id)),
                    isEnabled: room.wantsLink || room.live.linkEffect != nil),
                .button("room_settings.delete", .rooms(.deleteRoom(room: id))),
            ])
    }

    func safetyNumberScreen(_ room: Room) -> SemanticNode {
        guard let number = room.live.safetyNumber else {
            return page(
                "safety_number",
                [SemanticNode(.text, "safety_number.none")])
        }
        return page(
            "safety_number",
            [
                SemanticNode(
                    .text, "safety_number.about"),
                SemanticNode(.text, "safety_number.digits", value: .text(number)),
                SemanticNode(.text, "safety_number.state", value: .words(room.verificationText)),
                .button(
                    "safety_number.same",
                    .chat(.compareSafetyNumber(room: room.id, matches: true)),
                    isEnabled: room.isTalking && room.live.comparison == nil),
                .button(
                    "safety_number.different",
                    .chat(.compareSafetyNumber(room: room.id, matches: false)), isEnabled: room.isTalking),
            ])
    }
}
