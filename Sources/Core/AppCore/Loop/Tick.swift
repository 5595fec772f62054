extension AppState {
    /// Does what is due by now, and asks for the next tick. Takes time in proportion to the number of rooms.
    mutating func tick(_ context: inout DispatchContext) {
        if let alarm = pendingEffects.alarm {
            pendingEffects.remove(alarm.effect)
            pendingEffects.setAlarm(nil)
        }
        if let retryAt = lock.retryAt, retryAt <= context.now {
            lock.retryAt = nil
            notices = []
        }
        retryParked(until: context.now, &context)
        for index in rooms.indices { passTime(index, &context) }
        expireApprovals(&context)
        expireSummaries(&context)
        expireUnasked(&context)
        fillRecordings(context)
        showDueNotifications(&context)
        if let time = notes.reopenAt, time.isDue(at: context.now) { openNotes(&context) }
        if let time = apps.reopenAt, time.isDue(at: context.now) { openApps(&context) }
        if let next = nextDeadline { wake(at: next, &context) }
    }

    private mutating func passTime(_ index: Int, _ context: inout DispatchContext) {
        dropExpiredMessages(index, &context)
        if rooms[index].live.peerTypesUntil?.isDue(at: context.now) == true { rooms[index].live.peerTypesUntil = nil }
        if let time = rooms[index].live.reopenAt, time.isDue(at: context.now) {
            rooms[index].live.reopenAt = nil
            if rooms[index].wantsLink { openLink(index, &context) }
        }
        if let time = rooms[index].live.giveUpAt, time.isDue(at: context.now) { giveUpLink(index, &context) }
        if let time = rooms[index].live.nextCheck, time.isDue(at: context.now) { check(index, &context) }
        if rooms[index].isPastExpiry(context.now), rooms[index].live.nextCheck == nil { check(index, &context) }
    }

    private var nextDeadline: Timestamp? {
        var deadlines = rooms.compactMap(\.nextDeadline)
        deadlines += pendingEffects.parked.values
        if let retryAt = lock.retryAt { deadlines.append(retryAt) }
        deadlines += views.compactMap(\.recording).filter(\.isOn).compactMap(\.until)
        deadlines += (notifications ?? []).compactMap(\.dueAt)
        deadlines += [
            notes.reopenAt, apps.reopenAt, nextApprovalExpiry, nextSummaryExpiry, talks.unaskedUntil,
        ].compactMap(\.self)
        return deadlines.min()
    }
}

extension Room {
    /// Whether the code has run out while the core was waiting for the other person.
    func isPastExpiry(_ now: Timestamp) -> Bool { status == .pending && (expiresAt.map { $0 <= now } ?? false) }

    fileprivate var nextDeadline: Timestamp? {
        // A code that has run out is asked about once more; from then on `nextCheck` says when.
        let isAsking = live.checkEffect != nil || live.nextCheck != nil
        let expiry = status == .pending && !isAsking ? expiresAt : nil
        let times = [messages.wakesAt, live.peerTypesUntil, live.reopenAt, live.giveUpAt, live.nextCheck, expiry]
        return times.compactMap(\.self).min()
    }
}

extension Timestamp {
    /// Milliseconds after which every wait that ends with the process is over.
    private static let longestWait: Int64 = 86_400_000

    /// Whether a wait of this process is over. One that seems to have more than a day to go was begun under a clock that has been
    /// set back since.
    func isDue(at now: Timestamp) -> Bool { self <= now || now.advanced(byMilliseconds: Self.longestWait) < self }
}
