import AppCore

/// `alcove sim load-scenario`
struct SimulatorLoadCommand: Command {
    static let reference = CommandReference(
        "sim load-scenario", "NAME|FILE",
        "put the simulator into a situation: one of its own, or a file",
        takes: .one("NAME or FILE"),
        options: SimulatorConnection.options,
        examples: ["alcove sim load-scenario verified_chat", "alcove sim load-scenario ./my_case.json"])

    let arguments: Arguments
    private var scenario: String { arguments.operands[0] }

    func run() async throws {
        let isFile = scenario.hasSuffix(".json") || scenario.contains("/")
        let value: JSONValue = isFile ? try OutputFile.json(scenario) : .string(scenario)
        let connection = try SimulatorConnection(path: SimulatorConnection.path(arguments))
        let result = try await connection.ask("load_scenario", ["scenario": value])
        try Terminal.print(result, onOneLine: arguments.has("json"))
    }
}
