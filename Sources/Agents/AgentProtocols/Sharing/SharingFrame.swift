internal import Errors
package import Wire

/// An agent that one person offers another.
package struct SharedAgentOffer: Sendable, Hashable {
    /// Names the share, not the agent: made for this one person.
    package var id: String
    /// What the owner calls the agent.
    package var name: String
    /// Whether every change is rejected.
    package var isReadOnly: Bool

    package init(id: String, name: String, isReadOnly: Bool) {
        (self.id, self.name, self.isReadOnly) = (id, name, isReadOnly)
    }
}

/// One frame of the channel of agents, JSON. It keeps everything that came. `docs/protocols/agent-sharing.md` describes the format.
package struct SharingFrame: Sendable, Hashable {
    /// Why the owner does not do what a member asked for.
    package enum Refusal: String, Sendable, Hashable, CaseIterable {
        /// The agent is not shared, or not any more.
        case notShared = "not_shared"
        /// A turn is under way.
        case busy
        /// There are too many sessions, or there is no room on the disk.
        case tooMany = "too_many"
        case tooLarge = "too_large"
        /// The request is not open any more, or is not this person's to answer.
        case gone
        /// The agent cannot be started.
        case unavailable
        /// The owner's agent was lost with this prompt.
        case lost
    }

    /// What it says.
    package enum Content: Sendable, Hashable {
        // Of the owner.

        /// All agents that the other side may use.
        case offers([SharedAgentOffer])
        /// Answers `resume`: the events that are kept, and the last turn that was begun.
        case state(session: String, first: Int, last: Int, turn: Int)
        case event(session: String, sequence: Int, SharedEvent)
        case promptRefused(session: String, turn: Int, Refusal)
        case answerRefused(session: String, request: Int, Refusal)

        // Of the member.

        /// Begins a session, or goes on with it after an event.
        case resume(session: String, agent: String, after: Int)
        /// A piece, in Base64, of a picture that goes along with the prompt of this turn, the first at place 0.
        case picture(session: String, turn: Int, place: Int, piece: String, isLast: Bool)
        /// Begins a turn, with so many pictures that came before it.
        case prompt(session: String, turn: Int, text: String, pictures: Int = 0)
        case cancel(session: String, turn: Int)
        /// Without an option the request is rejected.
        case answer(session: String, request: Int, option: String?)
        /// All events up to this one were taken.
        case received(session: String, through: Int)
        /// The member needs the agent of this session no more.
        case close(session: String)

        /// A kind that this version does not know.
        case unknown
    }

    package let content: Content
    /// The whole frame, with the members that are not known here.
    package let object: JSONObject

    /// Reads a frame. Total: any bytes give a frame or an error.
    package init(_ bytes: some Collection<UInt8>) throws(AgentProtocolError) {
        guard bytes.count <= SharingLimits.frameBytes else {
            throw AgentProtocolError(.tooLong, "a frame of the channel of agents is too long")
        }
        object = try BoundedJSON.object(bytes)
        content = try Content(object)
    }

    /// A frame of our own.
    package init(_ content: Content) { (self.content, object) = (content, content.object) }

    /// The frame as JSON.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        JSONValue.object(object).write(to: &bytes)
        return bytes
    }
}
