/// All that the nodes of messages depend on besides the messages.
struct MessageContext: Hashable {
    let room: RoomID
    let isTalking: Bool
    let canWrite: Bool
    let isOver: Bool

    init(of room: Room) {
        self.room = room.id
        isTalking = room.isTalking
        canWrite = room.canWrite
        isOver = room.status.isOver
    }

    /// The message that a node shows, by the node's id.
    static func message(of node: String) -> MessageID? {
        node.hasPrefix("message.") ? MessageID(String(node.dropFirst("message.".count))) : nil
    }

    /// One message as a node; its place in the list is its order.
    func node(_ message: Message) -> SemanticNode {
        let id = "message.\(message.id)"
        let (label, side): (Words, SemanticNode.Side) =
            switch message.direction {
            case .sent: ("message.own", .own)
            case .received: ("message.other", .other)
            case .note: ("message.note", .note)
            }
        var node = SemanticNode(.message, id, label, detail: statusText(of: message), at: message.at)
        node.side = side
        node.facts = Facts(of: message)
        node.uses = uses(of: message)
        switch message.body {
        case .text(let text), .reply(_, let text): node.value = .text(text)
        case .deleted: node.label = message.direction == .sent ? "message.deleted.own" : "message.deleted.other"
        case .file(let offer): describe(message, offer, &node)
        case .location(let place):
            node.value = .text("\(place.latitude), \(place.longitude)")
            node.label = message.direction == .sent ? "message.place.own" : "message.place.other"
        case .lifetimeChanged(let lifetime):
            node.label = .key("message.lifetime", ["lifetime": .words(lifetime.words)])
        case .peerLeft: node.label = "message.peer_left"
        case .becameMember: node.label = "message.became_member"
        case .noteShared(let line): describe(line, &node)
        case .reaction, .edit, .deletion, .changeAnswer, .lifetimeProposal, .lifetimeAnswer, .trust: break
        }
        if message.status == .failed, canWrite {
            let action = ChatAction.retryMessage(room: room, message: message.id)
            node.children.append(.button("\(id).retry", "message.retry", .chat(action)))
        }
        return node
    }

    /// Stands in a template until the row's message does.
    private static let anyMessage: MessageID = "_"

    /// Each of these is an action of its own, said once for the whole list.
    static func templates(_ room: RoomID) -> [Offer] {
        [
            Offer(
                .reply, .chat(.reply(room: room, message: anyMessage, text: "")),
                inputs: ["message": .thing, "text": .longText]),
            Offer(
                .react, .chat(.react(room: room, message: anyMessage, emoji: nil)),
                inputs: ["message": .thing, "emoji": .emoji]),
            Offer(
                .edit, .chat(.editMessage(room: room, message: anyMessage, text: "")),
                inputs: ["message": .thing, "text": .longText]),
            Offer(.delete, .chat(.deleteMessage(room: room, message: anyMessage)), inputs: ["message": .thing]),
            Offer(.open, .chat(.openFile(room: room, message: anyMessage)), inputs: ["message": .thing]),
            Offer(
                .save, .chat(.saveFile(room: room, message: anyMessage, to: "")),
                inputs: ["message": .thing, "to": .path]),
        ]
    }

    private func uses(of message: Message) -> [Offer.Verb] {
        let file: [Offer.Verb] =
            message.place == nil ? [] : message.direction == .received ? [.open, .save] : [.open]
        let always = (message.isDeletable ? [.delete] : []) + file
        guard canWrite else { return always }
        return (message.isAnswerable ? [.reply, .react] : []) + (message.isEditable ? [.edit] : []) + always
    }

    private func describe(_ line: SharedNoteLine, _ node: inout SemanticNode) {
        let title = ["title": Words.Arg.words(line.title.noteWords)]
        node.label =
            switch (line.by, line.outcome) {
            case (.own, _): .key("message.shared.own", title)
            case (.peer, .adopted): .key("message.shared.adopted", title)
            case (.peer, .offered): .key("message.shared.offered", title)
            }
        node.children = [
            .button("\(node.id).open", .key("message.open_note", title), .notes(.openNote(note: line.note)))
        ]
    }

