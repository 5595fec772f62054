/// What a view would have a model summarise: a room or a note, all that would be sent, and to whom.
package struct SummaryRequest: Sendable, Hashable, Codable {
    /// The room, if it is one.
    package let room: RoomID?
    /// The note, if it is one.
    package let note: NoteID?
    /// The ``Effect/Kind/readForSummary(room:note:)`` that tells, or has told, what would be sent: its name.
    package internal(set) var effect: EffectID?
    /// All that would be sent, word for word; empty if there is nothing to summarise; `nil` as long as it is not known.
    package internal(set) var prompt: String?
    /// When the last of it goes that goes by itself.
    package internal(set) var expiresAt: Timestamp?
    package internal(set) var failure: Failure?
    /// The model that the person chose; `nil` for the first one.
    package internal(set) var agent: AgentID?

    init(room: RoomID?, note: NoteID?, agent: AgentID? = nil) {
        (self.room, self.note, self.agent) = (room, note, agent)
    }

    /// Whether the answer of the host is awaited.
    var isReading: Bool { effect != nil && prompt == nil && failure == nil }

    /// The same, about to be read anew.
    var unread: SummaryRequest { SummaryRequest(room: room, note: note, agent: agent) }
}

/// What a session says of itself that summarises something.
package struct AgentSummary: Sendable, Hashable, Codable {
    /// What the room or the note was called.
    package let of: Words
    /// When the session goes, because nothing that it has a copy of is there any more.
    package let expiresAt: Timestamp?
}

extension AgentList {
    /// What can summarise, those of this machine first.
    package var models: [Agent] {
        let models = inOrder.filter(\.isModelServer)
        return models.filter(\.isModelOfThisMachine) + models.filter { !$0.isModelOfThisMachine }
    }
}

extension Agent {
    package var isModelServer: Bool { if case .modelServer = place { true } else { false } }

    /// Whether it is a model server whose address is this machine's own.
    package var isModelOfThisMachine: Bool {
        if case .modelServer(let url, _, _) = place { url.isAddressOfThisMachine } else { false }
    }
}

extension String {
    var isAddressOfThisMachine: Bool {
        hostOfAddress.map { ["127.0.0.1", "[::1]", "localhost"].contains($0) } ?? false
    }

    /// The host of an `http` or `https` address, in lower case.
    private var hostOfAddress: String? {
        let parts = lowercased().split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[0] == "http:" || parts[0] == "https:", parts[1].isEmpty else { return nil }
        let authority = parts[2].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else { return nil }
        if authority.first == "[" { return authority.firstIndex(of: "]").map { String(authority[...$0]) } }
        return String(authority.prefix { $0 != ":" })
    }
}
