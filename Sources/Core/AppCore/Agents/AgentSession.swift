/// What is kept of a conversation with an agent, besides what was said in it.
package struct AgentSession: Sendable, Hashable, Codable, Identifiable {
    package let id: AgentSessionID
    package let agent: AgentID
    /// What the agent was called when the session began, for when it is gone.
    package let agentName: String
    /// Where a program works; `nil` for a model server.
    package let folder: String?
    package internal(set) var title = ""
    /// Whether the person chose the title, which the agent then cannot change.
    package internal(set) var isNamed = false
    package let createdAt: Timestamp
    /// When something was asked, or a turn ended.
    package internal(set) var changedAt: Timestamp
    package internal(set) var status = Status.ready
    /// Why the last turn is over; `nil` before the first one is.
    package internal(set) var end: AgentTurnEnd?
    /// Since when it is not known what the agent did.
    package internal(set) var unknownSince: Timestamp?
    /// Turns that were begun.
    package internal(set) var turn = 0
    /// Prompts that wait, in order.
    package internal(set) var queue: [QueuedPrompt] = []
    /// What is written and not asked.
    package internal(set) var draft = ""
    /// Pictures that go along with it.
    package internal(set) var pictures: [AgentPicture]?
    /// Whether the agent takes pictures; `nil` if it has not said so.
    package internal(set) var takesPictures: Bool?
    package internal(set) var policies = AgentPolicies()
    /// Questions that wait for the person, oldest first.
    package internal(set) var approvals: [AgentApproval] = []
    /// What the person allowed for as long as this session lasts, by its ``AgentApproval/of``.
    package internal(set) var allowed: [String] = []
    package internal(set) var plan: [AgentPlanStep] = []
    /// Whether the agent is offered notes, rooms and apps, as far as they are granted to it; `nil` for no.
    package let hasTools: Bool?
    /// What the agent calls the session, if it can go on with it after it was started anew.
    package internal(set) var thread: String?
    /// Of a session that the agent had before: whether it has told what was said in it. `nil`: it was begun here.
    package internal(set) var isRetold: Bool?
    /// What the agent lets the person choose, each kind once.
    package internal(set) var choosers: [AgentChooser]?
    /// What the person chose, to be chosen again when the agent is started anew.
    package internal(set) var chosen: [AgentChosen]?
    /// Items that were left out because there were too many.
    package internal(set) var forgotten = 0
    /// How often something was taken from the answer again, because the agent said it anew.
    package internal(set) var rolledBack: Int?
    /// The numbers of the next item, prompt and question.
    package internal(set) var next = 1
    /// The member for whom an agent of this machine works; `nil` for this person.
    package internal(set) var guest: AgentGuest?
    /// What it summarises; `nil` for any other session.
    package internal(set) var summary: AgentSummary?
    /// The view of a program that had its agent started before anything was asked. It goes with that view, as long as nothing is.
    package internal(set) var startedFor: ViewID?
    /// What is kept of a session with an agent of somebody else.
    package internal(set) var link: AgentLink?

    /// How it stands, as a person is told.
    package enum Status: String, Sendable, Hashable, Codable, CaseIterable {
        /// Nothing was asked yet.
        case ready
        /// A turn is under way.
        case running
        /// A turn waits for the person's answer.
        case waits
        /// The last turn is over.
        case done
        /// The person stopped the last turn.
        case stopped
        /// The agent was lost in the middle of a turn: what it still did is not known.
        case unknown
    }

    init(
        id: AgentSessionID, agent: AgentID, agentName: String, folder: String?, tools: Bool? = nil,
        createdAt: Timestamp, changedAt: Timestamp
    ) {
        hasTools = tools
        (self.id, self.agent, self.agentName, self.folder) = (id, agent, agentName, folder)
        (self.createdAt, self.changedAt) = (createdAt, changedAt)
    }

    /// Whether a turn is under way.
    package var isInTurn: Bool { status == .running || status == .waits }

    /// Whether nothing was asked in it, and nothing is about to be.
    package var isUnasked: Bool {
        turn == 0 && queue.isEmpty && draft.isEmpty && pictures == nil && isRetold == nil
    }

    /// Whether the agent has more to tell than is known: of a session that was taken up and not asked in, others may still ask.
    var mayHaveMore: Bool { isRetold == false || isRetold == true && turn == 0 }

    mutating func number() -> Int {
        defer { next += 1 }
        return next
    }

    mutating func followApprovals() {
        if isInTurn { status = approvals.isEmpty ? .running : .waits }
    }
}