    private func statusText(of message: Message) -> Words? {
        let reactions = (message.reactions ?? []).compactMap(\.emoji).joined(separator: " ")
        return Words(sentences: [
            message.quote.map { quote in
                quote.excerpt.isEmpty ? "message.answers.gone" : .key("message.answers", ["text": .said(quote.excerpt)])
            },
            deliveryText(of: message), changeText(of: message),
            reactions.isEmpty ? nil : .key("message.reactions", ["emoji": .said(reactions)]),
        ])
    }

    private func changeText(of message: Message) -> Words? {
        guard let change = message.change else { return nil }
        switch (message.direction, change.kind, change.state) {
        case (_, .edited, .waiting), (_, .edited, .followed): return "message.edited"
        case (_, .deleted, .followed), (_, .deleted, .waiting): return nil
        case (.received, .edited, _): return "message.kept.edited"
        case (.received, .deleted, _): return "message.kept.deleted"
        case (_, .edited, .kept): return "message.edited.kept"
        case (_, .deleted, .kept): return "message.deleted.kept"
        case (_, _, .undelivered): return "message.change.undelivered"
        }
    }

    private func deliveryText(of message: Message) -> Words? {
        guard message.body != .deleted else { return nil }
        guard message.direction == .sent else { return arrivalText(of: message) }
        switch message.status {
        case .pending where message.byHand != nil: return "delivery.sealing"
        case .pending: return isTalking ? "delivery.sending" : "delivery.waiting"
        case .delivered: return "delivery.delivered"
        case .read: return "delivery.seen"
        case .carried:
            return message.byHand?.handle.map { .key("delivery.carried", ["file": .said($0)]) } ?? "delivery.sealed"
        case .failed: return message.failure.map(Words.init) ?? "delivery.failed"
        case .unread: return nil
        }
    }

    private func arrivalText(of message: Message) -> Words? {
        Words(sentences: [
            message.byHand.map { _ in "message.by_hand" }, message.seal == .lastResort ? "message.last_resort" : nil,
        ])
    }

    private func describe(_ message: Message, _ offer: FileOffer, _ node: inout SemanticNode) {
        let isVoice = offer.media.kind == .voice
        node.label = isVoice ? "message.voice" : .said(offer.name)
        guard let transfer = message.transfer else { return }
        let isReceived = message.direction == .received
        let prefix = node.id
        let what = ["what": Words.Arg.words(isVoice ? "message.the_voice" : .said(offer.name))]
        let button = { (name: String, action: ChatAction) in
            SemanticNode.button(
                "\(prefix).\(name)", .key("message.\(name)", what), .chat(action), isEnabled: !isOver)
        }
        let accept = button("accept", .acceptFile(room: room, message: message.id))
        switch transfer.state {
        case .offered:
            if message.isBeingRead, let read = transfer.read, read < offer.bytes {
                node.value = .progress(done: read, total: offer.bytes)
                node.detail = "transfer.reading"
            } else if !isReceived, message.status == .delivered || message.status == .read {
                node.detail = "transfer.offered"
            }
            node.children =
                isReceived
                ? [accept, button("decline", .declineFile(room: room, message: message.id))]
                : [button("cancel", .cancelFile(room: room, message: message.id))]
        case .running:
            node.value = .progress(done: transfer.done, total: offer.bytes)
            node.children = [
                button("pause", .pauseFile(room: room, message: message.id)),
                button("cancel", .cancelFile(room: room, message: message.id)),
            ]
        case .paused:
            node.value = .progress(done: transfer.done, total: offer.bytes)
            node.detail = "transfer.paused"
            node.children = [
                button("resume", .resumeFile(room: room, message: message.id)),
                button("cancel", .cancelFile(room: room, message: message.id)),
            ]
        case .finished: node.detail = isReceived ? "transfer.received" : "transfer.sent"
        case .declined:
            node.detail = "transfer.declined"
            if isReceived { node.children = [accept] }
        case .cancelled:
            node.detail = "transfer.cancelled"
            if isReceived { node.children = [accept] }
        case .failed:
            node.detail = transfer.failure.map(Words.init)
            if isReceived { node.children = [accept] }
        }
    }
}

extension SemanticNode {
    /// The message that a row of this list shows, by the row's id; `nil` if it shows none.
    package func message(of row: String) -> MessageID? { id == "chat.messages" ? MessageContext.message(of: row) : nil }
}
