// What the person has seen: up to which message, how many are left, and what the peer is told of it.

extension AppState {
    /// Everything in the room now counts as seen.
    mutating func markSeen(_ index: Int, _ context: inout DispatchContext) {
        guard let last = rooms[index].messages.last?.order else { return }
        markSeen(index, through: last, &context)
    }

    private mutating func markSeen(_ index: Int, through last: UInt64, _ context: inout DispatchContext) {
        let first = (rooms[index].seenUpTo ?? 0) + 1
        guard rooms[index].unreadCount > 0, last >= first else { return }
        rooms[index].live.unreportedFrom = rooms[index].live.unreportedFrom ?? first
        let seen = rooms[index].messages.messages(from: first, through: last).count { $0.direction == .received }
        let unseen = rooms[index].messages.seeGaps(through: last)
        rooms[index].seenUpTo = last
        rooms[index].unreadCount -= seen + unseen
        context.changed(.room(rooms[index].id))
        logChanged(index, &context)
        reportSeen(index, &context)
    }

    /// Marks as seen what a view says that its person has seen.
    mutating func seen(_ room: RoomID, upTo message: MessageID, _ context: inout DispatchContext) {
        // What can be seen is in memory.
        guard let index = rooms.index(of: room), let place = rooms[index].messages.position(of: message) else { return }
        markSeen(index, through: rooms[index].messages.all[place].order, &context)
    }

    /// Tells the peer what was seen, as soon as it can be told. What is not in memory the disk names, some of it at a time.
    mutating func reportSeen(_ index: Int, _ context: inout DispatchContext) {
        guard rooms[index].isTalking, let first = rooms[index].live.unreportedFrom else { return }
        let (id, last) = (rooms[index].id, rooms[index].seenUpTo ?? 0)
        if rooms[index].messages.isMissing(from: first, through: last) {
            let isUnderWay = pendingEffects.contains { if case .listReceived(id, _, _, _) = $0 { true } else { false } }
            guard !isUnderWay else { return }
            issue(
                .listReceived(room: id, after: max(first, 1) - 1, through: last, limit: RoomLimits.receipts), &context)
            return
        }
        rooms[index].live.unreportedFrom = nil
        let seen = rooms[index].messages.messages(from: first, through: last)
        sendRead(id, seen.filter { $0.direction == .received }.map(\.id), &context)
    }

    /// The disk has named what came from the peer in a stretch that the person has seen.
    mutating func receivedListed(
        _ effect: EffectID, _ messages: [MessageID], through last: UInt64, _ context: inout DispatchContext
    ) {
        guard case .listReceived(let id, let after, let through, _) = pendingEffects[effect] else { return }
        settle(effect, &context)
        // Where the link went down meanwhile, nobody would hear it: it is asked for again when it stands.
        guard let index = rooms.index(of: id), rooms[index].isTalking, rooms[index].live.unreportedFrom == after &+ 1
        else { return }
        let last = min(max(last, after &+ 1), through)
        rooms[index].live.unreportedFrom = last < rooms[index].seenUpTo ?? 0 ? last + 1 : nil
        sendRead(id, messages, &context)
        reportSeen(index, &context)
    }

    private mutating func sendRead(_ id: RoomID, _ messages: [MessageID], _ context: inout DispatchContext) {
        for start in stride(from: 0, to: messages.count, by: RoomLimits.receipts) {
            let batch = Array(messages[start..<min(start + RoomLimits.receipts, messages.count)])
            issue(.sendRead(room: id, messages: batch), &context)
        }
    }
}

extension Room {
    /// Completes a room whose messages were restored.
    mutating func restoreSeen() {
        let last = messages.nextOrder - 1
        if let seenUpTo {
            // Where no message was kept, the orders begin again.
            self.seenUpTo = min(seenUpTo, last)
        } else {
            let unread = messages.all.first { $0.direction == .received && $0.status == .unread }
            seenUpTo = unread.map { max($0.order, 1) - 1 } ?? last
        }
        messages.seen = seenUpTo ?? 0
        unreadCount = messages.messages(from: seenUpTo ?? 0, through: last).count(where: messages.isUnread)
        unreadCount += messages.gaps.reduce(0) { $0 + $1.unread }
    }
}
