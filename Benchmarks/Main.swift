import Agents
import Foundation

extension Suite {
    static let all: [Suite] = [
        agents, components, componentStorage, componentSandboxes, core, coreABI, crdt, cryptography, dataChannels,
        history, hostFunctions, keyAccess,
        editor, layout, nanoTDF, network, noteFiles, noteIndex,
        nodes, notes, page, paths, profileArchive,
        rendezvous, richText, rooms, scriptEngine, sealing, simulator, webFiles,
    ]
}

/// Runs the suites whose names are given, or all of them:
/// `swift run -c release Benchmarks [NAME…] [--json] [--list] [--plot=FOLDER]`.
@main struct Benchmarks {
    private struct Report: Codable {
        struct Part: Codable {
            var suite: String
            var figures: [Figure]
        }

        var machine: Machine
        var suites: [Part]
    }

    /// This program is the supervisor of an agent as well, as `alcove` is.
    private static func superviseIfAsked() async throws {
        let words = CommandLine.arguments.dropFirst()
        guard words.first == SupervisorPlace.option, let path = words.dropFirst().first else { return }
        try await AgentSupervisor().run(at: path)
        exit(0)
    }

    static func main() async throws {
        try await ServerProcess.serveIfAsked()
        try await superviseIfAsked()
        try PathEmulator.runIfAsked()
        try await PathPeer.runIfAsked()
        let arguments = CommandLine.arguments.dropFirst()
        let isJSON = arguments.contains("--json")
        let folder = arguments.first { $0.hasPrefix("--plot=") }.map { String($0.dropFirst("--plot=".count)) }
        let names = arguments.filter { !$0.hasPrefix("--") }
        if let unknown = names.first(where: { name in !Suite.all.contains { $0.name == name } }) {
            say("error: there is no suite \(unknown); --list shows them")
            exit(64)
        }
        let chosen = Suite.all.filter { names.isEmpty || names.contains($0.name) }
        if arguments.contains("--list") {
            for suite in chosen { print("\(suite.name)  \(suite.about)") }
            return
        }
        var (report, hasFailed) = (Report(machine: .this, suites: []), false)
        if !report.machine.isRelease { say("warning: a debug build is slow; use swift run -c release Benchmarks") }
        for suite in chosen {
            say("\(suite.name): \(suite.about)")
            let recorder = Recorder()
            do { try await suite.run(recorder) } catch {
                // What was measured until then took minutes, and says where it ended.
                say("error: \(suite.name) ended early: \(error)")
                hasFailed = true
            }
            let figures = await recorder.figures
            if !isJSON { figures.forEach(show) }
            if let folder { try draw(suite.name, figures, in: folder) }
            report.suites.append(.init(suite: suite.name, figures: figures))
        }
        if isJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            print(String(decoding: try encoder.encode(report), as: UTF8.self))
        }
        if hasFailed { exit(1) }
    }

    /// Writes a picture for each unit of the figures that have a place in one.
    private static func draw(_ suite: String, _ figures: [Figure], in folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for unit in Set(figures.filter { $0.place != nil }.map(\.unit)) {
            guard let plot = Plot(suite, unit: unit, figures) else { continue }
            try Data(plot.svg.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(suite)-\(unit).svg"))
        }
    }

    private static func show(_ figure: Figure) {
        let value = String(format: figure.value < 100 ? "%.2f" : "%.0f", figure.value)
        let aim = figure.aim.map { aim in
            let word = figure.better == .higher ? "at least" : "at most"
            return "  (aim: \(word) \(String(format: "%g", aim)): \(figure.isMet == true ? "met" : "missed"))"
        }
        print("  \(figure.name): \(value) \(figure.unit)\(aim ?? "")")
    }

    /// Progress goes to standard error, so that standard output is one JSON object with `--json`.
    private static func say(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
