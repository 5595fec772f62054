import Foundation
import ProgramRunner

/// A command as its `--help` describes it.
struct DescribedCommand: Sendable {
    struct Option: Hashable, Sendable {
        /// `-o, --output FILE`
        var written: String
        var help: String

        /// `-o` and `--output`, or only the latter.
        var names: [String] {
            written.split(separator: " ").map { $0.trimmingCharacters(in: [","]) }.filter { $0.hasPrefix("-") }
        }
    }

    /// `note show`
    var name: String
    var summary: String
    /// `NOTE [--json]`
    var usage: String
    var options: [Option]

    /// All that `alcove help` lists. They are asked once: each is a process.
    static func all() async throws -> [DescribedCommand] { try await asked.value }

    private static let asked = Task { try await ask() }

    private static func ask() async throws -> [DescribedCommand] {
        let program = AlcoveProcess.program
        let lists = try await Shell("'\(program)' help; '\(program)' sim --help").output
        let names = lists.split(separator: "\n").compactMap { line -> String? in
            let words = line.split(separator: " ", omittingEmptySubsequences: false).drop(while: \.isEmpty)
            guard words.first == "alcove" else { return nil }
            let name = words.dropFirst().prefix { !$0.isEmpty }.joined(separator: " ")
            return name == "sim …" ? nil : name
        }
        let helps = names.map { "echo '@@\($0)'; '\(program)' \($0) --help" }.joined(separator: "\n")
        return try await Shell(helps).output.components(separatedBy: "@@").dropFirst().map(DescribedCommand.init(help:))
    }

    /// - Parameter help: the command's name on a line of its own, then the text.
    private init(help: String) throws {
        let lines = help.components(separatedBy: "\n")
        guard lines.count > 6, let end = lines.firstIndex(where: { $0.hasPrefix("example") }) else {
            throw AlcoveProcess.Failure("no help: \(help)")
        }
        (name, summary) = (lines[0], lines[1])
        usage = lines[3].replacing("usage: alcove \(name)", with: "").trimmingCharacters(in: .whitespaces)
        options = lines[6..<end].filter { !$0.isEmpty }.map { line in
            // Two blanks or more stand between an option and what it does.
            let columns = line.dropFirst(2).split(separator: "  ", maxSplits: 1, omittingEmptySubsequences: true)
            return Option(
                written: String(columns.first ?? ""),
                help: (columns.dropFirst().first ?? "").trimmingCharacters(in: .whitespaces))
        }
    }
}
