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
}
