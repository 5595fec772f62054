// Programs that a page wants to add: the person is asked outside of the browser, where nothing that got into the page can answer.

/// A program that becomes an agent if the person says so on the desktop.
package struct AgentProposal: Sendable, Hashable, Codable {
    package let name: String
    package let command: [String]
    package let sandbox: AgentSandbox?
    /// The ``Effect/Kind/askOnDesktop(about:)`` that asks.
    package internal(set) var effect: EffectID?
    /// Why nobody can be asked.
    package internal(set) var failure: Failure?

    init(name: String, command: [String], sandbox: AgentSandbox?) {
        (self.name, self.command, self.sandbox) = (name, command, sandbox)
    }

    /// What the desktop asks.
    package var question: Words { .key("desktop.add_agent", ["name": .said(name)]) }

    /// What it would run, and how far it reaches.
    package var detail: Words {
        let way = sandbox == nil ? "free" : sandbox?.network == true ? "network" : "confined"
        return .key("desktop.add_agent.\(way)", ["command": .said(command.written.withControlsShown)])
    }

    /// Characters of a command that a notification shows without cutting it, on every desktop that is known. What is not seen is not asked about.
    static let shownCharacters = 160

    /// How the same is done in a terminal.
    var terminalCommand: String {
        let wall = sandbox.map { ["--sandbox"] + ($0.network ? ["--network", "on"] : []) } ?? []
        return (["alcove", "agent", "add", name] + wall + ["--"] + command).written
    }
}

extension AppState {
    mutating func proposeAgent(_ proposal: AgentProposal, _ context: inout DispatchContext) {
        let view = actingView(context)
        // One question at a time, whoever asks: each is read.
        guard !pendingEffects.inOrder.contains(where: { if case .askOnDesktop = $0.kind { true } else { false } })
        else { return }
        guard isPossible(proposal.command, proposal.sandbox, context),
            let name = nameForAnother(proposal.name, context)
        else { return }
        var proposal = AgentProposal(name: name, command: proposal.command, sandbox: proposal.sandbox)
        if proposal.command.written.withControlsShown.count > AgentProposal.shownCharacters {
            proposal.failure = Failure(.desktopUnavailable)
        } else {
            proposal.effect = issue(.askOnDesktop(about: proposal), &context)
        }
        views.update(view.id) { $0.agents.proposal = proposal }
    }

    mutating func desktopAnswered(_ effect: EffectID, isAccepted: Bool, _ context: inout DispatchContext) {
        guard case .askOnDesktop(let proposal) = settle(effect, &context) else { return }
        views.updateAll { if $0.agents.proposal?.effect == effect { $0.agents.proposal = nil } }
        guard isAccepted else { return notify(.information, Wording.agentNotAdded, context) }
        addProgram(
            proposal.name, .program(command: proposal.command, sandbox: proposal.sandbox, variables: nil), &context)
    }

    mutating func askingFailed(_ effect: EffectID, _ failure: Failure, _ context: inout DispatchContext) {
        settle(effect, &context)
        views.updateAll { view in
            guard view.agents.proposal?.effect == effect else { return }
            view.agents.proposal?.effect = nil
            view.agents.proposal?.failure = failure
        }
    }
}

extension [String] {
    /// The words as a shell takes them.
    fileprivate var written: String { map(\.shellWord).joined(separator: " ") }
}
