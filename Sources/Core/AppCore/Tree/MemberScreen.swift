extension Presentation {
    /// Who the other person of a room is, and the trust between the two.
    func memberScreen(_ room: Room) -> SemanticNode {
        let id = room.id
        var children = [SemanticNode(.text, "member.trust", room.trustText)]
        if room.status == .accepted, room.trustGiven == nil { children.append(room.trustButton("member.add")) }
        if room.hasOffer {
            children.append(.button("member.decline", "Leave it unanswered", .circle(.declineTrust(room: id))))
        }
        children += room.identityNodes + room.keyNodes
        if !room.status.isOver {
            children.append(.button("member.room", "Open the room", .rooms(.openRoom(room: id))))
        }
        if room.canRevoke {
            children.append(
                .button("member.revoke", "End the trust", .app(.navigate(to: Screen(.revoke, room: id)))))
        }
        return page("member", room.title, children)
    }

    /// Says what follows before it happens.
    func revokeScreen(_ room: Room) -> SemanticNode {
        page(
            "revoke", "End the trust in \(room.title)?",
            [
                SemanticNode(
                    .text, "revoke.keys",
                    "The keys of both directions are destroyed on this device: what was not opened yet never will be."),
                SemanticNode(
                    .text, "revoke.peer",
                    "The other person is told, if they are connected, and the connection closes at once."),
                SemanticNode(
                    .text, "revoke.messages",
                    "What was said stays here until you delete the room. Nothing more can be said."),
                SemanticNode(
                    .text, "revoke.identity",
                    "Their identity is never taken again. To trust each other anew you meet in a new room."),
                .button(
                    "revoke.confirm", "End the trust now", .circle(.revokeTrust(room: room.id, reason: nil)),
                    isEnabled: room.canRevoke),
            ])
    }

    /// What a room's people should know or decide about trust and keys.
    func trustBanners(_ room: Room) -> [SemanticNode] {
        let id = room.id
        var nodes: [SemanticNode] = []
        if room.hasOffer {
            nodes.append(
                SemanticNode(
                    .banner, "chat.offer", "\(room.title) wants you in their circle.",
                    [
                        room.trustButton("chat.offer.accept"),
                        .button("chat.offer.decline", "Leave it unanswered", .circle(.declineTrust(room: id))),
                    ]))
        }
        if room.status == .accepted, room.trustGiven != nil, room.trustReceived == nil {
            nodes.append(SemanticNode(.status, "chat.trust_given", room.trustText))
        }
        if let warning = room.keyWarning {
            let renew = SemanticNode.button(
                "chat.keys.renew", "Make new keys", .circle(.renewKeys(room: id)), isEnabled: room.canRenewKeys,
                isBusy: room.live.renewEffect != nil)
            nodes.append(SemanticNode(.banner, "chat.keys", warning, [renew]))
        }
        if let refusals = room.refusalText { nodes.append(SemanticNode(.banner, "chat.refused", refusals)) }
        return nodes
    }
}

extension Room {
    fileprivate func trustButton(_ id: String) -> SemanticNode {
        SemanticNode(
            .button, id, "Add \(title) to your circle", detail: canTrust ? nil : Wording.trustTooEarly,
            isEnabled: canTrust, offers: [.tap(.circle(.trustPeer(room: self.id, name: nil)))])
    }

    fileprivate var identityNodes: [SemanticNode] {
        guard let identity else {
            return [SemanticNode(.text, "member.unknown", "Their identity is learnt when you are connected.")]
        }
        return [
            SemanticNode(
                .text, "member.number", "Safety number", value: .text(identity.safetyNumber),
                detail: "Read it to each other: it stays the same for as long as the trust lasts."),
            SemanticNode(.text, "member.fingerprint", "Their identity", value: .text(identity.fingerprint)),
        ]
    }

    fileprivate var keyNodes: [SemanticNode] {
        var nodes: [SemanticNode] = []
        if let keys = live.keys {
            nodes = [
                SemanticNode(
                    .text, "member.keys.theirs", "Keys left to write to them", value: .text("\(keys.theirs)"),
                    detail: keyWarning),
                SemanticNode(
                    .text, "member.keys.ours", "Keys they have left to write to you", value: .text("\(keys.ours)")),
                SemanticNode(.text, "member.keys.epoch", "Pool", value: .text("\(keys.epoch)")),
            ]
        }
        if status == .accepted, identity != nil {
            nodes.append(
                .button(
                    "member.renew", "Make new keys", .circle(.renewKeys(room: id)), isEnabled: canRenewKeys,
                    isBusy: live.renewEffect != nil))
        }
        return nodes
    }
}
