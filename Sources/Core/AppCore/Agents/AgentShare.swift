/// That a member of the circle may use an agent of this machine.
package struct AgentShare: Sendable, Hashable, Codable, Identifiable {
    package let id: AgentShareID
    /// The room with the member.
    package let room: RoomID
    /// Where a program works, and the only place where it does; `nil` for a model server.
    package let folder: String?
    /// Whether every change is rejected, whatever anybody answers.
    package let readOnly: Bool
    /// Whether only the owner answers what the agent asks.
    package let ownerDecides: Bool
    package let sharedAt: Timestamp

    /// Whether it grants the same.
    func grantsTheSame(as other: AgentShare) -> Bool {
        room == other.room && folder == other.folder && readOnly == other.readOnly && ownerDecides == other.ownerDecides
    }
}

/// Names a share on both machines. It says nothing of the agent.
package typealias AgentShareID = Identifier<AgentShare>

/// An agent that one member of the circle offers another.
package struct AgentOffer: Sendable, Hashable, Codable {
    package let share: AgentShareID
    /// What its owner calls it.
    package let name: String
    package let readOnly: Bool

    package init(share: AgentShareID, name: String, readOnly: Bool) {
        (self.share, self.name, self.readOnly) = (share, name, readOnly)
    }
}

/// For whom an agent of this machine works in a session.
package struct AgentGuest: Sendable, Hashable, Codable {
    /// The room with the member.
    package let room: RoomID
    package let share: AgentShareID
    /// What the member's machine calls the session.
    package let session: AgentSessionID
    package let readOnly: Bool

    package init(room: RoomID, share: AgentShareID, session: AgentSessionID, readOnly: Bool) {
        (self.room, self.share, self.session, self.readOnly) = (room, share, session, readOnly)
    }
}

/// What is kept of a session with an agent that does not end with this process, so that it goes on after any break: one of somebody else, or one of
/// this machine under a supervisor.
package struct AgentLink: Sendable, Hashable, Codable {
    /// Names the supervisor, for the host; `nil` for an agent of somebody else.
    package let supervisor: String?
    /// The last of the events that was heard.
    package internal(set) var position = 0
    /// Whether the agent ended since it was asked last.
    package internal(set) var isOver = false
    /// Whether the turn is being stopped; `nil` for no.
    package internal(set) var isStopping: Bool?
    /// Answers that the owner has not decided on, as far as is known here.
    package internal(set) var answers: [Answer] = []

    package struct Answer: Sendable, Hashable, Codable {
        package let request: Int
        package let option: String?
    }

    init(supervisor: String? = nil) { self.supervisor = supervisor }
}

/// What a member of the circle wants of an agent of this machine. All of it is a stranger's word.
package enum MemberWish: Sendable, Hashable, Tagged {
    /// Begins the turn of this number. The host keeps what the pictures show.
    case asks(share: AgentShareID, turn: Int, text: String, pictures: [AgentPicture]? = nil)
    case answers(request: Int, option: String?)
    case stops(turn: Int)
    /// Needs the agent no more.
    case closes
}

/// Why a member is not given what they want.
package enum MemberRefusal: String, Sendable, Hashable, Codable, CaseIterable {
    case notShared = "not_shared"
    case busy
    case tooMany = "too_many"
    case tooLarge = "too_large"
    /// The request is not open, or not theirs to answer.
    case gone
    /// The agent cannot be started.
    case unavailable
    /// The agent was lost with the prompt.
    case lost
}

/// Bounds that sharing keeps.
package enum AgentShareLimits {
    /// Agents that are shared with one member, and that one member shares.
    package static let shares = 32
    /// Sessions of one member.
    package static let sessions = 16
    /// Agents that run for members at the same time: the person's own need room, too.
    package static let running = 4
}
