internal import AgentProtocols
internal import Errors
internal import Wire

// Models: what a gateway lists, and what a person chooses. The protocol has no other settings that an agent offers.

extension GatewaySession {
    /// What an event lists. One that lists none changes nothing: not every history does.
    mutating func offers(_ event: GatewayEvent) -> [Step] {
        let ids = event.object.array("available_models").compactMap(\.string)
        guard !ids.isEmpty else { return [] }
        let current = event.object.string("provider_model") ?? models?.current ?? ""
        let setting = AgentSetting(kind: .model, current: current, options: ids.map { .init(id: $0, name: $0) })
        guard setting != models else { return [] }
        models = setting
        return [.tell(.setting(setting))]
    }

    /// Asks for a model that is listed.
    mutating func choose(_ kind: AgentSetting.Kind, _ model: String) throws(AgentError) -> (id: UInt64, steps: [Step]) {
        guard kind == .model, models?.options.contains(where: { $0.id == model }) == true else {
            throw AgentError(.gone, "\(name) offers nothing of this kind to choose")
        }
        guard isReady, choices.count < AgentLimits.openRequests else {
            throw AgentError(.unreachable, "there is no connection to \(name) now")
        }
        let id = freshID()
        choices[id] = model
        return (id, [.send(GatewayRequest(.setModel, id: id, ["model": .string(model)]))])
    }

    mutating func modelChanged(_ event: GatewayEvent) -> [Step] {
        let id = event.id.flatMap { choices.removeValue(forKey: $0) == nil ? nil : $0 }
        guard event.object.string("error") == nil else { return id.map { [.chose($0, refusal)] } ?? [] }
        models?.current = AgentText.name(event.string("model"))
        return [.tell(.chosen(.model, AgentText.name(event.string("model"))))] + (id.map { [.chose($0, nil)] } ?? [])
    }

    /// Nobody knows whether what was chosen arrived. The next history says which model is asked.
    mutating func dropChoices() -> [Step] {
        defer { choices = [:] }
        let error = AgentError(.unreachable, "the connection to \(name) broke before it answered")
        return choices.keys.sorted().map { .chose($0, error) }
    }

    var refusal: AgentError { AgentError(.refused, "\(name) does not ask this model") }
}
