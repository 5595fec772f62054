// Agents that a page shares: the person is asked outside of the browser, where nothing that got into the page can answer.

/// That a member of the circle may use an agent, if the person says so on the desktop.
package struct ShareProposal: DesktopProposal, Sendable, Hashable, Codable {
    package let agent: AgentID
    package let room: RoomID
    package let folder: String?
    package let readOnly: Bool
    package let ownerDecides: Bool
    /// The agent and the person as they were called when it was asked.
    package internal(set) var (name, member) = ("", "")
    /// The key of the person's identity, by which they were met.
    package internal(set) var identity = ""
    /// Where the agent is. Only of a program and of a model server can more than its own machine be granted.
    package internal(set) var place: Agent.Place?
    package internal(set) var effect: EffectID?
    package internal(set) var failure: Failure?

    init(agent: AgentID, room: RoomID, folder: String?, readOnly: Bool, ownerDecides: Bool) {
        (self.agent, self.room, self.folder) = (agent, room, folder)
        (self.readOnly, self.ownerDecides) = (readOnly, ownerDecides)
    }

    /// What the desktop asks.
    package var question: Words {
        .key("desktop.share_agent", ["name": .said(name.lineWithControlsShown), "member": .said(shownMember)])
    }

    /// What the person would grant. The key tells people apart who are called the same: a page can change names, and not keys.
    package var detail: Words {
        .key(
            "desktop.share_agent.\(way)",
            [
                "member": .said(shownMember), "key": .said(String(identity.prefix(Self.shownKey)).trimmed),
                "folder": .said((folder ?? "").lineWithControlsShown), "place": .said(shownPlace),
                "answers": .words(ownerDecides ? "desktop.share_agent.owner" : "desktop.share_agent.member"),
            ])
    }

    /// How far the program reaches: what it cannot change it may tell others.
    private var way: String {
        guard case .program(_, let wall, _) = readOnly ? place?.confinedToReading : place else { return "server" }
        guard let wall else { return "free" }
        return (readOnly ? "reading" : "confined") + (wall.network ? ".network" : "")
    }

    private var shownMember: String { member.lineWithControlsShown }
    private var shownPlace: String { (place?.text ?? "").lineWithControlsShown }

    /// Characters of a key that are shown.
    private static let shownKey = 16
    /// Characters of the member, the folder and the command together. The longest sentence around them has 140.
    private static let shownCharacters = 100

    /// Whether a notification shows all of it without cutting.
    var isShort: Bool {
        let granted = [shownMember, (folder ?? "").lineWithControlsShown, shownPlace].map(\.unicodeScalars.count)
        return name.lineWithControlsShown.unicodeScalars.count <= AgentProposal.shownName
            && granted.reduce(0, +) <= Self.shownCharacters
    }

    /// Whether the question says all that it grants: further folders and kept variables it does not name. Nor could anybody tell names that look
    /// like a part of the sentence around them.
    var isPlain: Bool {
        let isWhole =
            switch place {
            case .program(_, let sandbox, let variables): variables == nil && sandbox?.readable.isEmpty ?? true
            default: true
            }
        return isWhole && !identity.isEmpty
            && [name, member, folder ?? ""].allSatisfy { $0.unicodeScalars.allSatisfy { !Self.marks.contains($0) } }
    }

    private static let marks: Set<Unicode.Scalar> = ["\"", "“", "”", "„", "‟", "«", "»", "(", ")", "（", "）"]

    /// Whether it is still what was asked about.
    func isSame(as other: ShareProposal) -> Bool {
        agent == other.agent && room == other.room && place == other.place && name == other.name
            && identity == other.identity && folder == other.folder
    }

    /// How the same is done in a terminal.
    var terminalCommand: String {
        let place = folder.map { ["--folder", $0] } ?? []
        let bounds = (readOnly ? ["--read-only"] : []) + (ownerDecides ? ["--owner-decides"] : [])
        return (["alcove", "agent", "share", name, "--with", String(room.text.prefix(8))] + place + bounds)
            .written.withControlsShown
    }

    var redacted: ShareProposal {
        var proposal = ShareProposal(
            agent: agent, room: room, folder: folder?.redactedPath, readOnly: readOnly, ownerDecides: ownerDecides)
        (proposal.name, proposal.member, proposal.place) = (name.redacted, member.redacted, place?.redacted)
        proposal.identity = identity.redacted
        (proposal.effect, proposal.failure) = (effect, failure?.redacted)
        return proposal
    }
}

