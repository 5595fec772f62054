import AppCore
import Foundation
import Layout

/// `alcove sim view`
struct SimulatorViewCommand: Command {
    static let reference = CommandReference(
        "sim view", "[--socket PATH] [--web]",
        "watch the screen in the terminal, or use it as a page in a browser",
        options: SimulatorConnection.options + [
            .value("columns", "N", "the width in characters (default: the terminal's)"),
            .flag("once", "show it once and end"),
            .flag("web", "the page in a browser, in a view of its own; time passes there as on a clock"),
            .flag("stands-still", "with --web: time passes only as sim advance and others say"),
            .flag(
                "no-browser", "with --web: only print the address, which lets one browser in, once and within a minute"),
            .value("port", "N", "with --web: where the page is served (default: a free port)"),
        ],
        examples: ["alcove sim view", "alcove sim view --once --columns 60", "alcove sim view --web"])

    private let arguments: Arguments
    private let columns: Int
    private let port: Int?

    init(arguments: Arguments) throws {
        self.arguments = arguments
        port = try arguments.integer("port", in: 1...65_535)
        columns = try arguments.integer("columns", in: 20...1000) ?? Terminal.columns()
    }

    func run() async throws {
        let connection = try SimulatorConnection(path: SimulatorConnection.path(arguments))
        if arguments.has("web") { return try await openPage(connection) }
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
    private func openPage(_ connection: SimulatorConnection) async throws {
        var wish: [String: JSONValue] = ["stands_still": .bool(arguments.has("stands-still"))]
        wish["port"] = port.map { .integer(Int64($0)) }
        let answer = try await connection.ask("page", wish)
        guard let address = answer["address"]?.string, let folder = answer["folder"]?.string else {
            throw CommandFailure("the simulator said no address", .failure)
        }
        if try PageWindow(folder: folder, isWanted: !arguments.has("no-browser")).open(address) {
            return Terminal.print("the page opens in a browser")
        }
        Terminal.print("open this in a browser within a minute: \(address)")
    }
}
