extension Presentation {
    /// Who the other person of a room is, and the trust between the two.
    func memberScreen(_ room: Room) -> SemanticNode {
        let id = room.id
        var children = [SemanticNode(.text, "member.trust", room.trustText).with(Facts(ofMember: room))]
        if room.status == .accepted, room.trustGiven == nil { children.append(room.trustButton("member.add")) }
        if room.hasOffer {
            children.append(.button("member.decline", .circle(.declineTrust(room: id))))
        }
        children += room.identityNodes + room.keyNodes
        if !room.status.isOver {
            children.append(.button("member.room", .rooms(.openRoom(room: id))))
        }
        if room.canRevoke {
            children.append(
                .button("member.revoke", .app(.navigate(to: Screen(.revoke, room: id)))))
        }
        return page("member", room.titleWords, children)
    }

    /// Says what follows before it happens.
    func revokeScreen(_ room: Room) -> SemanticNode {
        page(
            "revoke", .key("revoke", ["room": .words(room.titleWords)]),
            [
                SemanticNode(
                    .text, "revoke.keys"),
                SemanticNode(
                    .text, "revoke.peer"),
                SemanticNode(
                    .text, "revoke.messages"),
                SemanticNode(
                    .text, "revoke.identity"),
                .button(
                    "revoke.confirm", .circle(.revokeTrust(room: room.id, reason: nil)),
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
                    .banner, "chat.offer", .key("chat.offer", ["room": .words(room.titleWords)]),
                    [
                        room.trustButton("chat.offer.accept"),
                        .button("chat.offer.decline", .circle(.declineTrust(room: id))),
                    ]))
        }
        if room.status == .accepted, room.trustGiven != nil, room.trustReceived == nil {
            nodes.append(SemanticNode(.status, "chat.trust_given", room.trustText))
        }
        if let warning = room.keyWarning {
            let renew = SemanticNode.button(
                "chat.keys.renew", .circle(.renewKeys(room: id)), isEnabled: room.canRenewKeys,
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
            .button, id, .key("member.add", ["room": .words(titleWords)]),
            detail: canTrust ? nil : Wording.trustTooEarly,
            isEnabled: canTrust, offers: [.tap(.circle(.trustPeer(room: self.id, name: nil)))])
    }

    fileprivate var identityNodes: [SemanticNode] {
        guard let identity else {
            return [SemanticNode(.text, "member.unknown")]
        }
        return [
            SemanticNode(
                .text, "member.number", value: .text(identity.safetyNumber),
                detail: .key("member.number.detail")),
            SemanticNode(.text, "member.fingerprint", value: .text(identity.fingerprint)),
        ]
    }

    fileprivate var keyNodes: [SemanticNode] {
        var nodes: [SemanticNode] = []
        if let keys = live.keys {
            nodes = [
                SemanticNode(
                    .text, "member.keys.theirs", value: .count(keys.theirs),
                    detail: keyWarning),
                SemanticNode(
                    .text, "member.keys.ours", value: .count(keys.ours)),
                SemanticNode(.text, "member.keys.epoch", value: .count(keys.epoch)),
            ]
        }
        if status == .accepted, identity != nil {
            nodes.append(
                .button(
                    "member.renew", .circle(.renewKeys(room: id)), isEnabled: canRenewKeys,
                    isBusy: live.renewEffect != nil))
        }
        return nodes
    }
}
