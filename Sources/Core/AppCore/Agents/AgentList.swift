/// The agents that the person has added, and those that others share with them. What is said with them is in ``AgentTalks``.
package struct AgentList: Sendable, Hashable, AddedLater {
    package internal(set) var byID: [AgentID: Agent] = [:]

    package init() {}

    /// In the order in which they were added.
    package var inOrder: [Agent] { byID.values.sorted { ($0.addedAt, $0.id) < ($1.addedAt, $1.id) } }

    /// The agent of this name, in whatever case it is written.
    package func named(_ name: String) -> Agent? {
        let name = name.lowercased()
        return byID.values.first { $0.name.lowercased() == name }
    }
}

/// Bounds that the list of agents keeps.
package enum AgentListLimits {
    /// Agents that can be added.
    package static let agents = 100
    /// Bytes of UTF-8 of a name.
    package static let nameBytes = 128
    /// Bytes of UTF-8 of a command with all its arguments.
    package static let commandBytes = 32 << 10
    /// Words of a command.
    package static let commandWords = 256
    /// Paths that a confined program may read beside the system's.
    package static let readable = 32
    /// Bytes of UTF-8 of the name of a model.
    package static let modelBytes = 256
}

extension AgentList: Codable {
    package init(from decoder: any Decoder) throws {
        for agent in try decoder.singleValueContainer().decode([Agent].self) { byID[agent.id] = agent }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(inOrder)
    }
}
