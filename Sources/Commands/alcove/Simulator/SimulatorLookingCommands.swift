import AppCore
import Foundation

/// `alcove sim tree`
struct SimulatorTreeCommand: Command {
    static let reference = CommandReference(
        "sim tree", "[--json]",
        "what there is to see and to do, one line a node",
        options: SimulatorConnection.options,
        examples: ["alcove sim tree", "alcove sim tree --json"])

    let arguments: Arguments

    func run() async throws {
        let connection = try SimulatorConnection(path: SimulatorConnection.path(arguments))
        if arguments.has("json") { return try Terminal.print(try await connection.ask("tree"), onOneLine: true) }
        Terminal.print(.text(try await connection.ask("render")["output"]?.string ?? ""))
    }
}

/// `alcove sim render`
struct SimulatorRenderCommand: Command {
    static let reference = CommandReference(
        "sim render", "[--format text|json] [--output FILE]",
        "the screen as text or JSON",
        options: SimulatorConnection.options + [
            .value("format", "text|json", "how it is written (default text)"),
            .value("output", "FILE", "write it there instead of printing it"),
        ],
        examples: ["alcove sim render", "alcove sim render --format json --output screen.json"])

    let arguments: Arguments

    func run() async throws {
        let connection = try SimulatorConnection(path: SimulatorConnection.path(arguments))
        let result = try await connection.ask("render", ["format": .string(arguments["format"] ?? "text")])
        guard let output = result["output"] else { throw CommandFailure("the simulator drew nothing", .dataError) }
        let bytes = try output.string.map { Array($0.utf8) } ?? JSON.encode(output)
        if let file = arguments["output"] { return try OutputFile.write(bytes, to: file) }
        if arguments.has("json") { return try Terminal.print(json: result) }
        // JSON, too, is text whose lines end where it says so.
        Terminal.print(output.string.map { .text($0) } ?? .json(String(decoding: bytes, as: UTF8.self)))
    }
}
