import ComponentRuntime
import Components
import Foundation
import Wire

/// A run of a component that `app run --record` wrote down, to be played again.
struct RecordedRun {
    private let name: String
    private let recording: ComponentRecording

    /// - Throws: a failure that names the file, if it is no such recording.
    init(_ path: String) throws {
        let bytes = try ByteInput(path).readAll(atMost: Self.byteLimit)
        do {
            recording = try ComponentRecording(bytes)
        } catch {
            throw CommandFailure("\(path) is no recording of a component: \(error.message)", .dataError)
        }
        name = recording.launch.name
    }

    /// `nil` if the file is something else.
    init?(detecting path: String) throws {
        guard path != "-", let beginning = try? ByteInput(path).read(64), ComponentRecording.isRecording(beginning)
        else { return nil }
        try self.init(path)
    }

    private static let byteLimit = 512 << 20

    private struct Report: Encodable {
        var same: Bool
        var messages: Int
        var component: String
        var cut: Bool
        var recorded: String?
        var replayed: String?
    }

    /// Plays it, and says whether the component did the same; fails if it did not.
    func replay(asJSON: Bool) async throws {
        let outcome: ComponentReplay.Outcome
        do { outcome = try await ComponentReplay.run(recording) } catch {
            throw CommandFailure(ErrorWords.sentence(error), .failure)
        }
        var report = Report(same: true, messages: 0, component: name, cut: recording.isCut)
        switch outcome {
        case .same(let count): report.messages = count
        case .different(let at, let recorded, let replayed):
            report.same = false
            report.messages = at
            report.recorded = Self.words(recorded)
            report.replayed = replayed.map { Self.words($0) }
        }
        if asJSON {
            try Terminal.print(json: report)
        } else if report.same {
            let extent = report.cut ? ", as far as the recording goes" : ""
            Terminal.print("\(name): the same \(report.messages) messages\(extent)")
        }
        guard !report.same else { return }
        throw CommandFailure(
            """
            \(name): message \(report.messages + 1) differs
              recorded  \(report.recorded ?? "")
              replayed  \(report.replayed ?? "nothing")
            """, .failure)
    }

    /// Shows what the component was brought and what it sent, one after the other.
    func show(until limit: Int?) {
        for (index, entry) in recording.entries.prefix(limit ?? .max).enumerated() {
            let line =
                switch entry {
                case .delivered(let message): "brought  " + Self.words(message)
                case .sent(let message): "sent     " + Self.words(message)
                case .ended(let reason): "ended    " + reason
                }
            Terminal.print("\(index + 1) of \(recording.entries.count)  \(line)")
            let isLast = index + 1 == min(limit ?? .max, recording.entries.count)
            if !isLast, Terminal.isInteractive, isatty(STDIN_FILENO) == 1, readLine() == nil { return }
        }
    }

    private static func words(_ message: Components.PortMessage) -> String {
        let text = String(decoding: message.bytes.prefix(200), as: UTF8.self)
        return "\(message.port), \(message.bytes.count) bytes: \(text)"
    }
}
