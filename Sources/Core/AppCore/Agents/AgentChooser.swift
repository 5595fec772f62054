/// Something that an agent lets a person choose in a session.
package struct AgentChooser: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// How it works: whether it asks, plans or only answers, for example. The words are the agent's.
        case mode
        /// The model that it asks.
        case model
    }

    /// One of the things to choose from.
    package struct Option: Sendable, Hashable, Codable {
        /// The agent's own name for it.
        package var id: String
        /// What a person reads.
        package var name: String

        package init(id: String, name: String) { (self.id, self.name) = (id, name) }
    }

    package var kind: Kind
    /// The id of what is chosen now.
    package var current: String
    package var options: [Option]

    package init(kind: Kind, current: String, options: [Option]) {
        (self.kind, self.current, self.options) = (kind, current, options)
    }

    /// As it may be kept and shown here. An id that is too long cannot be given back, so its option is left out.
    var fitted: AgentChooser {
        let kept = options.filter { $0.id.utf8.count <= AgentTalkLimits.nameBytes }.prefix(
            AgentTalkLimits.chooserOptions)
        return AgentChooser(
            kind: kind, current: current.limited(to: AgentTalkLimits.nameBytes),
            options: kept.map {
                Option(id: $0.id, name: $0.name.withoutControls.limited(to: AgentTalkLimits.titleBytes))
            })
    }
}

/// What a person chose for a session.
package struct AgentChosen: Sendable, Hashable, Codable {
    package let kind: AgentChooser.Kind
    /// The id of an option.
    package let option: String

    package init(kind: AgentChooser.Kind, option: String) { (self.kind, self.option) = (kind, option) }
}

/// What an agent is started with, besides its folder.
package struct AgentSetup: Sendable, Hashable, Codable {
    /// Whether it is offered notes, rooms and apps, as far as they are granted to it.
    package var tools: Bool?
    /// What it calls the session that it is to go on with.
    package var thread: String?
    /// What the person chose before.
    package var chosen: [AgentChosen]?
    /// The member of the circle for whom it works, who hears everything that it says; nil for this person.
    package var guest: AgentGuest?
    /// The last of its events that was heard, for an agent of somebody else or under a supervisor.
    package var after: Int?
    /// The supervisor under which it runs already: it is gone on with, and not started.
    package var supervisor: String?
    /// The supervisor of an earlier run: if it is still there, it is ended first.
    package var former: String?
    /// Whether it is asked to tell what it did when nobody heard it; nil for no.
    package var retells: Bool?

    package init(
        tools: Bool? = nil, thread: String? = nil, chosen: [AgentChosen]? = nil, guest: AgentGuest? = nil,
        after: Int? = nil, supervisor: String? = nil, former: String? = nil, retells: Bool? = nil
    ) {
        (self.tools, self.thread, self.chosen) = (tools, thread, chosen)
        (self.guest, self.after, self.retells) = (guest, after, retells)
        (self.supervisor, self.former) = (supervisor, former)
    }

    /// Nil if there is nothing to say.
    /// - Parameter former: the supervisor that the session had, if it is started anew.
    init?(_ session: AgentSession, insteadOf former: String? = nil) {
        self.init(
            // Many agents forget a session in which nothing was asked.
            tools: session.hasTools, thread: session.isUnasked ? nil : session.thread, chosen: session.chosen,
            guest: session.guest, after: session.link?.position, supervisor: session.link?.supervisor, former: former,
            retells: session.thread != nil && (session.status == .unknown || session.mayHaveMore) ? true : nil)
        if self == AgentSetup() { return nil }
    }
}
