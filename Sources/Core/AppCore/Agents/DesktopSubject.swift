/// What the person is asked about on the desktop, outside of every page.
package enum DesktopSubject: Sendable, Hashable, Tagged {
    /// Whether a program becomes an agent.
    case agent(proposal: AgentProposal)
    /// Whether a member of the circle may use an agent.
    case share(proposal: ShareProposal)

    /// What the desktop asks.
    package var question: Words {
        switch self {
        case .agent(let proposal): proposal.question
        case .share(let proposal): proposal.question
        }
    }

    /// What a yes would grant.
    package var detail: Words {
        switch self {
        case .agent(let proposal): proposal.detail
        case .share(let proposal): proposal.detail
        }
    }

    /// What the button says that means yes.
    package var acceptance: Words {
        switch self {
        case .agent: "desktop.accept"
        case .share: "desktop.accept.share"
        }
    }

    /// A folder that must be there, or nothing is asked.
    package var folder: String? {
        switch self {
        case .agent: nil
        case .share(let proposal): proposal.folder
        }
    }

    var redacted: DesktopSubject {
        switch self {
        case .agent(let proposal): .agent(proposal: proposal.redacted)
        case .share(let proposal): .share(proposal: proposal.redacted)
        }
    }
}

/// What the desktop was asked for a view, and why it cannot be asked.
protocol DesktopProposal {
    /// The ``Effect/Kind/askOnDesktop(about:)`` that asks.
    var effect: EffectID? { get set }
    /// Why nobody can be asked.
    var failure: Failure? { get set }
}

extension AppState {
    /// Whether the person is asked something already: one question at a time is read, whoever asks.
    var isAskingOnDesktop: Bool {
        pendingEffects.byID.values.contains { if case .askOnDesktop = $0 { true } else { false } }
    }

    mutating func desktopAnswered(_ effect: EffectID, isAccepted: Bool, _ context: inout DispatchContext) {
        guard case .askOnDesktop(let subject) = settle(effect, &context) else { return }
        forgetProposals(of: effect)
        switch subject {
        case .agent(let proposal):
            guard isAccepted else { return notify(.information, Wording.agentNotAdded, context) }
            addProgram(
                proposal.name, .program(command: proposal.command, sandbox: proposal.sandbox, variables: nil), &context)
        case .share(let proposal):
            guard isAccepted else { return notify(.information, Wording.agentStaysUnshared, context) }
            share(proposal, &context)
        }
    }

    mutating func askingFailed(_ effect: EffectID, _ failure: Failure, _ context: inout DispatchContext) {
        settle(effect, &context)
        // After a no the next question waits, and without its folder nothing can be shared, whoever does it.
        guard ![.tooManyAttempts, .agentFolderMissing].contains(failure.code) else {
            forgetProposals(of: effect)
            return notify(.problem, Words(failure), context)
        }
        views.updateAll { view in
            view.agents.proposal?.fail(effect, failure)
            view.agents.sharing?.proposal?.fail(effect, failure)
        }
    }

    private mutating func forgetProposals(of effect: EffectID) {
        views.updateAll { view in
            if view.agents.proposal?.effect == effect { view.agents.proposal = nil }
            if view.agents.sharing?.proposal?.effect == effect { view.agents.sharing?.proposal = nil }
        }
    }
}

extension DesktopProposal {
    fileprivate mutating func fail(_ effect: EffectID, _ failure: Failure) {
        guard self.effect == effect else { return }
        (self.effect, self.failure) = (nil, failure)
    }
}
