import AppCore

// What goes wrong when told.

extension Simulator {
    static let faults: [String: Method] = [
        "inject_fault": { simulator, parameters in try simulator.injectFault(parameters) }
    ]

    /// `inject_fault{kind, message?}`, or a rule.
    private func injectFault(_ parameters: Parameters) throws -> JSONValue {
        guard let kind = try parameters.text("kind") else {
            add(try parameters.decode(Rule.self))
            return .object(["rules": try JSONValue(simulation.world.settings.rules)])
        }
        var result = try reporting(["kind": .string(kind)], parameters) { try inject(kind, parameters) }
        result["rules"] = try JSONValue(simulation.world.settings.rules)
        return result
    }

    private func inject(_ kind: String, _ parameters: Parameters) throws {
        switch kind {
        case "offline", "online":
            let event = Event.reachabilityChanged(online: kind == "online")
            try change { try $0.dispatch(.event(event)) }
        case "disk_full", "disk_free":
            try change { try $0.setDiskFull(kind == "disk_full") }
        default:
            let rules = Self.rules(kind, message: try parameters.text("message") ?? "")
            guard !rules.isEmpty else {
                throw SimulatorError(
                    .badRequest,
                    "inject_fault: there is no kind \"\(kind.prefix(64))\". There are: connection_failed,"
                        + " server_unreachable, pairing_failed, invalid_pairing_code, tool_failed, offline, online,"
                        + " disk_full, disk_free; or write a rule with \"effect\" and \"outcome\".")
            }
            rules.forEach(add)
        }
    }

    /// The faults of the earlier simulator, as rules that hold once. Codes are those of rooms and of gateways.
    private static func rules(_ kind: String, message: String) -> [Rule] {
        switch kind {
        case "connection_failed", "server_unreachable":
            [Rule("server", .fail, failure: Failure(.serverUnreachable, message, retryable: true), times: 1)]
        case "pairing_failed", "invalid_pairing_code":
            [
                Rule("join_room", .fail, failure: Failure(.codeUnknown, message), times: 1),
                Rule("pair_gateway", .fail, failure: Failure(.gatewayCodeRefused, message), times: 1),
            ]
        case "tool_failed": [Rule("deliver", .fail, failure: Failure(.other, message), times: 1)]
        default: []
        }
    }

    private func add(_ rule: Rule) { change { $0.world.settings.rules.insert(rule, at: 0) } }
}
