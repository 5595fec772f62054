import Foundation
import Peers
import ProgramRunner

/// What a person sees in a terminal, as another program's emulation shows it.
struct Screen {
    /// The rows that left the window at its top, and those in it, without those at the end that are empty.
    let rows: [String]
    /// Where the cursor is, from 0.
    let cursor: (column: Int, row: Int)

    init(of process: TerminalProcess) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "screen-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(process.text.utf8).write(to: file)
        let result = try await Program.completion(of: [
            Programs.python().path, Programs.script("screen.py"), file.path, "\(process.columns)",
            "\(TerminalProcess.rows)",
        ])
        var lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines.removeLast(lines.last == "" ? 1 : 0)
        let place = lines.popLast()?.split(separator: " ").compactMap { Int($0) } ?? []
        guard place.count == 2 else { throw AlcoveProcess.Failure("the terminal could not be shown") }
        cursor = (place[0], place[1])
        rows = Array(lines[...max(lines.lastIndex { !$0.isEmpty } ?? 0, cursor.row)])
    }

    /// The status of the conversation and the line that is being written.
    var bottom: [String] { Array(rows.suffix(2)) }
}
