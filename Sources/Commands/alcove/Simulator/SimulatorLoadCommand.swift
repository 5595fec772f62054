import AppCore

/// `alcove sim load-scenario`
struct SimulatorLoadCommand: Command {
    static let name = "sim load-scenario"
    static let summary = "put the simulator into a situation: one of its own, or a file"
    static let usage = "NAME|FILE"
    static let options = SimulatorConnection.options
    static let examples = ["alcove sim load-scenario verified_chat", "alcove sim load-scenario ./my_case.json"]

    private let arguments: Arguments
    private let scenario: String

    init(_ arguments: Arguments) throws {
        scenario = try arguments.operands(1...1, "NAME or FILE")[0]
        self.arguments = arguments
    }

    func run() async throws {
        let isFile = scenario.hasSuffix(".json") || scenario.contains("/")
        let value: JSONValue = isFile ? try OutputFile.json(scenario) : .string(scenario)
        let connection = try SimulatorConnection(path: SimulatorConnection.path(arguments))
        let result = try await connection.ask("load_scenario", ["scenario": value])
        try Terminal.print(result, onOneLine: arguments.has("json"))
    }
}
