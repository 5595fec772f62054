import AppCore
import Foundation
import Layout
import Scenarios
import Simulator

/// `alcove sim diff`
struct SimulatorDiffCommand: Command {
    static let reference = CommandReference(
        "sim diff", "A B [--output FILE]",
        "what changed from one screen to another, and a picture of it",
        takes: .some(2...2, "A B: scenarios, traces, trees as sim render --format json writes them, or live"),
        options: SimulatorConnection.options + [
            .value("output", "FILE", "the picture, with the changes outlined: .svg or .png")
        ],
        examples: [
            "alcove sim diff verified_chat message_seen --output change.svg",
            "alcove sim diff verified_chat live   (live: the running simulator)",
            "alcove sim diff before.json report.json",
        ])

    private let arguments: Arguments
    private let sides: [String]

    init(arguments: Arguments) throws {
        sides = arguments.operands
        self.arguments = arguments
    }

    func run() async throws {
        let (before, after) = (try await layout(sides[0]), try await layout(sides[1]))
        let difference = LayoutDifference(from: before, to: after)
        if let file = arguments["output"] {
            let bytes =
                file.hasSuffix(".png") ? try await Rasterizer.png(of: difference.svg) : Array(difference.svg.utf8)
            try OutputFile.write(bytes, to: file)
        }
        if arguments.has("json") {
            return try Terminal.print(json: difference)
        }
        let lines =
            difference.added.map { "+ \(words(after, $0))" } + difference.removed.map { "- \(words(before, $0))" }
            + difference.changed.flatMap { ["~ \(words(before, $0))", "  \(words(after, $0))"] }
        Terminal.print(lines.isEmpty ? "no difference" : .lines(lines))
    }

    private func words(_ layout: Layout, _ id: String) -> String {
        guard let node = layout.root.find(id) else { return id }
        let parts = [node.label, node.value, node.detail].compactMap(\.self).filter { !$0.isEmpty }
        let state = [node.isEnabled ? nil : "disabled", node.isBusy ? "busy" : nil, node.isSelected ? "selected" : nil]
        return ([id] + parts + state.compactMap(\.self)).joined(separator: " · ")
    }

    /// A screen, wherever it comes from.
    private func layout(_ text: String) async throws -> Layout {
        do { return Layout(of: try ViewNode(json: try await tree(text))) } catch let error as LayoutError {
            throw CommandFailure("\(text): \(error.message)", .dataError)
        }
    }

    private func tree(_ text: String) async throws -> [UInt8] {
        if text == "live" { return try JSON.encode(try await SimulatorAsker(running: arguments).ask("tree")) }
        guard FileManager.default.fileExists(atPath: text) else {
            return try JSON.encode(try await SimulatorAsker(scenario: text).ask("tree"))
        }
        if let json = try? OutputFile.json(text), json["actions"] == nil, json["action"] == nil {
            return try JSON.encode(json)
        }
        let simulator = try SimulatorAsker(scenario: "first_run")
        _ = try await simulator.ask("replay", ["trace": try TraceFile.read(text)])
        return try JSON.encode(try await simulator.ask("tree"))
    }
}
