/// Something that an agent lets a person choose in a session. The words are the agent's.
package struct AgentSetting: Sendable, Hashable {
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// How it works: whether it asks, plans or only answers, for example.
        case mode
        /// The model that it asks.
        case model
    }

    package struct Option: Sendable, Hashable {
        /// The agent's own name for it.
        package var id: String
        /// What a person reads.
        package var name: String
    }

    package var kind: Kind
    /// The id of what holds now; empty if that is not known.
    package var current: String
    package var options: [Option]

    /// What can be given back as it came, as far as it is bounded.
    init(kind: Kind, current: String, options: [Option]) {
        (self.kind, self.current) = (kind, AgentText.name(current))
        self.options = options.filter { $0.id.utf8.count <= AgentLimits.nameBytes }.prefix(AgentLimits.elements).map {
            Option(id: $0.id, name: AgentText.name($0.name))
        }
    }
}

/// Something that was said before an agent was started, for one that is told it.
package struct AgentSaid: Sendable, Hashable {
    package var prompt: String
    package var answer: String

    package init(prompt: String, answer: String) { (self.prompt, self.answer) = (prompt, answer) }
}