/// What a view has chosen for the next share of an agent.
package struct SharingForm: Sendable, Hashable, Codable {
    /// The agent that it is about. For another one everything begins anew.
    package let agent: AgentID
    /// Whether the member may have it change something; `nil` for no: who wants more chooses it.
    package internal(set) var canChange: Bool?
    /// Whether only this person answers what the agent asks; `nil` for no.
    package internal(set) var ownerDecides: Bool?
    package internal(set) var proposal: ShareProposal?

    init(agent: AgentID) { self.agent = agent }

    /// How a terminal does it was said of what stood there before.
    mutating func forgetAdvice() { if proposal?.effect == nil { proposal = nil } }
}

extension AppState {
    private func sharingForm(_ agent: AgentID, _ context: DispatchContext) -> SharingForm {
        actingView(context).agents.sharing.flatMap { $0.agent == agent ? $0 : nil } ?? SharingForm(agent: agent)
    }

    mutating func editSharingForm(
        _ agent: AgentID, readOnly: Bool?, ownerDecides: Bool?, _ context: DispatchContext
    ) {
        var form = sharingForm(agent, context)
        if let readOnly { form.canChange = readOnly ? nil : true }
        if let ownerDecides { form.ownerDecides = ownerDecides ? true : nil }
        form.forgetAdvice()
        views.update(context.view ?? .main) { $0.agents.sharing = form == SharingForm(agent: agent) ? nil : form }
    }

    mutating func proposeShare(_ wanted: ShareProposal, _ context: inout DispatchContext) {
        guard var proposal = possibleShare(wanted, &context) else { return }
        guard !isAskingOnDesktop else { return notify(.problem, Wording.agentBeingAsked, context) }
        // What it would take the place of is not in the question.
        let isShared = agents.byID[wanted.agent]?.shares.contains { $0.room == wanted.room } == true
        if proposal.isShort, proposal.isPlain, !isShared {
            proposal.effect = issue(.askOnDesktop(about: .share(proposal: proposal)), &context)
        } else {
            proposal.failure = Failure(.tooMuchToShow)
        }
        var form = sharingForm(proposal.agent, context)
        form.proposal = proposal
        views.update(context.view ?? .main) { $0.agents.sharing = form }
    }

    /// The person has agreed: it is shared as it was asked about, unless it is something else by now.
    mutating func share(_ proposal: ShareProposal, _ context: inout DispatchContext) {
        guard let now = possibleShare(proposal, &context) else { return }
        guard now.isSame(as: proposal) else { return notify(.problem, Wording.agentShareChanged, context) }
        shareAgent(
            proposal.agent, proposal.room, proposal.folder, readOnly: proposal.readOnly,
            ownerDecides: proposal.ownerDecides, &context)
        // The next one begins with what grants least.
        views.updateAll { if $0.agents.sharing?.agent == proposal.agent { $0.agents.sharing = nil } }
    }

    /// It as it would be now. What would be refused afterwards is told before anybody is asked.
    private mutating func possibleShare(
        _ wanted: ShareProposal, _ context: inout DispatchContext
    ) -> ShareProposal? {
        guard canKeepMore(context) else { return nil }
        guard let agent = agents.byID[wanted.agent] else {
            notify(.problem, Wording.agentGone, context)
            return nil
        }
        guard let room = rooms[wanted.room], room.isMember else {
            notify(.problem, Wording.shareNeedsMember, context)
            return nil
        }
        guard agent.canBeShared else {
            notify(.problem, Wording.shareOfOthers, context)
            return nil
        }
        let folder = agent.worksInFolder ? wanted.folder?.asSharedFolder : nil
        guard !agent.worksInFolder || folder?.isAgentFolder == true else {
            notify(.problem, Wording.agentFolderInvalid, context)
            return nil
        }
        guard shares(with: room.id).count < AgentShareLimits.shares else {
            notify(.problem, Wording.tooManyShares, context)
            return nil
        }
        var proposal = ShareProposal(
            agent: agent.id, room: room.id, folder: folder, readOnly: wanted.readOnly, ownerDecides: wanted.ownerDecides
        )
        (proposal.name, proposal.member, proposal.place) = (agent.name, room.title, agent.place)
        proposal.identity = room.identity?.fingerprint ?? ""
        return proposal
    }
}

extension String {
    /// Without what a person adds without meaning something by it: blanks around it, and strokes at its end.
    fileprivate var asSharedFolder: String {
        var folder = Substring(trimmed)
        while folder.count > 1, folder.last == "/" { folder = folder.dropLast() }
        return String(folder)
    }
}

extension Agent {
    /// Whether a member of the circle can be let use it. What an agent does behind a gateway is decided there.
    var canBeShared: Bool {
        switch place {
        case .program, .modelServer: true
        case .member, .gateway: false
        }
    }
}
