// One-time keys: how many are left, new ones, and messages that none of them opened.

extension AppState {
    mutating func keysChanged(_ id: RoomID, _ keys: KeyState) {
        guard let index = rooms.index(of: id), rooms[index].status == .accepted else { return }
        rooms[index].live.keys = KeyState(
            ours: max(keys.ours, 0), theirs: max(keys.theirs, 0), epoch: max(keys.epoch, 0), level: keys.level)
    }

    mutating func renewKeys(_ id: RoomID, _ turn: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].canRenewKeys else { return }
        rooms[index].live.renewEffect = issue(.renewKeys(room: id), &turn)
    }

    mutating func renewalEnded(_ effect: EffectID, _ id: RoomID, _ failure: Failure?, _ turn: inout DispatchContext) {
        settle(effect, &turn)
        guard let index = rooms.index(of: id), rooms[index].live.renewEffect == effect else { return }
        rooms[index].live.renewEffect = nil
        if let failure { notify(.problem, Wording.sentence(for: failure), room: id) }
    }

    /// A message came that could not be opened. The first one of its kind is told, the rest are counted.
    mutating func sealedRefused(_ id: RoomID, _ reason: Failure.Code) {
        guard let index = rooms.index(of: id), rooms[index].status == .accepted else { return }
        let known: Set<Failure.Code> = [.forged, .replayed, .keyReused, .unknownKey]
        let reason = known.contains(reason) ? reason : .unreadable
        let isFirst = rooms[index].live.refusals.add(reason)
        if isFirst { notifyOnce(.problem, Wording.sentence(for: Failure(reason)), room: id) }
    }
}
