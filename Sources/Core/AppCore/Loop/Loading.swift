extension AppState {
    /// The first input of a process: everything before it is forgotten.
    mutating func start(
        locked: Bool, _ records: [Record], recent: Int?, _ context: inout DispatchContext
    ) {
        var numbers = PendingEffects()
        numbers.resume(from: pendingEffects.next)
        self = AppState()
        pendingEffects = numbers
        recentMessages = recent.map { max($0, 1) }
        load(records, &context)
        followVault(locked, &context)
        // Erasing needs no key.
        lock.isLocked = locked && !pendingEffects.isErasing
        if !lock.isLocked { resume(&context) }
    }

    /// The vault alone knows whether there is a passphrase: the settings are saved at another moment, and a power cut can
    /// come between the two.
    private mutating func followVault(_ hasPassphrase: Bool, _ context: inout DispatchContext) {
        guard settings.hasPassphrase != hasPassphrase else { return }
        settings.hasPassphrase = hasPassphrase
        settings.autoLock = settings.autoLock && hasPassphrase
        context.changed(.settings)
    }

    /// Takes saved records in. One that cannot be read is reported and left as it is on disk.
    mutating func load(_ records: [Record], _ context: inout DispatchContext) {
        var loaded: [RoomID: Room] = [:]
        var messages: [RoomID: [Message]] = [:]
        var summaries: [RoomID: LogSummary] = [:]
        var sessions: [AgentSessionID: AgentSession] = [:]
        var items: [AgentSessionID: [AgentItem]] = [:]
        for record in records {
            do {
                switch record.key {
                case .settings: settings = try decode(record)
                case .counters: pendingEffects.resume(from: try decode(record, as: Counters.self).reserved)
                case .room(let id):
                    let room: Room = try decode(record)
                    guard room.id == id, loaded.count < RoomLimits.rooms else { throw Unreadable() }
                    loaded[id] = room
                case .message(let room, let id):
                    messages[room, default: []].append(try message(record, id))
                case .log(let room): summaries[room] = try decode(record)
                case .tombstone(let id):
                    let tombstone: Tombstone = try decode(record)
                    guard tombstone.id == id else { throw Unreadable() }
                    circle.tombstones[id] = tombstone
                case .draft(let note):
                    let draft: NoteDraft = try decode(record)
                    guard draft.note == note, notes.drafts.count < NotebookLimits.drafts else { throw Unreadable() }
                    notes.drafts.append(draft)
                case .composer(let room):
                    let composer: Composer = try decode(record)
                    guard composer.room == room, composer.view == nil else { throw Unreadable() }
                    composers.set(composer.text.limited(to: RoomLimits.draftBytes), in: room, of: nil)
                case .agent(let id):
                    let agent: Agent = try decode(record)
                    guard agent.id == id, agents.byID.count < AgentListLimits.agents else { throw Unreadable() }
                    agents.byID[id] = agent
                case .agentSession(let id):
                    let session: AgentSession = try decode(record)
                    guard session.id == id, sessions.count < AgentTalkLimits.sessions else { throw Unreadable() }
                    sessions[id] = session
                case .agentItem(let session, let id):
                    let item: AgentItem = try decode(record)
                    guard item.id == id else { throw Unreadable() }
                    items[session, default: []].append(item)
                case .agentLog: talks.log = try decode(record)
                case .effect(let id):
                    let effect: Effect = try decode(record)
                    guard effect.id == id, effect.kind.hasRecord else { throw Unreadable() }
                    pendingEffects.add(id, effect.kind)
                case .erasing:
                    let effect = try decode(record, as: Erasure.self).effect
                    if pendingEffects[effect] == nil { pendingEffects.add(effect, .eraseAll(rooms: [])) }
                }
            } catch { context.unreadable(record.key) }
        }
        for record in records {
            switch record.key {
            case .message(let room, _) where loaded[room] == nil, .composer(let room) where loaded[room] == nil,
                .log(let room) where loaded[room] == nil:
                context.unreadable(record.key)
            case .agentItem(let session, _) where sessions[session] == nil: context.unreadable(record.key)
            default: break
            }
        }
        talks.byID = sessions.mapValues { AgentTalk($0, items: items[$0.id] ?? []) }
        rooms = RoomList(
            loaded.values.sorted { $0.id < $1.id }.map { room in
                var room = room
                let seen = room.seenUpTo
                room.restore(messages[room.id] ?? [], recentMessages == nil ? nil : summaries[room.id])
                if room.seenUpTo != seen { context.changed(.room(room.id)) }
                return room
            })
        composers.remove(Set(composers.all.map(\.room).filter { rooms[$0] == nil }))
    }

    private struct Unreadable: Error {}

    private func message(_ record: Record, _ id: MessageID) throws -> Message {
        let message: Message = try decode(record)
        guard message.id == id, message.order < MessageLog.orderLimit else { throw Unreadable() }
        return message
    }

    /// The messages of a room among these records. One that cannot be read is reported and left as it is on disk.
    func messages(of room: RoomID, _ records: [Record], _ context: inout DispatchContext) -> [Message] {
        records.compactMap { record in
            guard case .message(room, let id) = record.key else { return nil }
            do { return try message(record, id) } catch {
                context.unreadable(record.key)
                return nil
            }
        }
    }

    private func decode<Value: Decodable>(_ record: Record, as type: Value.Type = Value.self) throws -> Value {
        try JSON.decode(type, from: record.json.utf8)
    }

    /// Issues again what was in flight, under the old ids, and asks anew for what ended with the process.
    mutating func resume(_ context: inout DispatchContext) {
        let used =
            rooms.flatMap { room in room.messages.inMemory.flatMap { $0.effects.map(\.number) } }
            + notes.drafts.compactMap { $0.saving?.effect.number }
        let highest = max(used.max() ?? 0, pendingEffects.byID.keys.max()?.number ?? 0)
        pendingEffects.resume(from: highest &+ 1)
        for index in rooms.indices {
            sealingWasLost(index, &context)
            resume(index, &context)
        }
        resumeTalks(&context)
        resumeDrafts()
        forgetAppends(&context)
        resumeInstallation()
        for effect in pendingEffects.inOrder where effect.kind.isReissued {
            if let room = effect.kind.entryRoom, rooms[room]?.status != .creating, rooms[room]?.status != .joining {
                settle(effect.id, &context)
            } else {
                context.perform(effect)
            }
        }
        for index in rooms.indices {
            resumeFiles(index, &context)
            entryWasLost(index, &context)
            dropExpiredMessages(index, &context)
            // An older version kept more.
            makeRoom(in: index, &context)
            logChanged(index, &context)
            limitMemory(index, &context)
            if let next = rooms[index].messages.wakesAt { wake(at: next, &context) }
        }
        expireSummaries(&context)
        if let next = nextSummaryExpiry { wake(at: next, &context) }
    }

    /// Puts the room's deliveries back on the books.
    private mutating func resume(_ index: Int, _ context: inout DispatchContext) {
        let room = rooms[index]
        for message in room.messages.inMemory {
            if message.status == .pending, message.direction == .sent, let effect = message.effect,
                pendingEffects[effect] == nil
            {
                pendingEffects.add(effect, message.delivery(in: room.id))
            }
            for (effect, kind) in message.changesToTell(in: room.id) where pendingEffects[effect] == nil {
                pendingEffects.add(effect, kind)
            }
        }
    }

    /// Puts the saves of drafts back on the books.
    private mutating func resumeDrafts() {
        for draft in notes.drafts {
            guard let effect = draft.saving?.effect, let write = draft.write, pendingEffects[effect] == nil else {
                continue
            }
            pendingEffects.add(effect, write)
        }
    }

    private mutating func resumeFiles(_ index: Int, _ context: inout DispatchContext) {
        let room = rooms[index]
        for message in room.messages.inMemory
        where message.direction == .received && message.transfer?.state == .running {
            issue(.acceptFile(room: room.id, message: message.id), &context)
        }
    }

    /// A room whose making was under way, but whose effect is not on disk, would wait for ever.
    private mutating func entryWasLost(_ index: Int, _ context: inout DispatchContext) {
        let id = rooms[index].id
        guard rooms[index].status == .creating || rooms[index].status == .joining else { return }
        guard !pendingEffects.contains(where: { $0.entryRoom == id }) else { return }
        rooms[index].status = .failed
        rooms[index].failure = Failure(.other, "the request was lost", retryable: true)
        context.changed(.room(id))
    }
}

extension Effect.Kind {
    /// The room that this effect makes or enters.
    fileprivate var entryRoom: RoomID? {
        switch self {
        case .createRoom(let address, _), .joinRoom(let address): address.room
        default: nil
        }
    }

    /// Whether the effect is worth issuing again after a restart.
    fileprivate var isReissued: Bool {
        switch self {
        case .deliver, .writeNote, .eraseAll: true
        default: hasRecord
        }
    }
}

extension Room {
    /// Completes a room that was read from its record.
    fileprivate mutating func restore(_ saved: [Message], _ summary: LogSummary?) {
        live = Live()
        messages =
            keepsNothing
            ? MessageLog() : summary.map { MessageLog(saved, of: $0, seen: seenUpTo ?? 0) } ?? MessageLog(saved)
        restoreSeen()
    }
}
