/// The durable part of ``PendingEffects``.
struct Counters: Codable { var reserved: UInt64 }

/// What is left to say of a profile that is being erased: the effect that does it. It names nothing that was in it.
struct Erasure: Codable { var effect: EffectID }

/// Why a record cannot be told.
package enum RecordError: Error {
    /// The core is locked and no longer knows the content: what is on disk must stay. Ask right after the dispatch.
    case locked
}

extension RecordKey {
    fileprivate var isContent: Bool {
        switch self {
        case .room, .message, .log, .tombstone, .draft, .composer, .agent, .agentSession, .agentItem, .agentLog: true
        case .settings, .counters, .effect, .erasing: false
        }
    }
}

extension AppState {
    /// The keys of everything durable that this state knows of.
    var recordKeys: [RecordKey] {
        let content = rooms.flatMap { room in
            [RecordKey.room(room.id), .log(room.id)] + room.messages.inMemory.map { .message(room.id, $0.id) }
        }
        let tombstones = circle.inOrder.map { RecordKey.tombstone($0.id) }
        let drafts = notes.drafts.map { RecordKey.draft($0.note) } + composers.all.map { .composer($0.room) }
        let agents = agents.inOrder.map { RecordKey.agent($0.id) } + talks.inOrder.flatMap(\.recordKeys) + [.agentLog]
        let effects = pendingEffects.inOrder.flatMap { effect in effect.kind.recordKeys(effect.id) }
        return [.settings, .counters] + content + tombstones + drafts + agents + effects
    }
}

extension Core {
    /// The bytes to save for a key that an ``Outcome`` named; `nil` means that nothing is to be kept under it.
    ///
    /// Take them right after the dispatch. Messages of rooms that keep nothing have no record.
    /// - Throws: ``RecordError/locked`` for content that the core has forgotten since, because it was locked.
    package func record(for key: RecordKey) throws -> [UInt8]? {
        if state.lock.isLocked, key.isContent { throw RecordError.locked }
        switch key {
        case .settings: return try JSON.encode(state.settings)
        case .counters: return try JSON.encode(Counters(reserved: state.pendingEffects.reserved))
        case .room(let id): return try state.rooms[id].map(JSON.encode)
        case .message(let room, let id):
            guard let index = state.rooms.index(of: room), !state.rooms[index].keepsNothing else { return nil }
            return try state.rooms[index].messages[id].map(JSON.encode)
        case .log(let room): return try state.summary(of: room).map(JSON.encode)
        case .tombstone(let id): return try state.circle.tombstones[id].map(JSON.encode)
        case .draft(let note): return try state.notes.draft(of: note).map(JSON.encode)
        case .composer(let room):
            guard let known = state.rooms[room], !known.keepsNothing else { return nil }
            return try state.composers.saved(room).map(JSON.encode)
        case .agent(let id): return try state.agents.byID[id].map(JSON.encode)
        case .agentSession(let id): return try state.talks[id].map { try JSON.encode($0.session) }
        case .agentItem(let session, let id): return try state.talks[session]?[item: id].map(JSON.encode)
        case .agentLog: return state.talks.log.entries.isEmpty ? nil : try JSON.encode(state.talks.log)
        case .effect(let id):
            guard let kind = state.pendingEffects[id], kind.hasRecord else { return nil }
            return try JSON.encode(Effect(id: id, kind: kind))
        case .erasing: return try state.pendingEffects.erasure.map { try JSON.encode(Erasure(effect: $0)) }
        }
    }
}
