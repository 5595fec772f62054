import Foundation
import Peers

extension Suite {
    /// Needs the editor's parts, which `make editor-tests` brings.
    static let editor = Suite(name: "editor", about: "the page's editor of notes in Chromium, layout included") {
        recorder in
        let figures = try editorFigures()
        for (kilobytes, aims) in [(10, (50.0, 8.0)), (100, (150, 8)), (1000, (1000, 16))] {
            await recorder.record(
                "open a note of \(kilobytes) KB", figures["open \(kilobytes)"] ?? 0, unit: "ms", better: .lower,
                aim: aims.0)
            await recorder.record(
                "a key in a note of \(kilobytes) KB", figures["press \(kilobytes)"] ?? 0, unit: "ms", better: .lower,
                aim: aims.1)
            await recorder.record(
                "somebody else's key in a note of \(kilobytes) KB", figures["remote \(kilobytes)"] ?? 0, unit: "ms",
                better: .lower, aim: aims.1)
        }
        await recorder.record("64 KB written word by word", figures["type"] ?? 0, unit: "ms", better: .lower)
    }

    private static func editorFigures() throws -> [String: Double] {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let output = Pipe()
        let end = output.fileHandleForWriting
        let script = repository.appending(path: "Scripts/editor-bench").path
        let bench = try ChildProcess(program: URL(filePath: "/usr/bin/env"), arguments: [script], output: end)
        try end.close()
        defer { bench.end(grace: .seconds(1)) }
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        return try JSONDecoder().decode([String: Double].self, from: data)
    }
}
