// What a host with pages does for its core: it keeps messages in order on its disk, and hands them back when they are wanted.

extension CoreDriver {
    /// The records that a host with pages hands back when it starts, or once the vault is open: of each room's messages only those
    /// that belong into memory.
    package func recentRecords(where isWanted: (RecordKey) -> Bool = { _ in true }) -> [Record] {
        var firsts: [RoomID: UInt64] = [:]
        for record in records(where: isWanted) {
            guard case .log(let room) = record.key else { continue }
            firsts[room] = (try? JSON.decode(LogSummary.self, from: record.json.utf8))?.from
        }
        return records(where: isWanted).filter { record in
            guard case .message(let room, _) = record.key, let first = firsts[room], let message = record.message else {
                return true
            }
            return message.order >= first || message.isHeld
        }
    }

    /// The answer of a host with pages to what the core wants of a room's history; `nil` for other effects.
    package func history(for effect: Effect) -> Event? {
        switch effect.kind {
        case .loadHistory(let room, let after, let before, let limit, let isForward):
            let found = kept(in: room).filter { after < $0.message.order && $0.message.order < before }
            let page = isForward ? found.prefix(limit) : found.suffix(limit)
            return .historyLoaded(effect: effect.id, records: page.map(\.record))
        case .findMessage(let room, let id, let limit, let seen):
            let all = kept(in: room)
            guard let place = all.firstIndex(where: { $0.message.id == id }) else {
                return .historyLoaded(effect: effect.id, records: [])
            }
            return page(of: all, around: place, limit: limit, seen: seen, for: effect.id)
        case .findUnseen(let room, let limit, let seen):
            let all = kept(in: room)
            let place = all.firstIndex { $0.message.order > seen } ?? all.count
            return page(of: all, around: place, limit: limit, seen: seen, for: effect.id)
        case .listReceived(let room, let after, let through, let limit):
            let all = kept(in: room).map(\.message).filter { after < $0.order && $0.order <= through }
            let some = all.prefix(limit)
            return .receivedListed(
                effect: effect.id, messages: some.filter { $0.direction == .received }.map(\.id),
                through: some.count < all.count ? some.last?.order ?? through : through)
        case .searchMessages(let query, let room):
            let words = query.lowercased().split(separator: " ")
            let hits = state.rooms.filter { room == nil || $0.id == room }.flatMap { room in
                kept(in: room.id).reversed().compactMap { _, message -> MessageHit? in
                    guard let text = message.searchedText, words.allSatisfy({ text.lowercased().contains($0) }) else {
                        return nil
                    }
                    return MessageHit(of: message, in: room.id, snippet: text)
                }
            }
            return .messagesFound(effect: effect.id, hits: hits, isFinished: true)
        case .readForSummary(let room?, _):
            let messages = kept(in: room).suffix(SummaryLimits.messages).map(\.message)
            let material = SummaryMaterial(of: messages, with: state.rooms[room]?.title ?? "", at: clock.now)
            return .summaryText(effect: effect.id, text: material.text, expiresAt: material.expiresAt)
        case .forgetHistory(let room, let time, let bytes):
            return forgotten(effect.id, in: room, expiredBy: time, bytes: bytes)
        default: return nil
        }
    }

    private func page(
        of all: [(record: Record, message: Message)], around place: Int, limit: Int, seen: UInt64, for effect: EffectID
    ) -> Event {
        let first = max(0, place - limit / 2)
        let page = all[first..<min(all.count, first + limit)]
        return .historyLoaded(
            effect: effect, records: page.map(\.record), earlier: first,
            unread: all[..<first].count { $0.message.direction == .received && $0.message.order > seen })
    }

    private func forgotten(_ effect: EffectID, in room: RoomID, expiredBy time: Timestamp?, bytes: Int?) -> Event {
        var (gone, rest): ([Message], [Message]) = ([], [])
        var left = bytes ?? 0
        for (_, message) in kept(in: room) {
            let isDue = time.map { now in message.expiresAt.map { $0 <= now } ?? false } ?? (left > 0)
            if isDue, !message.isHeld, state.rooms[room]?.messages.contains(message.id) != true,
                gone.count < RoomLimits.forgottenAtOnce
            {
                gone.append(message)
                left -= message.savedBytes
            } else {
                rest.append(message)
            }
        }
        return .historyForgotten(
            effect: effect, orders: gone.map(\.order), received: gone.filter { $0.direction == .received }.map(\.order),
            bytes: gone.reduce(0) { $0 + $1.savedBytes }, expires: rest.compactMap(\.expiresAt).min())
    }

    /// What has to be in memory before this input.
    func recalled(for action: Action) -> Event? {
        guard let missing = state.missing(for: action) else { return nil }
        let records = kept(in: missing.room).filter { kept in
            missing.messages.contains(kept.message.id)
                || missing.answered != nil && kept.message.quote?.message == missing.answered
                || missing.unseenAfter.map { kept.message.order > $0 } ?? false
        }
        return records.isEmpty ? nil : .recalled(room: missing.room, records: records.map(\.record))
    }

    /// The messages of a room on the disk, in their order.
    func kept(in room: RoomID) -> [(record: Record, message: Message)] {
        records { key in if case .message(room, _) = key { true } else { false } }
            .compactMap { record in record.message.map { (record, $0) } }
            .sorted { ($0.1.order, $0.1.id) < ($1.1.order, $1.1.id) }
    }
}

extension Record {
    /// The message that it says; `nil` if it says none.
    package var message: Message? { try? JSON.decode(Message.self, from: json.utf8) }
}
