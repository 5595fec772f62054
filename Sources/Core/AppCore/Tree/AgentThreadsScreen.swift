extension Presentation {
    /// The sessions that an agent has already, to be gone on with here.
    func agentThreadsScreen(_ agent: Agent) -> SemanticNode {
        page("agent_threads", .key("agent_threads", ["name": .said(agent.name)]), content(view.threads, agent))
    }

    private func content(_ list: AgentThreadList?, _ agent: Agent) -> [SemanticNode] {
        guard let list, let effect = list.effect else { return [SemanticNode(.banner, "agent_threads.no_folder")] }
        let retry = SemanticNode.button("agent_threads.retry", .agents(.retryAgentThreads))
        if let failure = list.failure {
            // What it refused only these words say: a folder, for example.
            let why = failure.message.withoutControls.limited(to: AgentTalkLimits.remarkBytes)
            return [
                SemanticNode(
                    .banner, "agent_threads.problem", Words(failure), detail: why.isEmpty ? nil : .said(why)), retry,
            ]
        }
        if list.isUnlisted == true { return [SemanticNode(.banner, "agent_threads.refused"), retry] }
        guard let threads = list.threads else {
            return [SemanticNode(.status, "agent_threads.reading", isBusy: true)]
        }
        guard !threads.isEmpty else { return [SemanticNode(.text, "agent_threads.none"), retry] }
        // Their names say of which answer they are: a client acts on what it was shown.
        let items = threads.enumerated().map { place, thread in
            item(thread, "thread.\(effect.number).\(place)", agent, in: list.folder)
        }
        return [SemanticNode(.list, "agent_threads.list", items), retry]
    }

    private func item(_ thread: AgentThread, _ id: String, _ agent: Agent, in folder: String?) -> SemanticNode {
        let name = thread.title.isEmpty ? thread.id.withoutControls.limited(to: 64) : thread.title
        let isHere = talks.inOrder.contains { $0.session.isOf(thread.id, agent.id) }
        return SemanticNode(
            .item, id, .said(name),
            detail: Words(listing: [
                thread.folder.map { .said($0.withControlsShown) }, isHere ? "agent_threads.here" : nil,
            ]),
            at: thread.changedAt, isEnabled: isHere || storageFailure == nil,
            offers: [
                .tap(
                    .agents(
                        .takeUpAgentThread(
                            agent: agent.id, thread: thread.id, folder: thread.folder ?? folder,
                            title: thread.title.isEmpty ? nil : thread.title)))
            ])
    }
}
