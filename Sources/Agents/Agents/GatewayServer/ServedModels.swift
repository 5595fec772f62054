internal import AgentProtocols
internal import Wire

/// The models of an agent that a gateway of ours serves, as it offers them. The protocol knows their ids only.
struct ServedModels: Sendable {
    private(set) var ids: [String] = []
    /// The one that is asked; nil if that is not known.
    private(set) var current: String?

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

    var event: GatewayEvent {
        GatewayEvent(
            .availableModelsUpdated,
            [
                "available_models": .array(ids.map { .string($0) }),
                "provider_model": current.map { .string($0) },
            ])
    }
}
