extension Presentation {
    /// Who is trusted, and what is left of trust that has ended.
    var circleScreen: SemanticNode {
        let members = rooms.filter(\.isMember).sorted { ($0.title, $0.id) < ($1.title, $1.id) }
        let isOpening = pendingEffects.contains { if case .openByHand = $0 { true } else { false } }
        var children = [
            SemanticNode(
                .button, "circle.open", "Open a message that was carried by hand", isEnabled: !isOpening,
                isBusy: isOpening, offers: [Offer(.attach, .circle(.openByHand(handle: "")), inputs: ["handle"])])
        ]
        if members.isEmpty {
            children.append(
                SemanticNode(
                    .text, "circle.empty",
                    "Nobody yet. Verify each other in a room, then add the other person in its settings."))
        } else {
            children.append(SemanticNode(.section, "circle.members", "Members", members.map(member)))
        }
        if !circle.tombstones.isEmpty {
            let ended = circle.inOrder.reversed().map(tombstone)
            children.append(SemanticNode(.section, "circle.tombstones", "Ended trust", ended))
        }
        return page("circle", "Your circle", children)
    }

    private func member(_ room: Room) -> SemanticNode {
        let id = "member.\(room.id)"
        var children: [SemanticNode] = []
        if let keys = room.live.keys {
            children.append(SemanticNode(.status, "\(id).keys", "Keys left", value: .text("\(keys.theirs)")))
        }
        if let time = room.lastSeen {
            children.append(SemanticNode(.status, "\(id).seen", "Last connected", value: .time(time)))
        }
        return SemanticNode(
            .item, id, room.title, detail: room.statusText, isBusy: room.live.meetEffect != nil,
            offers: [.tap(.app(.navigate(to: Screen(.member, room: room.id))))], children)
    }

    private func tombstone(_ tombstone: Tombstone) -> SemanticNode {
        let end = tombstone.by == .own ? "You ended the trust" : "The other person ended the trust"
        return SemanticNode(
            .item, "tombstone.\(tombstone.id)", tombstone.name,
            value: tombstone.fingerprint.map { .text("Identity \($0), never taken again") },
            detail: [end, tombstone.reason].compactMap(\.self).joined(separator: ": "), at: tombstone.revokedAt)
    }
}
