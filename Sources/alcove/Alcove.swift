import AppCore
import Foundation

/// `alcove`: the command line of the house.
@main
enum Alcove {
    static var commands: [any Command.Type] {
        [
            DemoCommand.self, ServeCommand.self, ChatCommand.self, RoomListCommand.self, RoomRenameCommand.self,
            RoomPinCommand.self, RoomLeaveCommand.self, RoomDeleteCommand.self, RoomEraseAllCommand.self,
            PassphraseSetCommand.self, PassphraseRemoveCommand.self,
        ]
    }

    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        let code = await run(words)
        exit(code.rawValue)
    }

    private static func run(_ words: [String]) async -> ExitCode {
        guard let first = words.first, !["help", "--help", "-h"].contains(first) else {
            Terminal.print(overview)
            return words.isEmpty ? .usage : .success
        }
        if first == "--version" {
            Terminal.print("alcove \(Core.version)")
            return .success
        }
        guard let invocation = find(words) else {
            let near = commands.filter { $0.name.hasPrefix(first + " ") }.map { $0.name }
            let hint = near.isEmpty ? "alcove help lists the commands" : "there are: \(near.joined(separator: ", "))"
            Terminal.complain("there is no command \"\(words.prefix(2).joined(separator: " "))\"; \(hint)")
            return .usage
        }
        return await invocation.run()
    }

    /// The command with the longest name that the words begin with.
    private static func find(_ words: [String]) -> Invocation? {
        for command in commands.sorted(by: { $0.name.count > $1.name.count }) {
            let name = command.name.split(separator: " ").map(String.init)
            if words.starts(with: name) {
                return Invocation(command: command, words: Array(words.dropFirst(name.count)))
            }
        }
        return nil
    }

    private static var overview: String {
        let width = commands.map { $0.name.count }.max() ?? 0
        let lines = commands.map { command in
            "  alcove " + command.name + String(repeating: " ", count: width - command.name.count + 2) + command.summary
        }
        return """
            Alcove: a private place on your own machines.

            \(lines.joined(separator: "\n"))

            Try it:   alcove demo
            Details:  alcove COMMAND --help
            """
    }
}

/// A command and the words that came after its name.
private struct Invocation {
    let command: any Command.Type
    let words: [String]

    func run() async -> ExitCode {
        if words.contains("--help") || words.contains("-h") {
            Terminal.print(command.help)
            return .success
        }
        do {
            try await command.init(Arguments(words, options: command.options)).run()
            return .success
        } catch let error as UsageError {
            Terminal.complain("\(error.explanation)\n       alcove \(command.name) --help shows how it is used")
            return .usage
        } catch let failure as CommandFailure {
            Terminal.complain(failure.explanation)
            return failure.code
        } catch {
            Terminal.complain("\(error)")
            return .software
        }
    }
}
