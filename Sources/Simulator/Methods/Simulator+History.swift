import AppCore

// The log, and going back in it.

extension Simulator {
    static let history: [String: Method] = [
        "log": { simulator, parameters in try simulator.log(parameters) }
    ]

    private static let usualLimit: Int64 = 100

    private func log(_ parameters: Parameters) throws -> JSONValue {
        let limit = try parameters.whole("limit", in: 0...10_000) ?? Self.usualLimit
        let withStates = try parameters.flag("states") ?? true
        let numbers = simulation.log.numbers.suffix(Int(limit))
        let transitions = withStates ? try simulation.wholeTransitions(numbers) : try simulation.transitions(numbers)
        return .object([
            "transitions": .array(transitions),
            "effects": .array(try numbers.flatMap { try simulation.effectRecords(of: $0) }),
            "total": .integer(Int64(simulation.log.last)),
            "first_seq": .integer(Int64(simulation.log.first)),
        ])
    }
}
