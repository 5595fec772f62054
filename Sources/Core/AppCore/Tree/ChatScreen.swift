extension Presentation {
    func chatScreen(_ room: Room, _ messages: MessageNodes) -> SemanticNode {
        var children = [
            SemanticNode(
                .status, "chat.status", room.statusText, detail: room.pathText,
                isBusy: [.connecting, .verifying, .reconnecting].contains(room.live.link)
            ).with(Facts(of: room)),
            .button("chat.settings", .app(.navigate(to: Screen(.roomSettings, room: room.id)))),
            .button("chat.search", .app(.navigate(to: Screen(.search, room: room.id)))),
        ]
        children += banners(room)
        if room.status == .pending { children += invitation(room) }
        if let forgotten = room.forgotten {
            children.append(
                SemanticNode(
                    .status, "chat.forgotten", Wording.oldestGone,
                    detail: .key("chat.forgotten.count", ["count": .count(forgotten)])))
        }
        if !room.messages.isEmpty { children.append(messageList(room, messages)) }
        if room.live.peerTypesUntil != nil {
            children.append(SemanticNode(.status, "chat.typing"))
        }
        if room.status == .accepted || room.status == .revoked { children += composer(room) }
        return page("chat", room.titleWords, children)
    }

    /// The messages that are wanted, as far as nothing is missing between them.
    private func messageList(_ room: Room, _ messages: MessageNodes) -> SemanticNode {
        let log = room.messages
        var list = SemanticNode(.list, "chat.messages")
        list.templates = MessageContext.templates(room.id)
        var request = windows[list.id]
        let shown = request?.anchor == nil ? view.shownMessage.flatMap(log.position) : nil
        let place = shown ?? request?.anchor.flatMap(MessageContext.message).flatMap(log.position)
        // Around what is to be seen stands as much behind it as before it.
        if shown != nil, let wanted = request { request?.after = max(wanted.after, wanted.before) }
        let stretch = log.stretch(around: place ?? log.all.count)
        let wanted = request?.rows(of: log.all.count, around: place) ?? stretch
        let rows = wanted.clamped(to: stretch)
        if request == nil, log.gaps.isEmpty, shown == nil {
            list.children = messages.nodes(of: room, for: view.id)
        } else {
            list.window = Window(count: log.count, first: log.rank(of: rows.lowerBound))
            list.window?.anchor = shown.map { "message.\(log.all[$0].id)" }
            list.children = ChunkedArray(log.all[rows].map(MessageContext(of: room).node))
        }
        list.facts.unseen = unseen(in: room)
        list.isBusy = pendingEffects.contains { $0.loadsHistory(of: room.id) }
        guard !list.isBusy else { return list }
        if let first = log.all[rows].first, rows.lowerBound == stretch.lowerBound,
            log.gap(before: rows.lowerBound) != nil
        {
            list.offers.append(Offer(.loadEarlier, .chat(.loadEarlier(room: room.id, message: first.id))))
        }
        if let last = log.all[rows].last, rows.upperBound == stretch.upperBound,
            log.gap(behind: rows.upperBound - 1) != nil
        {
            list.offers.append(Offer(.loadLater, .chat(.loadLater(room: room.id, message: last.id))))
        }
        return list
    }

    private func unseen(in room: Room) -> Facts.Unseen? {
        guard let unseen = view.unseen, unseen.room == room.id else { return nil }
        let log = room.messages
        let rest = log.messages(from: unseen.after + 1, through: log.nextOrder)
        let first = rest.first { $0.direction == .received }
        let isKnown = first.map { !log.isMissing(from: unseen.after + 1, through: $0.order) } ?? false
        guard isKnown || pendingEffects.contains(where: { $0.findsUnseen(of: room.id) }) else { return nil }
        return Facts.Unseen(first: isKnown ? first.map { "message.\($0.id)" } : nil, count: unseen.count)
    }

    /// What the person should know or decide before the messages.
    private func banners(_ room: Room) -> [SemanticNode] {
        var nodes: [SemanticNode] = []
        let id = room.id
        if room.live.verification == .unverified, room.live.comparison != true {
            let compare = SemanticNode.button(
                "chat.unverified.compare",
                .app(.navigate(to: Screen(.safetyNumber, room: id))))
            nodes.append(SemanticNode(.banner, "chat.unverified", Wording.unverified, [compare]))
        }
        if let failure = room.failure ?? room.live.linkFailure {
            nodes.append(SemanticNode(.banner, "chat.problem", Words(failure)))
        }
        if room.tickets == false, !room.status.isOver {
            nodes.append(SemanticNode(.banner, "chat.tickets", Wording.noTickets))
        }
        if room.status == .failed, room.failure?.retryable == true {
            nodes.append(.button("chat.retry", .rooms(.retryRoom(room: id))))
        }
        if room.status == .accepted, room.live.linkEffect == nil, room.live.meetEffect == nil {
            nodes.append(.button("chat.reconnect", .rooms(.openRoom(room: id))))
        }
        nodes += trustBanners(room)
        if room.needsNewCode {
            // Who made the room makes the next one; who joined is told its code.
            nodes.append(
                room.role == .creator
                    ? .button("chat.again", .app(.navigate(to: Screen(.create))))
                    : .button("chat.join_again", .app(.navigate(to: Screen(.join)))))
        }
        if room.status.isOver { nodes.append(.button("chat.delete", .rooms(.deleteRoom(room: id)))) }
        if let proposal = room.incomingProposal {
            let text = Words.key("chat.proposal", ["lifetime": .words(proposal.lifetime.words)])
            nodes.append(
                SemanticNode(
                    .banner, "chat.proposal", text,
                    [
                        .button("chat.proposal.accept", .chat(.answerLifetime(room: id, accept: true))),
                        .button("chat.proposal.decline", .chat(.answerLifetime(room: id, accept: false))),
                    ]))
        }
        if let proposal = room.outgoingProposal {
            let text = Words.key("chat.proposed", ["lifetime": .words(proposal.lifetime.words)])
            nodes.append(SemanticNode(.status, "chat.proposed", text))
        }
        return nodes
    }

    /// What the person passes on.
    private func invitation(_ room: Room) -> [SemanticNode] {
        var nodes = [SemanticNode(.text, "chat.code", value: .text(room.code ?? ""))]
        if let words = room.words {
            nodes.append(
                SemanticNode(
                    .text, "chat.words", value: .secret(words),
                    detail: .key("chat.words.detail")))
        }
        if let expiresAt = room.expiresAt {
            nodes.append(SemanticNode(.text, "chat.expires", value: .time(expiresAt)))
        }
        return nodes
    }

    private func composer(_ room: Room) -> [SemanticNode] {
        let id = room.id
        let canWrite = room.canWrite
        let text = draft(in: id)
        let canSend = canWrite && storageFailure == nil
        var draft = SemanticNode.field(
            "chat.draft", text: text, .chat(.setDraft(room: id, text: "")), input: "text",
            kind: .longText, isEnabled: canWrite, isFocused: true)
        // Why nothing can be written any more.
        if room.status.isOver { draft.detail = room.statusText }
        if text.utf8.count > RoomLimits.textBytes { draft = draft.invalid(Wording.textTooLong) }
        var nodes = [
            draft,
            .button(
                "chat.send", .chat(.sendText(room: id, text: text)),
                isEnabled: canSend && !text.trimmed.isEmpty),
        ]
        if canWrite, state.composers.isWrittenElsewhere(in: id, than: view.id) {
            nodes.append(
                .button("chat.take_draft", .chat(.takeDraft(room: id))))
        }
        if room.isMember {
            nodes.append(
                .button(
                    "chat.seal",
                    .circle(.sealByHand(room: id, text: text)),
                    isEnabled: room.canSealByHand && canSend && !text.trimmed.isEmpty))
        }
        nodes.append(
            SemanticNode(
                .button, "chat.attach", isEnabled: canSend,
                offers: [
                    Offer(
                        .attach, .chat(.sendFile(room: id, name: "", bytes: 0, handle: "", media: nil)),
                        inputs: ["name": .text, "bytes": .number, "handle": .file, "media": .media])
                ]))
        nodes += voice(id, canSend: canSend)
        nodes.append(
            SemanticNode(
                .button, "chat.place", isEnabled: canSend,
                offers: [Offer(.setText, .chat(.sharePlace(room: id, text: "")), inputs: ["text": .text])]))
        nodes.append(
            .button(
                "chat.leave", .rooms(.leaveRoom(room: id)),
                isEnabled: room.wantsLink || room.live.linkEffect != nil))
        return nodes
    }

    /// Where the view has a microphone: the way to record, or what is recorded.
    private func voice(_ room: RoomID, canSend: Bool) -> [SemanticNode] {
        guard let recording = view.recording, recording.room == room else {
            return view.canRecord ? [.button("chat.record", .chat(.recordVoice(room: room)), isEnabled: canSend)] : []
        }
        return [
            recordingNode(recording), .button("chat.recording.cancel", .chat(.cancelVoice(room: room))),
            .button(
                "chat.recording.send", .chat(.sendVoice(room: room)), isEnabled: canSend && recording.since != nil),
        ]
    }

    /// That the microphone is asked for, is on, or was on for as long as it may be.
    func recordingNode(_ recording: VoiceRecording) -> SemanticNode {
        let full = Words.key("chat.recording.full", ["limit": .duration(RoomLimits.voiceMilliseconds)])
        var facts = Facts()
        facts.recording = Facts.Recording(effect: recording.effect, until: recording.until)
        return SemanticNode(
            .status, "chat.recording",
            recording.isFull ? full : recording.since == nil ? "chat.recording.asking" : "chat.recording",
            at: recording.since, isBusy: recording.since == nil
        ).with(facts)
    }
}
