import AppCore

/// Messages that only the disk has: handed back in pages, and before an input that names them.
///
/// Each is read and told without a wait between, so that nothing happens to them meanwhile.
extension AppHost {
    func executeHistory(_ effect: Effect) {
        do {
            dispatch(.event(try history(effect)))
        } catch {
            dispatch(.event(.effectFailed(effect: effect.id, failure: Failure(error))))
        }
    }

    func history(_ effect: Effect) throws -> Event {
        switch effect.kind {
        case .loadHistory(let room, let after, let before, let limit, let isForward):
            let page = try profile.messages(
                in: room, after: after, before: before, limit: limit, isForward: isForward)
            return .historyLoaded(effect: effect.id, records: newest(page))
        case .findMessage(let room, let message, let limit, let seen):
            let (page, earlier) = try profile.messages(in: room, around: message, limit: limit)
            guard let first = page.first?.message?.order, first > seen else {
                return .historyLoaded(effect: effect.id, records: newest(page), earlier: earlier)
            }
            let unseen = try profile.received(in: room, after: seen, before: first, except: unsavedMessages)
            let unread = unseen.count + newest(unseen.changed).count { $0.message?.direction == .received }
            return .historyLoaded(effect: effect.id, records: newest(page), earlier: earlier, unread: unread)
        case .findUnseen(let room, let limit, let seen):
            let (page, earlier) = try profile.messages(in: room, around: seen &+ 1, limit: limit)
            // Those before have been seen.
            return .historyLoaded(effect: effect.id, records: newest(page), earlier: earlier, unread: 0)
        case .listReceived(let room, let after, let through, let limit):
            let page = try profile.messages(
                in: room, after: after, before: through &+ 1, limit: limit, isForward: true)
            let messages = newest(page).compactMap(\.message)
            return .receivedListed(
                effect: effect.id, messages: messages.filter { $0.direction == .received }.map(\.id),
                through: page.count < limit ? through : messages.last?.order ?? through)
        case .forgetHistory(let room, let time, let bytes):
            let gone = try profile.forgetMessages(in: room, expiredBy: time, bytes: bytes, except: unsavedMessages)
            return .historyForgotten(
                effect: effect.id, orders: gone.orders, received: gone.received, bytes: gone.bytes,
                expires: gone.nextExpiry)
        default: return .effectDone(effect: effect.id)
        }
    }

    /// Looks through the messages that are kept, beside everything else, and tells what it finds as it goes.
    func searchMessages(_ id: EffectID, _ query: String, in room: RoomID?) {
        let rooms = read { state in
            state.rooms.filter { !$0.keepsNothing && (room == nil || $0.id == room) }
                .sorted { $1.lastActivity < $0.lastActivity }.map(\.id)
        }
        let searcher = MessageSearcher(query)
        tasks[id] = Task { [profile] in
            var left = RoomLimits.hits
            do {
                for room in rooms {
                    var before = UInt64.max
                    while before > 0, left > 0 {
                        let page = try await Self.page(profile, room, before: before, searcher)
                        before = page.next
                        left -= page.hits.count
                        guard isAwaited(id), !isStopping else { return tasks[id] = nil }
                        guard !page.hits.isEmpty else { continue }
                        dispatch(.event(.messagesFound(effect: id, hits: page.hits, isFinished: false)))
                    }
                }
                dispatch(.event(.messagesFound(effect: id, hits: [], isFinished: true)))
            } catch {
                dispatch(.event(.effectFailed(effect: id, failure: Failure(error))))
            }
            tasks[id] = nil
        }
    }

    private func isAwaited(_ id: EffectID) -> Bool { read { $0.pendingEffects[id] != nil } }

    /// Looks at some messages, not on this actor.
    /// - Returns: what was found, the newest first, and the order before which to go on; 0 at the end.
    @concurrent private nonisolated static func page(
        _ profile: Profile, _ room: RoomID, before: UInt64, _ searcher: MessageSearcher
    ) async throws -> (hits: [MessageHit], next: UInt64) {
        let page = try profile.sealedMessages(in: room, before: before)
        let hits = page.messages.compactMap { searcher.hit($0, in: room) }
        return (hits, page.next)
    }

    /// Brings messages into memory that an input names.
    func recall(for action: Action) {
        guard let missing = read({ $0.missing(for: action) }), let records = try? profile.messages(missing),
            !records.isEmpty
        else { return }
        dispatch(.event(.recalled(room: missing.room, records: newest(records))))
    }
}
