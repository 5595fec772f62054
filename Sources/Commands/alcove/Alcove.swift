import Agents
import AppCore
import Foundation
import Host

/// `alcove`: the command line.
@main
enum Alcove {
    static var commands: [CommandEntry] {
        CommandEntry.each([
            DemoCommand.self, OpenCommand.self, ServeCommand.self, ServerCheckCommand.self, ChatCommand.self,
            RoomListCommand.self,
        ])
            + RoomChange.all
            + CommandEntry.each([
                RoomHistoryCommand.self, RoomSearchCommand.self, RoomEraseAllCommand.self, CircleListCommand.self,
                CircleAddCommand.self, CircleTrustCommand.self,
                CircleRenewCommand.self, CircleRevokeCommand.self, CircleTombstonesCommand.self, CircleSealCommand.self,
                CircleOpenCommand.self, PassphraseSetCommand.self, PassphraseRemoveCommand.self,
                NotificationsCommand.self, ProfileExportCommand.self, ProfileImportCommand.self,
                ProfileVerifyCommand.self, ReportCommand.self,
                AgentAddCommand.self, AgentListCommand.self, AgentRenameCommand.self, AgentRemoveCommand.self,
                AgentChatCommand.self, AgentAskCommand.self, AgentSessionsCommand.self, AgentModelsCommand.self,
                AgentLoginCommand.self,
                AgentLogCommand.self, AgentSummariseCommand.self, AgentShareCommand.self, AgentUnshareCommand.self,
                AgentServeCommand.self, AgentACPCommand.self,
                AgentDevicesCommand.self, AgentRevokeCommand.self, AgentPairCommand.self,
                TDFSealCommand.self, TDFOpenCommand.self, TDFInspectCommand.self, KeyAccessServeCommand.self,
            ]) + MCPCommands.all + NoteCommands.all + AppCommands.all + HostCommands.all + SimulatorCommands.all
            + CommandEntry.each([CompletionCommand.self, ManualCommand.self])
    }

    static func main() async {
        let words = ordered(Array(CommandLine.arguments.dropFirst()))
        let code = await run(words)
        ProgramEnd.now(code)
    }

    private static func run(_ words: [String]) async -> ExitCode {
        guard let first = words.first, !["help", "--help", "-h"].contains(first) else {
            Terminal.print(.text(overview))
            return .success
        }
        if first == SupervisorPlace.option, let path = words.dropFirst().first, words.count == 2 {
            return await AgentSupervision.run(at: path)
        }
        if first == "--version" {
            Terminal.print("alcove \(Core.version)")
            return .success
        }
        if let command = find(words) {
            return await Invocation(command: command, words: Array(words.dropFirst(command.words.count))).run()
        }
        let group = commands.filter { $0.words.count > 1 && $0.words.first == first }
        if !group.isEmpty, words.dropFirst().allSatisfy({ ["help", "--help", "-h"].contains($0) }) {
            Terminal.print(.text(list(group)))
            return .success
        }
        let hint = group.isEmpty ? "alcove help lists the commands" : "alcove \(first) --help lists what there is"
        Terminal.complain("there is no command \"\(words.prefix(2).joined(separator: " "))\"; \(hint)")
        return .usage
    }

    /// Puts options that stand between `sim` and its verb after the verb: `sim --core LIBRARY tree`. Without a verb they
    /// are for `serve`; so are those of `mcp`.
    private static func ordered(_ words: [String]) -> [String] {
        let second = words.dropFirst().first ?? ""
        if words.first == "mcp", second != "--help", second.isEmpty || second.hasPrefix("--") {
            return ["mcp", "serve"] + words.dropFirst()
        }
        guard words.first == "sim", second.hasPrefix("--"), second != "--help" else { return words }
        var rest = words.dropFirst()
        var options: [String] = []
        while let option = rest.first, option.hasPrefix("--") {
            options.append(rest.removeFirst())
            let isWhole = option.contains("=") || option == "--json"
            if !isWhole, let value = rest.popFirst() { options.append(value) }
        }
        return ["sim", rest.popFirst() ?? "serve"] + rest + options
    }

    /// The command with the longest name that the words begin with.
    private static func find(_ words: [String]) -> CommandEntry? {
        commands.filter { words.starts(with: $0.words) }.max { $0.words.count < $1.words.count }
    }

    private static func list(_ commands: [CommandEntry]) -> String {
        let rows = columns(commands.map { (left: "alcove " + $0.name, right: $0.summary) }).joined(separator: "\n")
        return rows + "\n\nDetails:  alcove \(commands.first?.words.first ?? "COMMAND") VERB --help"
    }

    private static var overview: String {
        let simulator = (left: "alcove sim …", right: "the simulator: the whole product without network or display")
        let rows = commands.filter { $0.words.first != "sim" }.map { (left: "alcove " + $0.name, right: $0.summary) }
        return """
            Alcove: a private place on your own machines.

            \(columns(rows + [simulator]).joined(separator: "\n"))

            Try it:   alcove demo
            Details:  alcove COMMAND --help
            """
    }
}

/// A command and the words that came after its name.
private struct Invocation {
    let command: CommandEntry
    let words: [String]

    func run() async -> ExitCode {
        if words.contains("--help") || words.contains("-h") {
            Terminal.print(.text(command.help))
            return .success
        }
        do {
            try await command.run(Arguments(words, of: command.reference))
            return .success
        } catch let error as UsageError {
            Terminal.complain(of: "\(error.explanation)\nalcove \(command.name) --help shows how it is used")
            return .usage
        } catch let failure as CommandFailure {
            // A command that has said it already has nothing to add.
            if !failure.explanation.isEmpty { Terminal.complain(of: failure.explanation) }
            return failure.code
        } catch {
            Terminal.complain(of: ErrorWords.sentence(error))
            return Self.code(of: error)
        }
    }

    /// How a command ends with what it did not expect.
    private static func code(of error: any Error) -> ExitCode {
        switch error {
        case is CocoaError: .inputOutput
        case is AttachError: .unavailable
        case is Failure: .failure
        default: .software
        }
    }
}
