/// Names one durable piece of the state, so that a host saves only what changed.
///
/// As text (and in JSON) a key is a path: `settings`, `counters`, `room/<id>`, `message/<room>/<id>`, `log/<room>`,
/// `tombstone/<room>`, `draft/<note>`, `composer/<room>`, `agent/<id>`, `agent_session/<id>`, `agent_item/<session>/<number>`, `agent_log`,
/// `effect/<number>`, `erasing`.
package enum RecordKey: Sendable, Hashable {
    /// Readable before the vault is unlocked; holds no secret and no name.
    case settings
    /// Readable before the vault is unlocked: the ids that were handed out.
    case counters
    case room(RoomID)
    case message(RoomID, MessageID)
    /// How many messages a room has, for hosts that keep most of them out of memory: a ``LogSummary``. Where nothing is kept under
    /// it any more, no message of the room is.
    case log(RoomID)
    /// What is left of trust that has ended in this room, also when the room is gone.
    case tombstone(RoomID)
    /// What was written in a note and is not saved.
    case draft(NoteID)
    /// What was written in a room and is not sent.
    case composer(RoomID)
    /// An agent that was added.
    case agent(AgentID)
    /// A session with an agent, without what was said in it.
    case agentSession(AgentSessionID)
    /// One thing in a session.
    case agentItem(AgentSessionID, Int)
    /// What became of the questions of agents.
    case agentLog
    /// An effect that must survive a restart and that no room, message or draft record implies.
    case effect(EffectID)
    /// Readable before the vault is unlocked: everything is to be erased, which needs no key and does not wait for one.
    case erasing

    package var path: String {
        switch self {
        case .settings: "settings"
        case .counters: "counters"
        case .room(let room): "room/\(room)"
        case .message(let room, let message): "message/\(room)/\(message)"
        case .log(let room): "log/\(room)"
        case .tombstone(let room): "tombstone/\(room)"
        case .draft(let note): "draft/\(note)"
        case .composer(let room): "composer/\(room)"
        case .agent(let agent): "agent/\(agent)"
        case .agentSession(let session): "agent_session/\(session)"
        case .agentItem(let session, let item): "agent_item/\(session)/\(item)"
        case .agentLog: "agent_log"
        case .effect(let effect): "effect/\(effect.number)"
        case .erasing: "erasing"
        }
    }

    /// Reads a path; `nil` if it is not one of the forms above.
    package init?(path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        switch (parts.first, parts.count) {
        case ("settings", 1): self = .settings
        case ("counters", 1): self = .counters
        case ("erasing", 1): self = .erasing
        case ("room", 2) where RoomID.isValid(parts[1]): self = .room(RoomID(String(parts[1])))
        case ("message", 3) where RoomID.isValid(parts[1]) && MessageID.isValid(parts[2]):
            self = .message(RoomID(String(parts[1])), MessageID(String(parts[2])))
        case ("log", 2) where RoomID.isValid(parts[1]): self = .log(RoomID(String(parts[1])))
        case ("tombstone", 2) where RoomID.isValid(parts[1]): self = .tombstone(RoomID(String(parts[1])))
        case ("composer", 2) where RoomID.isValid(parts[1]): self = .composer(RoomID(String(parts[1])))
        case ("agent", 2) where AgentID.isValid(parts[1]): self = .agent(AgentID(String(parts[1])))
        case ("agent_session", 2) where AgentSessionID.isValid(parts[1]):
            self = .agentSession(AgentSessionID(String(parts[1])))
        case ("agent_item", 3) where AgentSessionID.isValid(parts[1]):
            guard let number = Int(parts[2]), number > 0, String(number) == parts[2] else { return nil }
            self = .agentItem(AgentSessionID(String(parts[1])), number)
        case ("agent_log", 1): self = .agentLog
        case ("draft", 2) where NoteID.isValid(parts[1]): self = .draft(NoteID(String(parts[1])))
        case ("effect", 2):
            guard let number = UInt64(parts[1]) else { return nil }
            self = .effect(EffectID(number))
        default: return nil
        }
    }

    /// Whether the record may be stored where it can be read while the vault is locked.
    package var isReadableWhileLocked: Bool {
        switch self {
        case .settings, .counters, .erasing: true
        case .room, .message, .log, .tombstone, .draft, .composer, .agent, .agentSession, .agentItem, .agentLog,
            .effect:
            false
        }
    }
}

extension RecordKey: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let key = RecordKey(path: try container.decode(String.self)) else {
            throw DecodingError.unfit(decoder, "not a record key")
        }
        self = key
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(path)
    }
}

/// One saved piece of the state as the host hands it back: the bytes that ``Core/record(for:)`` gave.
package struct Record: Sendable, Hashable, Codable {
    package var key: RecordKey
    /// Canonical JSON.
    package var json: String

    package init(key: RecordKey, json: String) {
        self.key = key
        self.json = json
    }
}
