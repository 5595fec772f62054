import AppCore
import Foundation
import Layout

/// `alcove sim view`
struct SimulatorViewCommand: Command {
    static let reference = CommandReference(
        "sim view", "[--socket PATH]",
        "watch the screen in the terminal, as it changes",
        options: SimulatorConnection.options + [
            .value("columns", "N", "the width in characters (default: the terminal's)"),
            .flag("once", "show it once and end"),
        ],
        examples: ["alcove sim view", "alcove sim view --once --columns 60"])

    private let arguments: Arguments
    private let columns: Int

    init(arguments: Arguments) throws {
        self.arguments = arguments
        columns = try arguments.integer("columns", in: 20...1000) ?? Terminal.columns()
    }

    func run() async throws {
        let connection = try SimulatorConnection(path: SimulatorConnection.path(arguments))
        let isLive = Terminal.isInteractive && !arguments.has("once")
        var seen: Int64 = 0
        while true {
            let tree = try await connection.ask("tree")
            let node: ViewNode
            do { node = try ViewNode(json: try JSON.encode(tree)) } catch let error as LayoutError {
                throw CommandFailure(error.message, .dataError)
            }
            let lines = node.terminalLines(columns: columns, hasColours: Terminal.isInteractive)
            // To the upper left corner, and away with what was there.
            Terminal.draw((isLive ? "\u{1B}[H\u{1B}[2J" : "") + TerminalText(unescaped: lines.joined(separator: "\n")))
            if arguments.has("once") { return }
            repeat {
                let change = try await connection.ask(
                    "changes", ["since": .integer(seen), "timeout_ms": .integer(30_000)])
                let revision = change["revision"]?.integer ?? 0
                if revision != seen {
                    seen = revision
                    break
                }
            } while true
            if !isLive { Terminal.print("") }
        }
    }
}
