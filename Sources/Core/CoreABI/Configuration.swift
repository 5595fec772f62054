import AppCore
import Scenarios

/// The configuration passed to `alcove_core_new`.
enum Configuration {
    /// A core nothing has happened to.
    case new(seed: UInt64)
    case scenario(Scenario)
    /// A core that goes on from a state.
    case state(AppState)

    init(_ start: UnsafePointer<CChar>?) throws(CallError) {
        self = .new(seed: 0)
        guard let start, start.pointee != 0 else { return }
        let text = try IncomingText(start)
        guard let json = try? JSON.decode(JSONValue.self, from: text.bytes) else { throw text.error(.badConfig, "") }
        if json.string != nil {
            self = .scenario(try Self.scenario(json))
        } else {
            try self.init(options: json.object)
        }
    }

    private init(options: [String: JSONValue]?) throws(CallError) {
        switch (options?.count, options?["scenario"], options?["seed"]) {
        case (0, _, _): self = .new(seed: 0)
        case (1, let scenario?, nil): self = .scenario(try Self.scenario(scenario))
        case (1, nil, .integer(let seed)): self = .new(seed: UInt64(bitPattern: seed))
        case (1, nil, nil) where options?["state"] != nil: self = .state(try Self.state(options?["state"] ?? .null))
        default:
            throw CallError(
                .badConfig,
                "a configuration is {}, {\"seed\":NUMBER}, {\"scenario\":NAME}, {\"scenario\":{…}} or {\"state\":{…}}")
        }
    }

    private static func state(_ json: JSONValue) throws(CallError) -> AppState {
        do { return try AppState(json: json) } catch {
            throw CallError(.badConfig, "this is no state as alcove_core_state gives it")
        }
    }

    private static func scenario(_ json: JSONValue) throws(CallError) -> Scenario {
        do {
            if let name = json.string { return try Scenario.named(name) }
            return try Scenario(name: "given", json: JSON.encode(json))
        } catch {
            let code = json.string == nil ? CallError.Code.badScenario : .unknownScenario
            throw CallError(code, (error as? ScenarioError)?.explanation ?? "it cannot be read")
        }
    }
}
