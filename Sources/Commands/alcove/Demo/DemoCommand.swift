import Foundation

/// `alcove demo`: the whole product in one process, from the code to the purge, on loopback.
struct DemoCommand: Command {
    static let reference = CommandReference(
        "demo", "[--messages N] [--file PATH] [--json]",
        "watch two people on this machine meet, talk, lose each other and meet again",
        options: [
            .value("messages", "N", "messages each way before the interruption (default 100)"),
            .value("file", "PATH", "a file to send (default: 32 MiB of random bytes)"),
            .value("core", "LIBRARY", "let both carry a core of another language: a library that speaks the C ABI"),
            .flag("json", "print one JSON object instead of the timeline"),
        ],
        examples: ["alcove demo", "alcove demo --messages 1000 --json"])

    private let messages: Int
    private let file: String?
    private let core: String?
    private let json: Bool

    init(arguments: Arguments) throws {
        messages = try arguments.integer("messages", in: 1...10_000) ?? 100
        file = arguments["file"]
        core = arguments["core"]
        json = arguments.has("json")
    }

    func run() async throws {
        let timeline = DemoTimeline(silent: json)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("alcove-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let setup = try await DemoSetup(folder: folder.path, core: core, timeline: timeline)
        let report = try await setup.play(messages: messages, file: file)
        await setup.clear()
        if json {
            // Not as other commands write JSON: scripts know these keys, such as `connectMs`, since the first version.
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            Terminal.print(.json(String(decoding: try encoder.encode(report), as: UTF8.self)))
        }
        guard report.ok else {
            throw CommandFailure("the demo did not do all it set out to do; the lines above show where", .failure)
        }
    }
}
