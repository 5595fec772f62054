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

    private func history(_ effect: Effect) throws -> Event {
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
            let unseen = try profile.messages(in: room, after: seen, before: first, limit: .max, isForward: true)
            let unread = newest(unseen).count { $0.message?.direction == .received }
            return .historyLoaded(effect: effect.id, records: newest(page), earlier: earlier, unread: unread)
        case .forgetHistory(let room, let time, let bytes):
            let gone = try profile.forgetMessages(in: room, expiredBy: time, bytes: bytes, except: unsavedMessages)
            return .historyForgotten(
                effect: effect.id, orders: gone.orders, received: gone.received, bytes: gone.bytes,
                expires: gone.nextExpiry)
        default: return .effectDone(effect: effect.id)
        }
    }

    /// Brings messages into memory that an input names.
    func recall(for action: Action) {
        guard let missing = read({ $0.missing(for: action) }), let records = try? profile.messages(missing),
            !records.isEmpty
        else { return }
        dispatch(.event(.recalled(room: missing.room, records: newest(records))))
    }
}
