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

    /// What the person would grant. The id tells people apart who are called the same: in a page a name can be changed.
    package var detail: Words {
        .key(
            "desktop.share_agent.\(way)",
            [
                "member": .said(shownMember), "id": .said(String(room.text.prefix(Self.shownID))),
                "folder": .said((folder ?? "").lineWithControlsShown), "place": .said(shownPlace),
                "answers": .words(ownerDecides ? "desktop.share_agent.owner" : "desktop.share_agent.member"),
            ])
    }

    private var way: String {
        switch place {
        case .program(_, let sandbox, _):
            readOnly ? "reading" : sandbox == nil ? "free" : sandbox?.network == true ? "network" : "confined"
        default: "server"
        }
    }

    private var shownMember: String { member.lineWithControlsShown }
    private var shownPlace: String { (place?.text ?? "").lineWithControlsShown }

    /// Characters of a room's id, as the lists in a terminal show them.
    private static let shownID = 8

    /// Whether a notification shows all of it without cutting.
    var isShort: Bool {
        let names = [name.lineWithControlsShown, shownMember].map(\.unicodeScalars.count)
        let granted = (folder ?? "").lineWithControlsShown.unicodeScalars.count + shownPlace.unicodeScalars.count
        return names.allSatisfy { $0 <= AgentProposal.shownName } && granted <= AgentProposal.shownCharacters
    }

    /// How the same is done in a terminal.
    var terminalCommand: String {
        let place = folder.map { ["--folder", $0] } ?? []
        let bounds = (readOnly ? ["--read-only"] : []) + (ownerDecides ? ["--owner-decides"] : [])
        return (["alcove", "agent", "share", name, "--with", String(room.text.prefix(Self.shownID))] + place + bounds)
            .written.withControlsShown
    }

    var redacted: ShareProposal {
        var proposal = ShareProposal(
            agent: agent, room: room, folder: folder?.redactedPath, readOnly: readOnly, ownerDecides: ownerDecides)
        (proposal.name, proposal.member, proposal.place) = (name.redacted, member.redacted, place?.redacted)
        (proposal.effect, proposal.failure) = (effect, failure?.redacted)
        return proposal
    }
}

/// What a view has chosen for the next share of an agent.
package struct SharingForm: Sendable, Hashable, Codable {
    /// Whether the member may have it change something; `nil` for no: who wants more chooses it.
    package internal(set) var canChange: Bool?
    /// Whether only this person answers what the agent asks; `nil` for no.
    package internal(set) var ownerDecides: Bool?
    package internal(set) var proposal: ShareProposal?
}

extension AppState {
    mutating func editSharingForm(readOnly: Bool?, ownerDecides: Bool?, _ context: DispatchContext) {
        var form = actingView(context).agents.sharing ?? SharingForm()
        if let readOnly { form.canChange = readOnly ? nil : true }
        if let ownerDecides { form.ownerDecides = ownerDecides ? true : nil }
        // How a terminal does it was said of what stood there before.
        if form.proposal?.effect == nil { form.proposal = nil }
        views.update(context.view ?? .main) { $0.agents.sharing = form == SharingForm() ? nil : form }
    }

    mutating func proposeShare(_ wanted: ShareProposal, _ context: inout DispatchContext) {
        guard let (agent, member) = sharing(wanted, &context) else { return }
        guard !isAskingOnDesktop else { return notify(.problem, Wording.agentBeingAsked, context) }
        let view = actingView(context).id
        // Nothing of a folder is granted where there is none.
        let folder = agent.worksInFolder ? wanted.folder : nil
        var proposal = ShareProposal(
            agent: agent.id, room: wanted.room, folder: folder, readOnly: wanted.readOnly,
            ownerDecides: wanted.ownerDecides)
        (proposal.name, proposal.member, proposal.place) = (agent.name, member, agent.place)
        if proposal.isShort {
            proposal.effect = issue(.askOnDesktop(about: .share(proposal: proposal)), &context)
        } else {
            proposal.failure = Failure(.tooMuchToShow)
        }
        views.update(view) { state in
            var form = state.agents.sharing ?? SharingForm()
            form.proposal = proposal
            state.agents.sharing = form
        }
    }

    /// The person has agreed: it is shared as it was asked about.
    mutating func share(_ proposal: ShareProposal, _ context: inout DispatchContext) {
        shareAgent(
            proposal.agent, proposal.room, proposal.folder, readOnly: proposal.readOnly,
            ownerDecides: proposal.ownerDecides, &context)
    }

    /// What would be refused afterwards is told before anybody is asked.
    private mutating func sharing(
        _ wanted: ShareProposal, _ context: inout DispatchContext
    ) -> (agent: Agent, member: String)? {
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
        guard !agent.worksInFolder || wanted.folder?.isAgentFolder == true else {
            notify(.problem, Wording.agentFolderInvalid, context)
            return nil
        }
        return (agent, room.title)
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
