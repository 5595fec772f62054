extension Presentation {
    /// Who is trusted, and what is left of trust that has ended.
    var circleScreen: SemanticNode {
        let members = rooms.filter(\.isMember).sorted { ($0.title, $0.id) < ($1.title, $1.id) }
        let isOpening = pendingEffects.contains { if case .openByHand = $0 { true } else { false } }
        var children = [
            SemanticNode(
                .button, "circle.open", isEnabled: !isOpening,
                isBusy: isOpening, offers: [Offer(.attach, .circle(.openByHand(handle: "")), inputs: ["handle": .file])]
            )
        ]
        if members.isEmpty {
            children.append(
                SemanticNode(
                    .text, "circle.empty"))
        } else {
            children.append(SemanticNode(.section, "circle.members", members.map(member)))
        }
        if !circle.tombstones.isEmpty {
            let ended = circle.inOrder.reversed().map(tombstone)
            children.append(SemanticNode(.section, "circle.tombstones", ended))
        }
        return page("circle", children)
    }

    private func member(_ room: Room) -> SemanticNode {
        let id = "member.\(room.id)"
        var children: [SemanticNode] = []
        if let keys = room.live.keys {
            children.append(SemanticNode(.status, "\(id).keys", "member.keys_left", value: .count(keys.theirs)))
        }
        if let time = room.lastSeen {
            children.append(SemanticNode(.status, "\(id).seen", .key("member.seen"), value: .time(time)))
        }
        return SemanticNode(
            .item, id, room.titleWords, detail: room.statusText, isBusy: room.live.meetEffect != nil,
            offers: [.tap(.app(.navigate(to: Screen(.member, room: room.id))))], children
        ).with(Facts(ofMember: room))
    }

    private func tombstone(_ tombstone: Tombstone) -> SemanticNode {
        let end: Words = tombstone.by == .own ? "status.revoked.own" : "status.revoked.peer"
        return SemanticNode(
            .item, "tombstone.\(tombstone.id)", .said(tombstone.name),
            value: tombstone.fingerprint.map { .words(.key("tombstone.identity", ["fingerprint": .said($0)])) },
            detail: tombstone.reason.map { .key("tombstone.reason", ["end": .words(end), "reason": .said($0)]) } ?? end,
            at: tombstone.revokedAt)
    }
}
