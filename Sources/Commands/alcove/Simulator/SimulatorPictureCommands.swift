import AppCore
import Foundation
import Simulator

/// `alcove sim screenshot`
struct SimulatorScreenshotCommand: Command {
    static let reference = CommandReference(
        "sim screenshot", "[--format svg|png|json] [--output FILE] [--scenario NAME|FILE]",
        "a picture of the screen",
        options: SimulatorConnection.options + SimulatorOptions.all + [
            .value(
                "format", "svg|png|json",
                "json has the scene and the layout (default: by the file's ending, else svg)"),
            .value("output", "FILE", "write it there instead of printing it"),
        ],
        examples: [
            "alcove sim screenshot --output screen.png",
            "alcove sim screenshot --scenario verified_chat --output chat.svg",
        ])

    private let arguments: Arguments
    private let format: String

    init(arguments: Arguments) throws {
        self.arguments = arguments
        let ending = arguments["output"].map { URL(filePath: $0).pathExtension } ?? ""
        format = arguments["format"] ?? (["svg", "png", "json"].contains(ending) ? ending : "svg")
        guard ["svg", "png", "json"].contains(format) else { throw UsageError("--format takes svg, png or json") }
    }

    func run() async throws {
        let screenshot = try await SimulatorAsker(arguments).ask("screenshot")
        guard let svg = screenshot["svg"]?.string else { throw CommandFailure("there is no picture", .dataError) }
        let bytes: [UInt8] =
            switch format {
            case "png": try await Rasterizer.png(of: svg)
            case "json": try JSON.encode(screenshot)
            default: Array(svg.utf8)
            }
        if let file = arguments["output"] { return try OutputFile.write(bytes, to: file) }
        guard format != "png" || !Terminal.isInteractive else {
            throw UsageError("a PNG is not for the terminal; say --output FILE")
        }
        let output = try ByteOutput(nil, forOwnerOnly: false, content: .shown)
        try output.write(bytes)
        try output.finish()
    }
}

/// `alcove sim assert-screenshot`
struct SimulatorAssertScreenshotCommand: Command {
    static let reference = CommandReference(
        "sim assert-screenshot", "FILE",
        "fail unless the screen looks as it did",
        takes: .one("FILE"),
        options: SimulatorConnection.options + SimulatorOptions.all,
        examples: [
            "alcove sim screenshot --format json --output golden.json && alcove sim assert-screenshot golden.json"
        ])

    let arguments: Arguments
    private var file: String { arguments.operands[0] }

    func run() async throws {
        let bytes = try OutputFile.read(file)
        let json = try? JSON.decode(JSONValue.self, from: bytes)
        let snapshot = json ?? .object(["svg": .string(String(decoding: bytes, as: UTF8.self))])
        let result = try await SimulatorAsker(arguments).ask("assert_screenshot", ["snapshot": snapshot])
        try Terminal.print(result, onOneLine: arguments.has("json"))
    }
}

/// A running simulator, or one of the command's own if the options say where it begins.
struct SimulatorAsker {
    private let ask: (String, [String: JSONValue]) async throws -> JSONValue

    init(_ arguments: Arguments) throws {
        let isOwn = arguments["scenario"] != nil || arguments["core"] != nil
        self = isOwn ? try Self(own: SimulatorOptions(arguments)) : try Self(running: arguments)
    }

    init(running arguments: Arguments) throws {
        let connection = try SimulatorConnection(path: SimulatorConnection.path(arguments))
        ask = { try await connection.ask($0, $1) }
    }

    init(scenario: String) throws { try self.init(own: SimulatorOptions(scenario: scenario)) }

    init(own options: SimulatorOptions) throws {
        let simulator = try options.simulator()
        ask = { method, parameters in
            let response = await simulator.answer(.init(method: method, params: .object(parameters)))
            guard response.ok else { throw CommandFailure(response.error ?? "refused", .failure) }
            return response.result ?? .null
        }
    }

    func ask(_ method: String, _ parameters: [String: JSONValue] = [:]) async throws -> JSONValue {
        try await ask(method, parameters)
    }
}
