import Foundation
import ProgramRunner
import Testing

/// Commands that the pages name within their sentences and tables.
@Suite struct NamedCommandTests {
    /// As a page spells them: `alcove note new\|list [--dir DIR]` names two.
    struct Named: Hashable, CustomStringConvertible {
        let page: String
        let text: String
        let commands: [String]
        let options: [String]

        var description: String { "\(page): \(text)" }

        init?(page: String, text: String) {
            (self.page, self.text) = (page, text)
            let words = text.replacing("\\|", with: "|").split(separator: " ").dropFirst()
            // What ends with a number is a label in a protocol, such as `alcove pool part 1`.
            guard !words.contains("1"), let first = words.first else { return nil }
            let second = words.dropFirst().first ?? ""
            let isGroup = [
                "agent", "app", "circle", "folder", "host", "kas", "mcp", "note", "passphrase", "profile", "room",
                "server",
                "sim",
                "tdf",
            ]
            .contains(first)
            commands =
                isGroup && second.allSatisfy({ $0.isLowercase || "|-".contains($0) })
                ? second.split(separator: "|").map { "\(first) \($0)" } : isGroup ? [] : [String(first)]
            options = text.matches(of: #/--[a-z][a-z-]*/#).map { String($0.output) }
        }
    }

    private static let named: [Named] = Page.all.filter { $0.path != "CHANGELOG.md" }.flatMap { page in
        page.text.matches(of: #/`(alcove [^`\n]+)`/#).compactMap { Named(page: page.path, text: String($0.output.1)) }
    }

    @Test func `they exist and take the options that they are shown with`() throws {
        let program = Program.products.appending(path: "alcove").path
        let list = try [["--help"], ["sim", "--help"]].map { try Program.run([program] + $0).output }.joined()
        let known = Set(list.matches(of: #/\n  alcove ([a-z-]+(?: [a-z-]+)?)/#).map { String($0.output.1) })
        #expect(known.count > 40 && Self.named.count > 40)
        var manuals: [String: String] = [:]
        for named in Set(Self.named) {
            for command in named.commands {
                #expect(known.contains(command), "\(named): there is no alcove \(command)")
                guard known.contains(command), !named.options.isEmpty else { continue }
                let words = command.split(separator: " ").map(String.init)
                let manual = try manuals[command] ?? Program.run([program] + words + ["--help"]).output
                manuals[command] = manual
                for option in named.options where option != "--help" {
                    #expect(manual.contains(option), "\(named): alcove \(command) takes no \(option)")
                }
            }
        }
    }
}
