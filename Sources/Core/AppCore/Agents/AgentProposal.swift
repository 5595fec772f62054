// Programs that a page wants to add: the person is asked outside of the browser, where nothing that got into the page can answer.

/// A program that becomes an agent if the person says so on the desktop.
package struct AgentProposal: DesktopProposal, Sendable, Hashable, Codable {
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
    package var question: Words { .key("desktop.add_agent", ["name": .said(name.lineWithControlsShown)]) }

    /// What it would run, and how far it reaches.
    package var detail: Words {
        let way = sandbox == nil ? "free" : sandbox?.network == true ? "network" : "confined"
        return .key("desktop.add_agent.\(way)", ["command": .said(shownCommand)])
    }

    private var shownCommand: String { command.written.lineWithControlsShown }

    /// Characters of a name and of a command that a notification shows without cutting them, on every desktop that is known. What is not seen is not
    /// asked about.
    static let shownName = 40
    static let shownCharacters = 160

    /// Whether all of it is shown. Characters that stand on others count, too.
    var isShort: Bool {
        name.lineWithControlsShown.unicodeScalars.count <= Self.shownName
            && shownCommand.unicodeScalars.count <= Self.shownCharacters
    }

    /// Whether the question says all that it may reach.
    var isPlain: Bool { sandbox.map { $0.readable.isEmpty && $0.readOnly == nil } ?? true }

    /// Whether it is the same program wherever it is started. A page says where an agent works, and would choose another one with that.
    var isFixed: Bool { command.first.map { !$0.utf8.contains(UInt8(ascii: "/")) || $0.hasPrefix("/") } ?? false }

    /// How the same is done in a terminal.
    var terminalCommand: String {
        let wall = sandbox.map {
            ["--sandbox"] + ($0.network ? ["--network", "on"] : []) + $0.readable.flatMap { ["--readable", $0] }
        }
        return (["alcove", "agent", "add", name] + (wall ?? []) + ["--"] + command).written.withControlsShown
    }
}

extension AppState {
    mutating func proposeAgent(_ proposal: AgentProposal, _ context: inout DispatchContext) {
        let view = actingView(context)
        guard isPossible(proposal.command, proposal.sandbox, context),
            let name = nameForAnother(proposal.name, context)
        else { return }
        guard !isAskingOnDesktop else { return notify(.problem, Wording.agentBeingAsked, context) }
        var proposal = AgentProposal(name: name, command: proposal.command, sandbox: proposal.sandbox)
        if proposal.isShort, proposal.isPlain, proposal.isFixed {
            proposal.effect = issue(.askOnDesktop(about: .agent(proposal: proposal)), &context)
        } else {
            proposal.failure = Failure(.tooMuchToShow)
        }
        views.update(view.id) { $0.agents.proposal = proposal }
    }
}

extension [String] {
    /// The words as a shell takes them.
    var written: String { map(\.shellWord).joined(separator: " ") }
}
