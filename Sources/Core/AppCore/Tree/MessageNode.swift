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

    /// One message as a node; its place in the list is its order.
    func node(_ message: Message) -> SemanticNode {
        let id = "message.\(message.id)"
        let (label, side): (String, SemanticNode.Side) =
            switch message.direction {
            case .sent: ("You", .own)
            case .received: ("The other person", .other)
            case .note: ("Note", .note)
            }
        var node = SemanticNode(.message, id, label, detail: statusText(of: message), at: message.at)
        node.side = side
        switch message.body {
        case .text(let text): node.value = .text(text)
        case .file(let offer): describe(message, offer, &node)
        case .location(let place):
            node.value = .text("\(place.latitude), \(place.longitude)")
            node.label = message.direction == .sent ? "Your place" : "The other person's place"
        case .lifetimeChanged(let lifetime): node.label = "You both agreed: messages \(lifetime.words)."
        case .peerLeft: node.label = "The other person left."
        case .becameMember: node.label = "You are in each other's circle now."
        case .noteShared(let line): describe(line, &node)
        case .lifetimeProposal, .lifetimeAnswer, .trust: break
        }
        if message.status == .failed, canWrite {
            let action = ChatAction.retryMessage(room: room, message: message.id)
            node.children.append(.button("\(id).retry", "Send again", .chat(action)))
        }
        return node
    }

    private func describe(_ line: SharedNoteLine, _ node: inout SemanticNode) {
        let title = line.title.isEmpty ? "Untitled" : line.title
        node.label =
            switch (line.by, line.outcome) {
            case (.own, _): "You share “\(title)”."
            case (.peer, .adopted): "The other person shares “\(title)”: you edit it together."
            case (.peer, .offered):
                "The other person shares “\(title)”, which you have too: share it back to edit it together."
            }
        node.children = [.button("\(node.id).open", "Open “\(title)”", .notes(.openNote(note: line.note)))]
    }

    private func statusText(of message: Message) -> String? {
        guard message.direction == .sent else { return arrivalText(of: message) }
        switch message.status {
        case .pending where message.byHand != nil: return "Being sealed"
        case .pending: return isTalking ? "Sending" : "Waiting for the connection"
        case .delivered: return "Delivered"
        case .read: return "Seen"
        case .carried: return message.byHand?.handle.map { "Sealed in a file to be carried: \($0)" } ?? "Sealed"
        case .failed: return message.failure.map(Wording.sentence) ?? "Not sent"
        case .unread: return nil
        }
    }

    private func arrivalText(of message: Message) -> String? {
        let marks = [
            message.byHand.map { _ in "Carried by hand" },
            message.seal == .lastResort ? "Sealed with the last-resort key, which is used more than once" : nil,
        ]
        let text = marks.compactMap(\.self).joined(separator: ". ")
        return text.isEmpty ? nil : text
    }

    private func describe(_ message: Message, _ offer: FileOffer, _ node: inout SemanticNode) {
        let isVoice = offer.media.kind == .voice
        node.label = isVoice ? "Voice message" : offer.name
        guard let transfer = message.transfer else { return }
        let isReceived = message.direction == .received
        let (prefix, what) = (node.id, isVoice ? "the voice message" : offer.name)
        let button = { (name: String, verb: String, action: ChatAction) in
            SemanticNode.button("\(prefix).\(name)", "\(verb) \(what)", .chat(action), isEnabled: !isOver)
        }
        let accept = button("accept", "Receive", .acceptFile(room: room, message: message.id))
        switch transfer.state {
        case .offered:
            if message.isBeingRead, let read = transfer.read, read < offer.bytes {
                node.value = .progress(done: read, total: offer.bytes)
                node.detail = "Reading the file"
            }
            node.children =
                isReceived
                ? [accept, button("decline", "Decline", .declineFile(room: room, message: message.id))]
                : [button("cancel", "Cancel", .cancelFile(room: room, message: message.id))]
        case .running:
            node.value = .progress(done: transfer.done, total: offer.bytes)
            node.children = [button("cancel", "Cancel", .cancelFile(room: room, message: message.id))]
        case .finished: node.detail = isReceived ? "Received" : "The other person has the file"
        case .declined:
            node.detail = "Declined"
            if isReceived { node.children = [accept] }
        case .cancelled:
            node.detail = "Cancelled"
            if isReceived { node.children = [accept] }
        case .failed:
            node.detail = transfer.failure.map(Wording.sentence)
            if isReceived { node.children = [accept] }
        }
    }
}
