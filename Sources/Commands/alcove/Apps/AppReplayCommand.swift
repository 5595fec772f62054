/// `alcove app replay`
struct AppReplayCommand: Command {
    static let reference = CommandReference(
        "app replay", "FILE [--json]",
        "run a recorded component again, with the recording in place of clock, chance, files and network",
        takes: .one("a file that app run --record wrote"),
        options: [AppOptions.json],
        examples: ["alcove app run checklist show --record runs", "alcove app replay runs/1-commands.mjs.run"])

    let arguments: Arguments
    private var path: String { arguments.operands[0] }

    func run() async throws { try await RecordedRun(path).replay(asJSON: arguments.has("json")) }
}
