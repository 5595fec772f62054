import AppCore
import Scenarios
import Simulator
import Testing

/// A script that talks to a simulator, and stops where something does not work.
struct Client {
    let simulator: Simulator

    init(_ scenario: String = "first_run", core: Simulator.Subject = .builtIn, seed: UInt64 = 0) throws {
        simulator = try Simulator(core: core, scenario: Scenario.named(scenario), seed: seed)
    }

    /// Asks, and insists on an answer.
    @discardableResult func ask(
        _ method: String, _ params: [String: JSONValue] = [:], _ location: SourceLocation = #_sourceLocation
    ) async throws -> JSONValue {
        let response = await simulator.answer(Request(id: .integer(7), method: method, params: .object(params)))
        #expect(response.id == .integer(7), sourceLocation: location)
        return try #require(response.result, "\(response.error ?? "no result")", sourceLocation: location)
    }

    /// Asks for what cannot be had.
    func fail(
        _ method: String, _ params: [String: JSONValue] = [:], _ location: SourceLocation = #_sourceLocation
    ) async throws -> (code: String, error: String) {
        let response = await simulator.answer(Request(method: method, params: .object(params)))
        #expect(!response.ok && response.result == nil, sourceLocation: location)
        let code = try #require(response.code, sourceLocation: location)
        return (code, try #require(response.error, sourceLocation: location))
    }

    func tap(_ id: String, _ location: SourceLocation = #_sourceLocation) async throws {
        try await ask("tap", ["node_id": .string(id)], location)
    }

    func type(_ text: String, into id: String, _ location: SourceLocation = #_sourceLocation) async throws {
        try await ask("type_text", ["node_id": .string(id), "text": .string(text)], location)
    }

    func see(_ text: String, _ location: SourceLocation = #_sourceLocation) async throws {
        try await ask("assert_text", ["contains": .string(text)], location)
    }

    func value(of id: String, _ location: SourceLocation = #_sourceLocation) async throws -> String? {
        try await ask("find_node", ["node_id": .string(id)], location)["value"]?.string
    }
}