package typealias AgentSessionID = Identifier<AgentSession>

/// Something to ask when the turn is over.
package struct QueuedPrompt: Sendable, Hashable, Codable, Identifiable {
    package let id: Int
    package let text: String
    package let pictures: [AgentPicture]?
    /// Whether it waits for the person too, because the turn before it did not end as it should.
    package internal(set) var isHeld = false
    /// Whether it was given to the agent in the middle of a turn, so that it may have read it; `nil` for no.
    package internal(set) var isUnsure: Bool?

    init(id: Int, text: String, pictures: [AgentPicture]? = nil, isHeld: Bool = false, isUnsure: Bool? = nil) {
        (self.id, self.text, self.pictures, self.isHeld, self.isUnsure) = (id, text, pictures, isHeld, isUnsure)
    }
}

/// What a person set for the questions of a session.
package struct AgentPolicies: Sendable, Hashable, Codable {
    package internal(set) var read = AgentPolicy.ask
    package internal(set) var edit = AgentPolicy.ask
    package internal(set) var execute = AgentPolicy.ask
    package internal(set) var fetch = AgentPolicy.ask

    /// Everything is asked about.
    package init() {}

    /// What an agent wants to do, in four kinds.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable { case read, edit, execute, fetch }

    package subscript(kind: Kind) -> AgentPolicy {
        get {
            switch kind {
            case .read: read
            case .edit: edit
            case .execute: execute
            case .fetch: fetch
            }
        }
        set {
            switch kind {
            case .read: read = newValue
            case .edit: edit = newValue
            case .execute: execute = newValue
            case .fetch: fetch = newValue
            }
        }
    }

    /// What is set for a call in a folder. The kind of a call is the agent's own word, so reading and changing are only allowed unasked where
    /// the call names its places, and all are in the folder.
    package func policy(for call: AgentCall, in folder: String?) -> AgentPolicy {
        guard let kind = Kind(of: call.kind) else { return .ask }
        guard self[kind] == .allow else { return self[kind] }
        guard call.isWhole(in: folder) else { return .ask }
        guard kind == .read || kind == .edit else { return .allow }
        guard let folder, !call.places.isEmpty else { return .ask }
        return call.places.allSatisfy { $0.isPath(in: folder) } ? .allow : .ask
    }
}

/// What happens with a question.
package enum AgentPolicy: String, Sendable, Hashable, Codable, CaseIterable { case ask, allow, reject }

extension AgentPolicies.Kind {
    /// The kind of a call, by the protocol's word for it; `nil` for what is always asked about.
    init?(of word: String?) {
        switch word {
        case "read", "search": self = .read
        case "edit", "delete", "move": self = .edit
        case "execute": self = .execute
        case "fetch": self = .fetch
        default: return nil
        }
    }
}

extension AgentCall {
    /// Whether all of it is shown, and it stays in a folder as far as that can be seen. A command can do anything wherever it begins, and so can
    /// what says of no place that it is there: only a sandbox holds them.
    package func stays(in folder: String, isConfined: Bool) -> Bool {
        guard isWhole(in: folder), places.allSatisfy({ $0.isPath(in: folder) }) else { return false }
        return isConfined || !places.isEmpty && [.read, .edit].contains(AgentPolicies.Kind(of: kind))
    }
}

extension AgentCall.Result {
    /// The file that it is about.
    var place: String? {
        switch self {
        case .change(let path, _, _, _), .difference(let path, _, _): path
        case .text, .other: nil
        }
    }
}

extension String {
    /// Whether it is the path of something in the folder, as it is written: it leads nowhere else by `..`. Both are bytes to the system: as texts, two
    /// that are written differently may be equal, and a slash may be a part of the character before it.
    func isPath(in folder: String) -> Bool {
        let root = folder.rootAsShown
        return utf8.starts(with: root.utf8)
            && !utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
    }

    /// What the places in this folder begin with, as calls name them.
    var rootAsShown: String {
        let name = agentName
        return name.utf8.last == UInt8(ascii: "/") ? name : name + "/"
    }
}
