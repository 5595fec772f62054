import AppCore

// The circle: meetings without a code, keys, trust and its end, messages that are carried.

extension World {
    mutating func noticeInCircle(_ effect: Effect) {
        switch effect.kind {
        case .meet(let address, _): circle.update(address.room) { $0.meeting = effect.id }
        case .stopMeeting(let room): stopMeeting(room)
        case .revokeTrust(let address, _):
            stopMeeting(address.room)
            circle.update(address.room) { $0.isRevoked = true }
            rooms.update(address.room) {
                $0.isOver = true
                $0.linkEnded()
            }
        default: break
        }
    }

    /// False if the effect is not for this subsystem.
    mutating func carryOutInCircle(_ effect: Effect) -> Bool {
        let id = effect.id
        switch effect.kind {
        case .meet(let address, let limit): meet(id, address.room, limit: limit)
        case .renewKeys(let room): renewKeys(id, room)
        case .revokeTrust: settings.online ? done(id) : fail(id, Self.unreachable)
        case .sealByHand(let room, _, _, _):
            useKey(of: room)
            tell(.sealedByHand(effect: id, handle: "sealed-\(rooms.number()).ntdf"), about: id)
        case .openByHand(let handle): open(id, handle)
        case .acknowledgeByHand(_, let message):
            for (handle, file) in circle.files where file.message == message { circle.files[handle]?.isOpened = true }
            done(id)
        default: return false
        }
        return true
    }

    // MARK: - Meetings

    private mutating func meet(_ effect: EffectID, _ room: RoomID, limit: Int64?) {
        guard settings.online else { return fail(effect, Self.unreachable) }
        books.note(effect, .lasting)
        if let limit {
            tell(
                .effectFailed(effect: effect, failure: Failure(.peerTimeout, retryable: true)), about: effect,
                after: limit)
        }
        peerLooks(for: room)
    }

    /// The peer comes to the meeting place, if it is there and still trusts this side.
    mutating func peerLooks(for room: RoomID) {
        let person = circle[room]
        guard let effect = person.meeting, settings.peer.meets, person.trusts, !person.isRevoked, settings.online,
            rooms[room]?.isPeerHere == true
        else { return }
        agenda.remove { if case .tell(_, effect) = $0 { true } else { false } }
        let number = rooms.number()
        tell(
            .memberMet(
                effect: effect, role: number % 2 == 0 ? .creator : .joiner, device: DeviceID("device-\(number)"),
                serverRoom: ServerRoomID("meeting-\(number)")), about: effect)
    }

    private mutating func stopMeeting(_ room: RoomID) {
        guard let effect = circle[room].meeting else { return }
        agenda.remove { if case .tell(_, effect) = $0 { true } else { false } }
        circle.update(room) { $0.meeting = nil }
    }

    // MARK: - Keys

    /// The two machines have verified each other: each learns who the other is, and they exchange keys.
    mutating func introduce(_ room: RoomID) {
        tell(
            .identityKnown(
                room: room, fingerprint: Self.fingerprint(of: room), safetyNumber: Self.safetyNumber(of: room)))
        if circle[room].keys == nil {
            circle.update(room) { $0.keys = settings.peer.pool }
            tellKeys(of: room)
        }
    }

    private static func fingerprint(of room: RoomID) -> String { "peer-of-\(room.text.prefix(8))" }

    /// This side has sealed a message.
    mutating func useKey(of room: RoomID) {
        guard let left = circle[room].keys, left > 0 else { return }
        let before = level(left)
        circle.update(room) { $0.keys = left - 1 }
        if level(left - 1) != before { tellKeys(of: room) }
    }

    mutating func setKeys(of room: RoomID, to count: Int) {
        circle.update(room) { $0.keys = count }
        tellKeys(of: room)
    }

    private func level(_ keys: Int) -> KeyState.Level {
        keys == 0 ? .lastResort : keys * 10 < settings.peer.pool ? .low : .enough
    }

    private mutating func tellKeys(of room: RoomID) {
        let person = circle[room]
        guard let keys = person.keys else { return }
        tell(.keysChanged(room: room, ours: settings.peer.pool, theirs: keys, epoch: person.epoch, level: level(keys)))
    }

    private mutating func renewKeys(_ effect: EffectID, _ room: RoomID) {
        guard rooms[room]?.isConnected == true else { return fail(effect, Failure(.peerTimeout)) }
        circle.update(room) { $0.epoch += 1 }
        setKeys(of: room, to: settings.peer.pool)
        done(effect)
    }

    // MARK: - Trust

    /// The other person says that this one is in their circle.
    mutating func peerTrusts(_ room: RoomID) { say(.trust, in: room) }

    /// The other person ends the trust; this side hears of it, or the notice is lost.
    mutating func peerRevokes(_ room: RoomID, isHeard: Bool) {
        circle.update(room) { $0.isRevoked = true }
        rooms.update(room) { $0.isOver = true }
        if isHeard { return tell(.trustRevoked(room: room)) }
        if let link = rooms[room]?.link { tell(self.link(link, .waitingForPeer), about: link) }
    }

    // MARK: - By hand

    /// The other person gives this side a file with a sealed message.
    mutating func peerHandsOver(_ text: String, in room: RoomID) -> String {
        let number = rooms.number()
        let handle = "from-peer-\(number).ntdf"
        circle.files[handle] = CarriedFile(
            room: room, message: MessageID("carried-\(number)"), sentAt: now, body: .text(text),
            seal: settings.peer.sealsWith)
        return handle
    }

    private mutating func open(_ effect: EffectID, _ handle: String) {
        guard let file = circle.files[handle] else { return fail(effect, Failure(.unreadable)) }
        if circle[file.room].isRevoked { return fail(effect, Failure(.trustRevoked)) }
        if file.isOpened { return fail(effect, Failure(.replayed)) }
        tell(
            .openedByHand(
                effect: effect, room: file.room, message: file.message, sentAt: file.sentAt, body: file.body,
                seal: file.seal), about: effect)
    }

    // MARK: - What the core has heard

    mutating func observeInCircle(_ event: Event, isOwn: Bool) {
        switch event {
        case .memberMet(let effect, _, _, let serverRoom):
            guard case .meet(let address, _) = books[effect] else { return }
            circle.update(address.room) {
                $0.meeting = nil
                $0.trusts = true
            }
            rooms.update(address.room) {
                $0.serverRoom = serverRoom
                $0.isPeerHere = true
                $0.isRemembered = true
            }
        case .effectFailed(let effect, _), .effectDone(let effect):
            guard case .meet(let address, _) = books[effect], circle[address.room].meeting == effect else { return }
            circle.update(address.room) { $0.meeting = nil }
        case .keysChanged(let room, _, let theirs, let epoch, _):
            circle.update(room) {
                $0.keys = theirs
                $0.epoch = epoch
            }
        case .trustRevoked(let room): circle.update(room) { $0.isRevoked = true }
        case .messageReceived(let room, _, _, _, .trust, _): circle.update(room) { $0.trusts = true }
        case .acknowledged(let effect):
            guard case .deliver(let room, _, let body, _) = books[effect] else { return }
            useKey(of: room)
            guard case .trust = body else { return }
            if isOwn, settings.peer.trusts == .accept, !circle[room].trusts { peerTrusts(room) }
        default: break
        }
    }
}
