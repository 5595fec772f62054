import AppCore

/// Checks after each step that nothing returns which ended with trust.
struct EndedTrust: Sendable {
    /// Rooms whose trust has ended, and how many messages they had.
    private var revoked: [RoomID: Int] = [:]
    private var tombstones: [RoomID: Tombstone] = [:]

    /// Looks at what the last step led to.
    mutating func follow(_ entries: [Log.Entry], _ core: any SimulatedCore) throws {
        for entry in entries {
            if case .app(.eraseAll) = entry.input.action { self = EndedTrust() }
            for effect in entry.effects {
                guard let room = effect.kind.usesTrust, revoked[room] != nil else { continue }
                throw Fault("\(effect.type) in a room whose trust has ended", isOfCore: false)
            }
        }
        guard let core = core as? BuiltInCore, !core.driver.state.lock.isLocked else { return }
        let state = core.driver.state
        for (id, tombstone) in tombstones where state.circle.tombstones[id] != tombstone {
            throw Fault("a tombstone has gone, or changed", isOfCore: false)
        }
        tombstones = state.circle.tombstones
        for room in state.rooms where room.status == .revoked {
            if let count = revoked[room.id], room.messages.count > count {
                throw Fault("a message came into a room whose trust has ended", isOfCore: false)
            }
            if room.messages.all.contains(where: { $0.status == .pending }) {
                throw Fault("a message waits in a room whose trust has ended", isOfCore: false)
            }
            guard tombstones[room.id] != nil else { throw Fault("trust ended without a tombstone", isOfCore: false) }
            revoked[room.id] = room.messages.count
        }
    }
}

extension Effect.Kind {
    /// The room in which this effect talks to the other person, or finds them.
    fileprivate var usesTrust: RoomID? {
        switch self {
        case .openLink(let address, _, _), .meet(let address, _), .joinRoom(let address): address.room
        case .deliver(let room, _, _, _), .sealByHand(let room, _, _, _), .renewKeys(let room),
            .acknowledge(let room, _),
            .acknowledgeByHand(let room, _), .sendRead(let room, _), .sendTyping(let room, _), .acceptFile(let room, _),
            .shareNote(let room, _):
            room
        default: nil
        }
    }
}
