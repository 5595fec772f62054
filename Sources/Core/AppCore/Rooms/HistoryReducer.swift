// Messages go from memory to the disk alone, and come back when somebody looks or something names them.

extension AppState {
    /// Whether most of the room's messages are on the disk alone.
    func hasPages(_ index: Int) -> Bool { recentMessages != nil && !rooms[index].keepsNothing }

    /// What the next start has to know of the room's messages; `nil` if all are handed back, or none is kept.
    func summary(of id: RoomID) -> LogSummary? {
        guard let recentMessages, let room = rooms[id], !room.keepsNothing, room.messages.nextOrder > 1 else {
            return nil
        }
        return room.messages.summary(unread: room.unreadCount, recent: recentMessages)
    }

    func logChanged(_ index: Int, _ context: inout DispatchContext) {
        if recentMessages != nil { context.changed(.log(rooms[index].id)) }
    }

    /// Nothing of the room is kept any more.
    func recordsGo(of room: Room, _ context: inout DispatchContext) {
        if recentMessages != nil { context.changed(.log(room.id)) }
        for message in room.messages.inMemory { context.changed(.message(room.id, message.id)) }
    }

    /// The room keeps nothing on the disk from now on, or does again: what was there alone is gone.
    mutating func historyEnds(_ index: Int, _ context: inout DispatchContext) {
        rooms[index].messages.closeGaps()
        rooms[index].restoreSeen()
        logChanged(index, &context)
    }

    // MARK: - Into memory

    mutating func loadHistory(
        _ id: RoomID, next message: MessageID, isForward: Bool, _ context: inout DispatchContext
    ) {
        guard let index = rooms.index(of: id), let place = rooms[index].messages.position(of: message) else { return }
        let log = rooms[index].messages
        guard let gap = isForward ? log.gap(behind: place) : log.gap(before: place) else { return }
        want(gap, of: id, isForward: isForward, &context)
    }

