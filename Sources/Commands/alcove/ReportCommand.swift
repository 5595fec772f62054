import AppCore
import Foundation
import Host
import Simulator

/// `alcove report`: a bug report as one file.
struct ReportCommand: Command {
    static let reference = CommandReference(
        "report", "[FILE | -]",
        "write a bug report: what happened in this profile's last run, without what was said",
        takes: .optional("report takes at most one file"),
        options: ProfileOptions.all + [
            .flag("with-content", "begin with what the profile holds now, names and messages included, and no history"),
            .flag("json", "print where it was written and what it holds as one JSON object"),
        ],
        examples: [
            "alcove report", "alcove report trouble.json && alcove sim replay trouble.json --step",
            "alcove report - | less   (on standard output)",
            "alcove chat 482913 --record everything.jsonl   (a run with its content, from the beginning)",
        ])

    private let arguments: Arguments
    private let file: String

    init(arguments: Arguments) throws {
        self.arguments = arguments
        file = arguments.operands.first ?? "alcove-report.json"
        guard file != "-" || !arguments.has("json") else {
            throw UsageError("the report and what --json prints would stand in each other; name a file")
        }
    }

    private struct Report: Encodable {
        var file: String
        var inputs: Int
        var redacted: Bool
    }

    func run() async throws {
        let path = arguments["profile"] ?? ProfileDirectory.standardPath
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure("there is no profile at \(path); choose one with --profile DIR", .noInput)
        }
        let redacted = !arguments.has("with-content")
        let recorded = try await read(path, redacted: redacted)
        let trace = try Trace(name: "report", start: recorded.start, inputs: recorded.inputs)
        let bytes = try JSON.encode(trace)
        if file == "-" {
            let output = try ByteOutput(nil, forOwnerOnly: true, content: .shown)
            try output.write(bytes + [UInt8(ascii: "\n")])
            return try output.finish()
        }
        try OutputFile.write(bytes, to: file, forOwnerOnly: true)
        let report = Report(file: file, inputs: recorded.inputs.count, redacted: redacted)
        if arguments.has("json") { return try Terminal.print(json: report) }
        let what =
            redacted ? "It holds no names and nothing that was said" : "It holds what was said: look before you send it"
        let steps = report.inputs == 1 ? "1 step" : "\(report.inputs) steps"
        Terminal.print("\(file): \(steps). \(what).\nSee it: alcove sim replay \(file)")
    }

    private func read(_ path: String, redacted: Bool) async throws -> RecordedFlight {
        let recorded: RecordedFlight?
        if let host = try await ProfileOptions.hostProcess(arguments) {
            recorded = try await ProfileOptions.using(host, arguments) { try await $0.recorded(withContent: !redacted) }
        } else {
            do {
                // Without a host, so that what happens now does not take the place of what happened.
                recorded = try RecordedFlight.read(profile: path, withContent: !redacted) {
                    try PassphrasePrompt.ask("Passphrase", file: arguments["passphrase-file"])
                }
            } catch let error as ProfileError { throw await ProfileOptions.failure(error) }
        }
        guard let recorded else {
            throw CommandFailure("nothing has happened in this profile yet: alcove chat --create", .noInput)
        }
        return recorded
    }
}
