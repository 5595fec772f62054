extension Presentation {
    /// Says what would be sent to a model, and to which, before anything is.
    var summaryScreen: SemanticNode {
        guard let request = view.summary else { return roomsScreen }
        let models = agents.models
        // Of a model that was chosen and is gone, no other one takes the place.
        let chosen = request.agent.map { id in models.first { $0.id == id } } ?? models.first
        var nodes: [SemanticNode] = []
        if request.room.flatMap({ rooms[$0]?.keepsNothing }) == true {
            nodes.append(SemanticNode(.banner, "summary.keeps_nothing"))
        } else if !models.isEmpty {
            nodes.append(
                SemanticNode(.section, "summary.models", models.map { model($0, isChosen: $0.id == chosen?.id) }))
            nodes += content(request, chosen)
        } else {
            nodes.append(SemanticNode(.banner, "summary.none", detail: "summary.get_one"))
        }
        nodes.append(.button("summary.cancel", .app(.back)))
        return page("summary", .key("summary", ["name": .words(state.words(for: request))]), nodes)
    }

    private func model(_ agent: Agent, isChosen: Bool) -> SemanticNode {
        SemanticNode(
            .choice, "summary.model.\(agent.id)", .said(agent.name),
            detail: Words(listing: [
                .said(agent.placeText), agent.isModelOfThisMachine ? "summary.here" : "summary.elsewhere",
            ]),
            isEnabled: !isChosen, isSelected: isChosen, offers: [.tap(.agents(.chooseSummaryModel(agent: agent.id)))])
    }

    private func content(_ request: SummaryRequest, _ agent: Agent?) -> [SemanticNode] {
        if let failure = request.failure {
            return [SemanticNode(.banner, "summary.problem", Words(failure)), retry]
        }
        guard let effect = request.effect, let prompt = request.prompt else {
            return request.isReading ? [SemanticNode(.status, "summary.reading", isBusy: true)] : [retry]
        }
        guard !prompt.isEmpty else { return [SemanticNode(.text, "summary.nothing"), retry] }
        let copy = request.expiresAt.map { Words.key("summary.copy.until", ["time": .time($0)]) } ?? "summary.copy"
        return [
            SemanticNode(.text, "summary.copy", copy),
            SemanticNode(.text, "summary.prompt", value: .text(prompt)),
        ] + (agent.map { [send(effect, to: $0)] } ?? [])
    }

    /// Its id says what is sent and to whom: a client that acts on a node acts on what the node means when that arrives.
    private func send(_ effect: EffectID, to agent: Agent) -> SemanticNode {
        .button(
            "summary.send.\(effect.number).\(agent.id)", .key("summary.send", ["name": .said(agent.name)]),
            .agents(.sendSummary(agent: agent.id, of: effect)), isEnabled: storageFailure == nil)
    }

    private var retry: SemanticNode { .button("summary.retry", .agents(.retrySummary)) }
}
