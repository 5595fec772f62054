extension AppState {
    /// Does what is due by now, and asks for the next tick. Takes time in proportion to the number of rooms.
    mutating func tick(_ turn: inout Turn) {
        if let alarm = ledger.alarm {
            ledger.remove(alarm.effect)
            ledger.setAlarm(nil)
        }
        if let retryAt = lock.retryAt, retryAt <= turn.now {
            lock.retryAt = nil
            notices = []
        }
        retryParked(until: turn.now, &turn)
        for index in rooms.indices { passTime(index, &turn) }
        if let time = notes.reopenAt, time <= turn.now { openNotes(&turn) }
        if let time = apps.reopenAt, time <= turn.now { openApps(&turn) }
        if let next = nextDeadline { wake(at: next, &turn) }
    }

    private mutating func passTime(_ index: Int, _ turn: inout Turn) {
        dropExpiredMessages(index, &turn)
        if let until = rooms[index].live.peerTypesUntil, until <= turn.now { rooms[index].live.peerTypesUntil = nil }
        if let time = rooms[index].live.reopenAt, time <= turn.now {
            rooms[index].live.reopenAt = nil
            if rooms[index].wantsLink { openLink(index, &turn) }
        }
        if let time = rooms[index].live.giveUpAt, time <= turn.now { giveUpLink(index, &turn) }
        if let time = rooms[index].live.nextCheck, time <= turn.now { check(index, &turn) }
        if rooms[index].isPastExpiry(turn.now), rooms[index].live.nextCheck == nil { check(index, &turn) }
    }

    private var nextDeadline: Timestamp? {
        var deadlines = rooms.compactMap(\.nextDeadline)
        deadlines += ledger.parked.values
        if let retryAt = lock.retryAt { deadlines.append(retryAt) }
        deadlines += [notes.reopenAt, apps.reopenAt].compactMap(\.self)
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
        let times = [messages.nextExpiry, live.peerTypesUntil, live.reopenAt, live.giveUpAt, live.nextCheck, expiry]
        return times.compactMap(\.self).min()
    }
}
