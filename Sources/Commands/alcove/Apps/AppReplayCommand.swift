/// `alcove app replay`
struct AppReplayCommand: Command {
    static let name = "app replay"
    static let summary =
        "run a recorded component again, with the recording in place of clock, chance, files and network"
    static let usage = "FILE [--json]"
    static let options = [AppOptions.json]
    static let examples = ["alcove app run checklist show --record runs", "alcove app replay runs/1-commands.mjs.run"]

    private let arguments: Arguments
    private let path: String

    init(_ arguments: Arguments) throws {
        path = try arguments.operands(1...1, "a file that app run --record wrote")[0]
        self.arguments = arguments
    }

    func run() async throws { try await RecordedRun(path).replay(asJSON: arguments.has("json")) }
}