    mutating func findMessage(_ id: RoomID, _ message: MessageID, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), hasPages(index), MessageID.isValid(message.text[...]),
            rooms[index].messages.position(of: message) == nil, !rooms[index].messages.gaps.isEmpty
        else { return }
        let (limit, seen) = (max(recentMessages ?? 2, 2), rooms[index].seenUpTo ?? 0)
        want(.findMessage(room: id, message: message, limit: limit, seen: seen), &context)
    }

    /// Brings into memory where what is new to the person begins.
    mutating func findUnseen(_ index: Int, _ context: inout DispatchContext) {
        guard hasPages(index), rooms[index].messages.gaps.contains(where: { $0.unread > 0 }) else { return }
        let (limit, seen) = (max(recentMessages ?? 2, 2), rooms[index].seenUpTo ?? 0)
        want(.findUnseen(room: rooms[index].id, limit: limit, seen: seen), &context)
    }

    /// Where nothing is left to see, the newest of what is on the disk is shown.
    mutating func showMore(_ index: Int, _ context: inout DispatchContext) {
        guard rooms[index].messages.all.isEmpty, let gap = rooms[index].messages.gaps.last else { return }
        want(gap, of: rooms[index].id, isForward: false, &context)
    }

    private mutating func want(_ gap: HistoryGap, of room: RoomID, isForward: Bool, _ context: inout DispatchContext) {
        let limit = recentMessages ?? 1
        want(
            .loadHistory(room: room, after: gap.after, before: gap.before, limit: limit, isForward: isForward), &context
        )
    }

    /// Issues an effect unless it is under way.
    private mutating func want(_ kind: Effect.Kind, _ context: inout DispatchContext) {
        if !pendingEffects.contains(where: { $0 == kind }) { issue(kind, &context) }
    }

    mutating func historyLoaded(
        _ effect: EffectID, _ records: [Record], earlier: MessageLog.Earlier?, _ context: inout DispatchContext
    ) {
        guard let kind = pendingEffects[effect], let index = kind.room.flatMap(rooms.index) else { return }
        let page: [Message]
        let (first, last): (UInt64, UInt64)
        switch kind {
        case .loadHistory(let room, let after, let before, let limit, let isForward):
            settle(effect, &context)
            let isAll = records.count < limit
            page = messages(of: room, records, &context).filter { after < $0.order && $0.order < before }
            first = isAll || isForward ? after + 1 : page.first?.order ?? before
            last = isAll || !isForward ? before - 1 : page.last?.order ?? after
        case .findMessage(let room, let message, _, let seen) where seen != rooms[index].seenUpTo ?? 0:
            // What was unread before it has been seen meanwhile.
            settle(effect, &context)
            return findMessage(room, message, &context)
        case .findMessage(let room, _, _, _), .findUnseen(let room, _, _):
            settle(effect, &context)
            page = messages(of: room, records, &context)
            guard let oldest = page.first, let newest = page.last else { return }
            (first, last) = (oldest.order, newest.order)
        default: return
        }
        guard first <= last, zip(page, page.dropFirst()).allSatisfy({ $0.order < $1.order }) else { return }
        rooms[index].messages.fill(page, from: first, through: last, earlier: earlier)
        rooms[index].restoreSeen()
        logChanged(index, &context)
        limitMemory(index, around: page, &context)
        dropExpiredMessages(index, &context)
    }

    /// Takes messages into memory that the next input names, without showing them.
    mutating func recall(_ id: RoomID, _ records: [Record], _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), hasPages(index) else { return }
        rooms[index].messages.release()
        for message in messages(of: id, records, &context) { rooms[index].messages.hold(message) }
    }

    // MARK: - Out of memory

    /// Lets messages go from memory that nobody looks at: those before the newest, once they are as many again.
    /// - Parameter page: what came into memory just now, because somebody looks at it.
    mutating func limitMemory(_ index: Int, around page: [Message] = [], _ context: inout DispatchContext) {
        guard let recentMessages, hasPages(index), storageFailure == nil else { return }
        let log = rooms[index].messages
        let isShown = views.contains { $0.isIn(rooms[index].id) }
        let isTooMuch =
            log.savedBytes > RoomLimits.loadedBytes || log.all.count > RoomLimits.loadedMessages * recentMessages
        guard isTooMuch || !isShown, log.all.count > 2 * recentMessages, let summary = summary(of: rooms[index].id)
        else { return }
        let newest = log.all.lowerBound { $0.order < summary.from }
        let near = page.first.map { first in
            let start = log.all.lowerBound { $0.order < first.order }
            let end = min(newest, start + page.count + recentMessages)
            return min(max(0, start - recentMessages), end)..<end
        }
        let kept = near ?? newest..<newest
        if kept.upperBound < newest { rooms[index].messages.unload(kept.upperBound..<newest) }
        rooms[index].messages.unload(0..<kept.lowerBound)
        logChanged(index, &context)
    }

    // MARK: - Going

    /// Messages go whose time has come and that only the disk has.
    mutating func forgetExpiredHistory(_ index: Int, _ context: inout DispatchContext) {
        guard hasPages(index), let time = rooms[index].messages.gapExpiry, time <= context.now else { return }
        rooms[index].messages.gapExpiry = nil
        guard !rooms[index].messages.gaps.isEmpty else { return }
        rooms[index].messages.release()
        issue(.forgetHistory(room: rooms[index].id, expiredBy: context.now, bytes: nil), &context)
    }

    /// The oldest messages go where there is no room for more on the disk. The person is told: it may be the other side that fills it.
    mutating func limitHistory(_ index: Int, _ context: inout DispatchContext) {
        let log = rooms[index].messages
        guard log.savedBytes + log.gapBytes > RoomLimits.historyBytes, log.gaps.first?.after == 0 else { return }
        let id = rooms[index].id
        let isUnderWay = pendingEffects.contains { if case .forgetHistory(id, nil, _) = $0 { true } else { false } }
        guard !isUnderWay else { return }
        rooms[index].messages.release()
        issue(.forgetHistory(room: id, expiredBy: nil, bytes: RoomLimits.historyBytes / 100), &context)
        notify(.information, Wording.historyFull, room: id, context)
    }

    mutating func historyForgotten(
        _ effect: EffectID, _ orders: [UInt64], received: Set<UInt64>, bytes: Int, expires: Timestamp?,
        _ context: inout DispatchContext
    ) {
        guard case .forgetHistory(let room, let expiredBy, _) = pendingEffects[effect] else { return }
        settle(effect, &context)
        guard let index = rooms.index(of: room) else { return }
        let seen = rooms[index].seenUpTo ?? 0
        rooms[index].messages.forget(orders, bytes: bytes) { received.contains($0) && $0 > seen }
        rooms[index].messages.gapExpiry = expires
        rooms[index].restoreSeen()
        if expiredBy == nil {
            rooms[index].forgotten = (rooms[index].forgotten ?? 0) + orders.count
            context.changed(.room(room))
        }
        logChanged(index, &context)
        rereadSummaries(of: room, &context)
        if let next = rooms[index].messages.wakesAt { wake(at: next, &context) }
    }

    /// The disk would not let them go now.
    mutating func forgetHistoryLater(_ room: RoomID, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: room) else { return }
        let later = context.now.advanced(bySeconds: 60)
        rooms[index].messages.gapExpiry = later
        wake(at: later, &context)
    }
}

extension Effect.Kind {
    /// Whether it brings messages of this room into memory.
    func loadsHistory(of id: RoomID) -> Bool {
        switch self {
        case .loadHistory(let room, _, _, _, _), .findMessage(let room, _, _, _), .findUnseen(let room, _, _):
            room == id
        default: false
        }
    }

    /// Whether it brings into memory where what is new in this room begins.
    func findsUnseen(of id: RoomID) -> Bool {
        if case .findUnseen(id, _, _) = self { true } else { false }
    }
}
