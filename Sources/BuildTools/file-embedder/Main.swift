import Foundation

/// `file-embedder OUTPUT FILE…` writes a Swift file with the text of every file, by its name without the ending.
@main
enum Main {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let output = arguments.first else { throw CocoaError(.fileNoSuchFile) }
        let entries = try arguments.dropFirst().map { path in
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let name = URL(filePath: path).deletingPathExtension().lastPathComponent
            return "    (\"\(name)\", ####\"\"\"\n\(text)\n\"\"\"####),\n"
        }
        let source = "let embeddedFiles: [(name: String, json: String)] = [\n\(entries.joined())]\n"
        try source.write(toFile: output, atomically: true, encoding: .utf8)
    }
}
