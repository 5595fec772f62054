package import AgentProtocols
internal import Errors
internal import Synchronization

/// An agent of somebody else, over the link to them. What is wanted of it waits for the link, and goes once; what it says comes once, in order.
package final class SharedAgent: AgentProvider {
    package let events = AgentEvents()
    package let session: String
    private let state: Mutex<MemberSession>
    private let send: @Sendable (SharingFrame.Content) -> Void
    private let asked: @Sendable (SharedAgent) -> Void
    private let ended: @Sendable () -> Void

    /// - Parameters:
    ///   - agent: the owner's name for the share.
    ///   - heard: the last event that was heard and kept before.
    ///   - send: takes a frame for the owner while the link stands; returns at once.
    ///   - asked: hears that it was asked something. From then on it has to hear of the link: nothing is told before, because nobody would know
    ///     which turn it belongs to.
    ///   - ended: hears that it is over.
    package init(
        session: String, agent: String, heard: Int, send: @escaping @Sendable (SharingFrame.Content) -> Void,
        asked: @escaping @Sendable (SharedAgent) -> Void, ended: @escaping @Sendable () -> Void
    ) {
        (self.session, self.send, self.asked, self.ended) = (session, send, asked, ended)
        state = Mutex(MemberSession(session: session, agent: agent, heard: heard))
    }

    /// It is ready at once: what it is asked waits for the link.
    package func start() async throws(AgentError) {}

    package func prompt(_ prompt: AgentPrompt) async throws(AgentError) {
        guard prompt.text.utf8.count <= SharingLimits.promptBytes else {
            throw AgentError(.tooLarge, "a prompt may have \(SharingLimits.promptBytes) bytes")
        }
        let pictures = prompt.bytes - prompt.text.utf8.count
        guard prompt.pictures.count <= SharingLimits.pictures, pictures <= SharingLimits.pictureBytes else {
            throw AgentError(
                .tooLarge,
                "over a link a prompt has at most \(SharingLimits.pictures) pictures, \(SharingLimits.pictureBytes) bytes together"
            )
        }
        let isOver = state.withLock { state in
            let wasOver = state.isOver
            perform(state.prompt(prompt), &state)
            return wasOver
        }
        guard !isOver else { throw AgentError(.notRunning, "it is not running") }
        asked(self)
    }

    package func cancel() async { change { $0.cancel() } }

    /// Whether it was in time is told later: ``AgentLinkEvent/tooLate(_:)``.
    package func answer(_ request: AgentPermission.ID, option: String?) async throws(AgentError) {
        change { $0.answer(request.number, option: option) }
    }

    package func heard(upTo position: Int) async { change { $0.taken(through: position) } }

    /// Its owner's machine goes on with the turn: nothing is told of an end, and the next process hears the rest.
    package func leave() async {
        ended()
        events.close()
    }

    package func stop() async {
        change { $0.close() }
        ended()
        events.finish(nil)
    }

    // MARK: The link

    package func linked() { change { $0.linked() } }
    package func unlinked() { change { $0.unlinked() } }
    package func receive(_ frame: SharingFrame.Content) { change { $0.receive(frame) } }

    private func change(_ step: (inout MemberSession) -> [MemberSession.Output]) {
        state.withLock { perform(step(&$0), &$0) }
    }

    /// In the order in which they come about: within the lock.
    private func perform(_ outputs: [MemberSession.Output], _ session: inout MemberSession) {
        var told: [AgentEvent] = []
        for output in outputs {
            switch output {
            case .send(let frame): send(frame)
            case .event(let event): told.append(event)
            }
        }
        guard !told.isEmpty else { return }
        // What was said and up to where it goes are one step: between them a process may be killed.
        let hasRoom = events.add(told)
        if case .ended = told.last {
            events.close()
            ended()
        } else if !hasRoom, !session.isOver {
            // An owner who keeps to the window never fills them.
            _ = session.close()
            events.finish(AgentError(.notUnderstood, "its owner's machine says more than was agreed"))
            ended()
        }
    }
}
