import AppCore

/// `alcove sim …`: every command of the simulator.
enum SimulatorCommands {
    static var all: [CommandEntry] {
        [
            CommandEntry(SimulatorServeCommand.self), CommandEntry(SimulatorStartCommand.self),
            CommandEntry(SimulatorViewCommand.self), CommandEntry(SimulatorTreeCommand.self),
            CommandEntry(SimulatorRenderCommand.self), CommandEntry(SimulatorScreenshotCommand.self),
            CommandEntry(SimulatorAssertScreenshotCommand.self), CommandEntry(SimulatorDiffCommand.self),
            CommandEntry(SimulatorLoadCommand.self), CommandEntry(SimulatorReplayCommand.self),
            CommandEntry(SimulatorAssertReplayCommand.self), CommandEntry(SimulatorExportCommand.self),
            CommandEntry(SimulatorWalkCommand.self),
            CommandEntry(SimulatorLintCommand.self),
        ] + SimulatorVerb.all.map(entry)
    }

    private static func entry(_ verb: SimulatorVerb) -> CommandEntry {
        CommandEntry(
            name: "sim " + verb.name, summary: verb.summary, usage: verb.operands.joined(separator: " "),
            options: verb.options + SimulatorConnection.options, examples: [verb.example]
        ) { arguments in
            let operands = try arguments.operands(
                verb.operands.count...verb.operands.count, verb.operands.joined(separator: " "))
            let request = try verb.request(.init(operands: operands, arguments: arguments))
            let connection = try SimulatorConnection(path: SimulatorConnection.path(arguments))
            let result = try await connection.ask(request.method, request.parameters)
            try Terminal.print(result, onOneLine: arguments.has("json"))
        }
    }
}
