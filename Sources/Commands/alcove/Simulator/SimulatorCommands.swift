import AppCore

/// `alcove sim …`: every command of the simulator.
enum SimulatorCommands {
    static var all: [CommandEntry] {
        CommandEntry.each([
            SimulatorServeCommand.self, SimulatorStartCommand.self, SimulatorViewCommand.self,
            SimulatorTreeCommand.self, SimulatorRenderCommand.self, SimulatorScreenshotCommand.self,
            SimulatorAssertScreenshotCommand.self, SimulatorDiffCommand.self, SimulatorLoadCommand.self,
            SimulatorReplayCommand.self, SimulatorAssertReplayCommand.self, SimulatorExportCommand.self,
            SimulatorWalkCommand.self, SimulatorLintCommand.self,
        ]) + SimulatorVerb.all.map(entry)
    }

    private static func entry(_ verb: SimulatorVerb) -> CommandEntry {
        let usage = verb.operands.joined(separator: " ")
        let reference = CommandReference(
            "sim " + verb.name, usage, verb.summary, takes: .some(verb.operands.count...verb.operands.count, usage),
            options: verb.options + SimulatorConnection.options, examples: [verb.example])
        return CommandEntry(reference) { arguments in
            let request = try verb.request(.init(operands: arguments.operands, arguments: arguments))
            let connection = try SimulatorConnection(path: SimulatorConnection.path(arguments))
            var result = try await connection.ask(request.method, request.parameters)
            let isForScript = arguments.has("json")
            // For programs of the earlier simulator: it says the rest once more, and the whole state.
            if Terminal.isInteractive, !isForScript { result["report"] = nil }
            try Terminal.print(result, onOneLine: isForScript)
        }
    }
}
