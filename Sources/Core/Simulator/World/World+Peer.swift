import AppCore

// The person on the other side, and their machine.

extension World {
    /// The other person enters the code, or is there again.
    mutating func peerArrives(_ id: RoomID) {
        rooms.update(id) { $0.isPeerHere = true }
        guard settings.online, let room = rooms[id] else { return }
        if let watch = room.watch, settings.pushes { accept(watch, id) }
        if room.link != nil { connect(id) }
        peerLooks(for: id)
    }

    /// The other person's machine goes away without a word.
    mutating func peerVanishes(_ id: RoomID) {
        rooms.update(id) { $0.isPeerHere = false }
        guard let room = rooms[id], let link = room.link else { return }
        tell(self.link(link, room.isConnected ? .reconnecting : .waitingForPeer), about: link)
    }

    // MARK: - What this side sends

    mutating func deliver(_ effect: Effect, _ id: RoomID) {
        if rooms[id]?.isConnected == true, settings.online, settings.peer.acknowledges {
            tell(.acknowledged(effect: effect.id), about: effect.id)
        } else {
            books.note(effect.id, .held)
            rooms.update(id) { $0.held.append(effect) }
        }
    }

    /// Gets what waits to the peer, in order.
    mutating func flush(_ id: RoomID) {
        guard let room = rooms[id], room.isConnected, settings.peer.acknowledges, !room.held.isEmpty else { return }
        rooms.update(id) { $0.held = [] }
        for effect in room.held where books[effect.id] != nil { deliver(effect, id) }
    }

    /// The peer has it. Only a peer that the world plays does something about it at once.
    mutating func acknowledged(_ effect: EffectID, reacts: Bool) {
        guard case .deliver(let room, let message, let body, _) = books[effect] else { return }
        switch body {
        case .lifetimeProposal: rooms.update(room) { $0.proposal = message }
        case .file(let offer): rooms.update(room) { $0.asked[message] = offer }
        case .edit, .deletion:
            if reacts, settings.peer.acknowledges { say(.changeAnswer(change: message, accepted: true), in: room) }
            return
        case .text, .location, .reply: rooms.update(room) { $0.unseen.append(message) }
        case .reaction, .changeAnswer, .deleted, .lifetimeAnswer, .lifetimeChanged, .trust, .becameMember, .peerLeft,
            .noteShared:
            return
        }
        guard reacts else { return }
        answerLifetime(settings.peer.lifetimes, in: room)
        answerFile(settings.peer.files, in: room)
        if settings.peer.sees { seeAll(in: room) }
        if settings.peer.echoes, case .text = body { say(body, in: room) }
    }

    // MARK: - What the person does

    /// Says something; the room must be connected.
    mutating func say(_ body: Body, in id: RoomID, seal: Seal? = nil) {
        rooms.update(id) { $0.sequence += 1 }
        let message = MessageID("from-peer-\(rooms.number())")
        let sequence = rooms[id]?.sequence ?? 1
        tell(
            .messageReceived(
                room: id, message: message, sequence: sequence, sentAt: now, body: body,
                seal: seal ?? settings.peer.sealsWith))
    }

    /// Looks at everything that came.
    mutating func seeAll(in id: RoomID) {
        guard let unseen = rooms[id]?.unseen, !unseen.isEmpty else { return }
        rooms.update(id) { $0.unseen = [] }
        tell(.receipts(room: id, messages: unseen))
    }

    mutating func answerLifetime(_ answer: PeerSettings.Answer, in id: RoomID) {
        guard answer != .ignore, let proposal = rooms[id]?.proposal else { return }
        rooms.update(id) { $0.proposal = nil }
        say(.lifetimeAnswer(proposal: proposal, accepted: answer == .accept), in: id)
    }

    /// Takes the files that this side offers, or does not want them.
    mutating func answerFile(_ answer: PeerSettings.Answer, in id: RoomID) {
        guard answer != .ignore, let asked = rooms[id]?.asked, !asked.isEmpty else { return }
        rooms.update(id) { $0.asked = [:] }
        for (message, offer) in asked.sorted(by: { $0.key < $1.key }) {
            if answer == .accept {
                tell(.fileProgress(room: id, message: message, bytes: offer.bytes / 2))
                tell(.fileFinished(room: id, message: message, path: nil))
            } else {
                tell(.fileFailed(room: id, message: message, failure: Failure(.fileDeclined)))
            }
        }
    }

    // MARK: - Files from the peer

    mutating func receiveFile(_ effect: EffectID, _ room: RoomID, _ message: MessageID) {
        guard let offer = rooms[room]?.offers[message] else { return fail(effect, Failure(.peerGone)) }
        guard rooms[room]?.isConnected == true else {
            return fail(effect, Failure(.peerTimeout, retryable: true))
        }
        tell(.fileProgress(room: room, message: message, bytes: offer.bytes / 2), about: effect)
        tell(.fileFinished(room: room, message: message, path: "Files/\(offer.name)"), about: effect)
        done(effect)
    }

    mutating func pauseFile(_ effect: EffectID, _ message: MessageID) {
        stopBytes(message)
        done(effect)
    }

    mutating func resumeFile(_ effect: EffectID, _ room: RoomID, _ message: MessageID) {
        guard rooms[room]?.offers[message] != nil else { return done(effect) }
        receiveFile(effect, room, message)
    }

    mutating func stopFile(_ effect: EffectID, _ message: MessageID) {
        stopBytes(message)
        for room in rooms.order where rooms[room]?.asked[message] != nil {
            rooms.update(room) { $0.asked[message] = nil }
        }
        done(effect)
    }

    private mutating func stopBytes(_ message: MessageID) {
        if let running = rooms.incoming.removeValue(forKey: message) {
            agenda.remove { if case .tell(_, running) = $0 { true } else { false } }
            done(running)
        }
    }
}
