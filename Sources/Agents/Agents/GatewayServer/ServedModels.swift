internal import AgentProtocols
internal import Wire

/// The models of an agent that a gateway of ours serves, as it offers them. The protocol knows their ids only.
struct ServedModels: Sendable {
    private(set) var ids: [String] = []
    /// The one that is asked; nil if that is not known.
    private(set) var current: String?
    /// The one that a client chose last, until the agent has answered.
    var chosen: String?

    /// - Returns: whether something is new.
    mutating func take(_ event: AgentEvent) -> Bool {
        switch event {
        case .setting(let setting) where setting.kind == .model:
            let known = (ids, current)
            ids = setting.options.map(\.id)
            current = setting.current.isEmpty ? nil : setting.current
            return known != (ids, current)
        case .chosen(.model, let model) where model != current:
            current = model
            return true
        default: return false
        }
    }

    /// The one that stands so many places behind the one that is asked, or was chosen; nil if none is offered.
    func next(by places: Int) -> String? {
        guard !ids.isEmpty else { return nil }
        let known = chosen ?? current
        guard let place = ids.firstIndex(where: { $0 == known }) else { return places < 0 ? ids.last : ids.first }
        return ids[(place + places % ids.count + ids.count) % ids.count]
    }

    var event: GatewayEvent {
        GatewayEvent(
            .availableModelsUpdated,
            [
                "available_models": .array(ids.map { .string($0) }),
                "provider_model": current.map { .string($0) },
            ])
    }
}
