import ComponentRuntime
import Components
import Foundation
import Wire

/// `alcove app replay`
struct AppReplayCommand: Command {
    static let name = "app replay"
    static let summary =
        "run a recorded component again, with the recording in place of clock, chance, files and network"
    static let usage = "FILE [--json]"
    static let options = [AppOptions.json]
    static let examples = ["alcove app run checklist show --record runs", "alcove app replay runs/1-commands.mjs.run"]

    private let arguments: Arguments
    private let path: String

    init(_ arguments: Arguments) throws {
        path = try arguments.operands(1...1, "a file that app run --record wrote")[0]
        self.arguments = arguments
    }

    private struct Report: Encodable {
        var same: Bool
        var messages: Int
        var component: String
        var cut: Bool
        var recorded: String?
        var replayed: String?
    }

    func run() async throws {
        let recording: ComponentRecording
        do {
            recording = try ComponentRecording(try ByteInput(path).readAll(atMost: 512 << 20))
        } catch let error as WireError {
            throw CommandFailure("\(path) is no recording of a component: \(error.message)", .dataError)
        }
        let outcome: ComponentReplay.Outcome
        do { outcome = try await ComponentReplay.run(recording) } catch { throw CommandFailure("\(error)", .failure) }
        try show(outcome, recording)
    }

    private func show(_ outcome: ComponentReplay.Outcome, _ recording: ComponentRecording) throws {
        var report = Report(same: true, messages: 0, component: recording.launch.name, cut: recording.isCut)
        switch outcome {
        case .same(let count): report.messages = count
        case .different(let at, let recorded, let replayed):
            report.same = false
            report.messages = at
            report.recorded = Self.words(recorded)
            report.replayed = replayed.map { Self.words($0) }
        }
        if arguments.has("json") {
            try Terminal.print(json: report)
        } else if report.same {
            Terminal.print(
                "\(report.component): the same \(report.messages) messages\(report.cut ? ", as far as the recording goes" : "")"
            )
        }
        guard !report.same else { return }
        throw CommandFailure(
            "\(report.component): message \(report.messages + 1) differs\n  recorded  \(report.recorded ?? "")\n  replayed  \(report.replayed ?? "nothing")",
            .failure)
    }

    private static func words(_ message: Components.PortMessage) -> String {
        "\(message.port), \(message.bytes.count) bytes: \(AppDescription.printable(String(decoding: message.bytes.prefix(200), as: UTF8.self)))"
    }
}
