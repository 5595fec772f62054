package import AppCore

/// One line of a scenario.
package enum ScenarioStep: Sendable, Hashable {
    /// An action or event, in the JSON of the core, with references instead of ids (see ``References``).
    case happen(JSONValue)
    /// An event that answers, or reports on, the newest open effect of a type. Without a `type` the disk answers, with what is on it.
    case answer(effect: String, event: JSONValue)
    /// Milliseconds that pass, with the ticks that the core asked for.
    case pass(Int64)
    /// The process ends, and another one begins with what was saved.
    /// - Parameter recent: how many messages of each room it takes into memory; `nil` for all.
    case restart(locked: Bool, recent: Int?)

    struct Unreadable: Error { let explanation: String }

    init(_ json: JSONValue) throws {
        guard let members = json.object else { throw Unreadable(explanation: "a step is an object") }
        if let pass = members["pass_ms"] {
            guard let time = pass.integer, time >= 0 else { throw Unreadable(explanation: "pass_ms is a whole number") }
            self = .pass(time)
        } else if let effect = members["answer"]?.string {
            var event = json
            event["answer"] = nil
            self = .answer(effect: effect, event: event)
        } else if members["restart"] != nil {
            self = .restart(
                locked: members["locked"]?.bool ?? false, recent: members["recent"]?.integer.map(Int.init(clamping:)))
        } else if members["type"]?.string != nil {
            self = .happen(json)
        } else {
            throw Unreadable(explanation: "a step has one of the keys type, answer, pass_ms, restart")
        }
    }
}
