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

/// A file that a command writes for its person.
enum OutputFile {
    /// Writes it whole or not at all.
    static func write(_ bytes: [UInt8], to path: String, forOwnerOnly: Bool = false) throws {
        do {
            try Data(bytes).write(to: URL(filePath: path), options: .atomic)
            guard forOwnerOnly else { return }
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        } catch {
            throw CommandFailure("\(path) cannot be written: \(error.localizedDescription)", .cannotCreate)
        }
    }

    /// Reads a file that the person named.
    static func read(_ path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure("\(path) cannot be read", .noInput)
        }
        return [UInt8](data)
    }

    static func json(_ path: String) throws -> JSONValue {
        do { return try JSON.decode(JSONValue.self, from: read(path)) } catch is DecodingError {
            throw CommandFailure("\(path) holds no JSON", .dataError)
        }
    }
}
