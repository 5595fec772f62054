internal import AgentProtocols
internal import Errors
internal import Networking
internal import Wire

extension CompletionsAgent {
    /// Bytes of a list of models.
    private static let listBytes = 1 << 20

    /// The models that the server has, by their ids, at most ``AgentLimits/elements`` (`GET /v1/models`).
    package func models() async throws(AgentError) -> [String] {
        var headers: HTTPFields = ["accept": "application/json"]
        if let authorization = try authorization() { headers["authorization"] = authorization }
        var client = client
        client.bodyLimit = Self.listBytes
        let answer: HTTPResponse
        do {
            answer = try await client.send(
                HTTPRequest(method: "GET", path: "/models", headers: headers), to: configuration.server)
        } catch {
            throw AgentError(error.code == .timedOut ? .silent : .unreachable, error.message)
        }
        guard answer.status == 200 else { throw failure(status: answer.status) }
        guard let list = try? BoundedJSON.object(answer.body) else {
            throw AgentError(.notUnderstood, "\(configuration.server) does not list its models as this API does")
        }
        let ids = list.array("data").compactMap(\.object).compactMap { $0.string("id") }
        return Array(ids.filter { !$0.isEmpty && $0.utf8.count <= AgentLimits.nameBytes }.prefix(AgentLimits.elements))
    }

    /// The model to ask. Many servers answer nothing without its name, so one that was not named is looked up.
    func usualModel() async -> String? {
        if model == nil { await offer((try? models()) ?? []) }
        return model
    }

    /// Tells what there is to choose, and which model is asked: one that talks, if nobody said which.
    func offer(_ models: [String]) async {
        let isNew = model == nil && !models.isEmpty
        if isNew { model = models.first { !$0.contains("embed") } ?? models.first }
        guard models.count > 1 || isNew else { return }
        let options = models.map { AgentSetting.Option(id: $0, name: $0) }
        await events.send(.setting(AgentSetting(kind: .model, current: model ?? "", options: options)))
    }
}
