import Foundation
import ProgramRunner
import Testing

@Suite("The page about the component IPC")
struct DocumentationTests {
    @Test("The table of the host layer says what the schemas say")
    func hostMessages() throws {
        let page = Program.repository.appending(path: "docs/protocols/component-ipc.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let table = lines.drop { $0 != "## Messages of the host layer" }.dropFirst().prefix { !$0.hasPrefix("## ") }
        let descriptors = try Descriptors.all.get()
        let expected = descriptors.messages.filter { descriptors.hostLayer.contains($0.key) }.map(row)
        #expect(expected.count > 45)
        #expect(table.filter { $0.hasPrefix("| `") }.map(String.init).sorted() == expected.sorted())
    }

    private func row(_ name: String, _ fields: [Descriptors.Field]) -> String {
        #expect(fields.map(\.number) == Array(1...fields.count), "\(name) numbers its fields in order")
        let cells = fields.map { field in
            let mark = field.isRepeated ? "*" : field.isRequired ? "" : "?"
            return "\(field.name)\(mark) \(type(field.kind))"
        }
        return "| `\(name)` | \(cells.joined(separator: ", ")) |"
    }

    private func type(_ kind: Descriptors.Kind) -> String {
        guard case .message(let name) = kind else { return "\(kind)" }
        return String(name.split(separator: ".").last ?? "")
    }
}
