// How a room comes to be: made or joined, watched or polled for, accepted or run out.

extension AppState {
    mutating func createRoom(name: String?, expiresIn: Int64, _ context: inout DispatchContext) {
        guard RoomLimits.expiryChoices.contains(expiresIn) else {
            return notify(.problem, Wording.expiryInvalid, context)
        }
        guard let index = addRoom(.creator, name: name, code: nil, words: nil, expiresIn: expiresIn, &context) else {
            return
        }
        views.update(context.view ?? .main) { $0.createForm = CreateForm() }
        begin(index, &context)
    }

    /// Joins by the digits; the words, if any, stay with the host.
    mutating func joinRoom(code: String, words: SecretRef?, name: String?, _ context: inout DispatchContext) {
        let digits = code.filter { !" -\u{2011}\u{2013}".contains($0) }
        guard digits.utf8.count == 6, digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
            return notify(.problem, Wording.codeInvalid, context)
        }
        guard let index = addRoom(.joiner, name: name, code: digits, words: words, expiresIn: nil, &context) else {
            return
        }
        if let left = actingView(context).joinForm.words, left != words { forget([left], &context) }
        views.update(context.view ?? .main) { $0.joinForm = JoinForm() }
        begin(index, &context)
    }

    private mutating func addRoom(
        _ role: Room.Role, name: String?, code: String?, words: SecretRef?, expiresIn: Int64?,
        _ context: inout DispatchContext
    ) -> Int? {
        let id = RoomID(context.fresh.first)
        guard rooms[id] == nil else { return nil }
        // What is saved before the disk is wiped would be wiped with it.
        guard !pendingEffects.isErasing else {
            notify(.information, Wording.erasing, context)
            return nil
        }
        guard canKeepMore(context) else { return nil }
        guard rooms.count < RoomLimits.rooms else {
            notify(.problem, Wording.tooManyRooms, context)
            return nil
        }
        var room = Room(
            id: id, name: Self.roomName(name ?? ""), role: role, status: role == .creator ? .creating : .joining,
            server: settings.server, device: DeviceID(context.fresh.second), code: code, words: words,
            createdAt: context.now,
            expiresIn: expiresIn)
        room.wantsLink = true
        rooms.append(room)
        return rooms.index(of: id)
    }

    /// Asks the server, and shows the room.
    private mutating func begin(_ index: Int, _ context: inout DispatchContext) {
        request(index, &context)
        enter(rooms[index].id, &context)
    }

    /// Goes straight to a room, in the view that asked for it.
    mutating func enter(_ room: RoomID, _ context: inout DispatchContext) {
        let view = actingView(context)
        if view.screen.room != room { stopTyping(in: view, &context) }
        views.update(view.id) { $0.screens = [Screen(.rooms)] }
        show(Screen(.chat, room: room), in: view.id, &context)
    }

    private mutating func request(_ index: Int, _ context: inout DispatchContext) {
        context.changed(.room(rooms[index].id))
        let address = rooms[index].address
        switch rooms[index].role {
        case .creator:
            issue(
                .createRoom(address: address, expiresIn: rooms[index].expiresIn ?? RoomLimits.defaultExpiry), &context)
        case .joiner: issue(.joinRoom(address: address), &context)
        }
    }

    mutating func retryRoom(_ id: RoomID, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].status == .failed, rooms[index].failure?.retryable == true
        else { return }
        rooms[index].failure = nil
        rooms[index].status = rooms[index].role == .creator ? .creating : .joining
        request(index, &context)
    }

    mutating func entryFailed(_ id: RoomID, _ failure: Failure, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), [.creating, .joining].contains(rooms[index].status) else { return }
        rooms[index].status = .failed
        rooms[index].failure = failure
        context.changed(.room(id))
        notify(.problem, Words(failure), room: id, context)
    }

    // MARK: - Made

    mutating func roomCreated(
        _ effect: EffectID, code: String, words: SecretRef?, expiresAt: Timestamp, tickets: Bool?,
        _ context: inout DispatchContext
    ) {
        guard case .createRoom(let address, let expiresIn) = pendingEffects[effect] else { return }
        settle(effect, &context)
        guard let index = rooms.index(of: address.room), rooms[index].status == .creating else { return }
        rooms[index].status = .pending
        rooms[index].code = code
        rooms[index].words = words
        rooms[index].tickets = tickets
        // The server's clock decides. If this machine's clock is ahead of it, the code must not run out early here.
        rooms[index].expiresAt = max(expiresAt, context.now.advanced(bySeconds: expiresIn))
        context.changed(.room(address.room))
        startWaiting(index, &context)
    }

    mutating func roomJoined(
        _ effect: EffectID, _ serverRoom: ServerRoomID, tickets: Bool?, _ context: inout DispatchContext
    ) {
        guard case .joinRoom(let address) = pendingEffects[effect] else { return }
        settle(effect, &context)
        guard let index = rooms.index(of: address.room), rooms[index].status == .joining else { return }
        rooms[index].tickets = tickets
        accept(index, serverRoom, &context)
    }

    private mutating func accept(_ index: Int, _ serverRoom: ServerRoomID, _ context: inout DispatchContext) {
        rooms[index].status = .accepted
        rooms[index].live.linkFailure = nil
        rooms[index].serverRoom = serverRoom
        context.changed(.room(rooms[index].id))
        if rooms[index].wantsLink { openLink(index, &context) }
    }

    // MARK: - Waiting for the other person

    /// Has the server push the other person's arrival, and polls as long as it does not.
    mutating func startWaiting(_ index: Int, _ context: inout DispatchContext) {
        guard rooms[index].status == .pending else { return }
        if rooms[index].live.watchEffect == nil {
            rooms[index].live.watchEffect = issue(.watchRoom(address: rooms[index].address), &context)
        }
        if let expiresAt = rooms[index].expiresAt { wake(at: expiresAt, &context) }
        planCheck(index, &context)
    }

    /// Polls while the app is in front and the server does not push. A code that has run out is asked about in any
    /// case: the server has the last word, for somebody may just have come in.
    private mutating func planCheck(_ index: Int, after wait: Int64 = 0, _ context: inout DispatchContext) {
        let isWanted = (isActive && !rooms[index].live.isWatched) || rooms[index].isPastExpiry(context.now)
        guard rooms[index].status == .pending, isWanted, rooms[index].live.checkEffect == nil else {
            rooms[index].live.nextCheck = nil
            return
        }
        let time = context.now.advanced(byMilliseconds: max(wait, RoomLimits.pollInterval))
        rooms[index].live.nextCheck = time
        wake(at: time, &context)
    }

    mutating func check(_ index: Int, _ context: inout DispatchContext) {
        rooms[index].live.nextCheck = nil
        guard rooms[index].status == .pending, rooms[index].live.checkEffect == nil else { return }
        rooms[index].live.checkEffect = issue(.checkRoom(address: rooms[index].address), &context)
    }

    mutating func roomWatching(_ effect: EffectID, _ on: Bool, _ context: inout DispatchContext) {
        guard case .watchRoom(let address) = pendingEffects[effect], let index = rooms.index(of: address.room),
            rooms[index].live.watchEffect == effect
        else { return }
        rooms[index].live.isWatched = on
        if on { rooms[index].live.linkFailure = nil }
        planCheck(index, &context)
    }

    mutating func roomAccepted(_ effect: EffectID, _ serverRoom: ServerRoomID, _ context: inout DispatchContext) {
        let address: RoomAddress
        switch pendingEffects[effect] {
        case .watchRoom(let watched): address = watched
        case .checkRoom(let checked): address = checked
        default: return
        }
        settle(effect, &context)
        guard let index = rooms.index(of: address.room), rooms[index].status == .pending else { return }
        stopWaiting(index, &context)
        accept(index, serverRoom, &context)
    }

    mutating func roomPending(_ effect: EffectID, _ context: inout DispatchContext) {
        guard case .checkRoom(let address) = pendingEffects[effect] else { return }
        settle(effect, &context)
        checkEnded(address.room, nil, &context)
    }

    mutating func checkFailed(_ effect: EffectID, _ id: RoomID, _ failure: Failure, _ context: inout DispatchContext) {
        settle(effect, &context)
        checkEnded(id, failure, &context)
    }

    private mutating func checkEnded(_ id: RoomID, _ failure: Failure?, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].status == .pending else { return }
        rooms[index].live.checkEffect = nil
        rooms[index].live.linkFailure = failure?.retryable == true ? failure : nil
        let isOver = rooms[index].isPastExpiry(context.now)
        if failure?.code.endsWaiting == true || (isOver && failure?.retryable == false) {
            expire(index, &context)
        } else {
            // The server still waits for somebody: then this machine's clock is wrong, and need not be asked so often.
            let rest = isOver && failure == nil ? RoomLimits.pollIntervalPastExpiry : 0
            planCheck(index, after: failure?.retryAfter ?? rest, &context)
        }
    }

    mutating func watchEnded(_ effect: EffectID, _ id: RoomID, _ failure: Failure?, _ context: inout DispatchContext) {
        settle(effect, &context)
        guard let index = rooms.index(of: id), rooms[index].live.watchEffect == effect else { return }
        rooms[index].live.watchEffect = nil
        rooms[index].live.isWatched = false
        if failure?.code.endsWaiting == true, rooms[index].status == .pending {
            expire(index, &context)
        } else {
            planCheck(index, &context)
        }
    }

    private mutating func expire(_ index: Int, _ context: inout DispatchContext) {
        stopWaiting(index, &context)
        rooms[index].live.linkFailure = nil
        rooms[index].status = .expired
        rooms[index].wantsLink = false
        context.changed(.room(rooms[index].id))
        notify(.information, Words(Failure(.codeExpired)), room: rooms[index].id, context)
    }

    private mutating func stopWaiting(_ index: Int, _ context: inout DispatchContext) {
        for effect in [rooms[index].live.watchEffect, rooms[index].live.checkEffect].compactMap(\.self) {
            settle(effect, &context)
        }
        rooms[index].live.watchEffect = nil
        rooms[index].live.checkEffect = nil
        rooms[index].live.isWatched = false
        rooms[index].live.nextCheck = nil
    }
}

extension Failure.Code {
    /// Whether this code admits nobody any more.
    fileprivate var endsWaiting: Bool {
        switch self {
        case .codeUnknown, .codeExpired, .codeSpent, .roomGone: true
        default: false
        }
    }
}
