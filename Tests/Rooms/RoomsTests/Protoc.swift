import Foundation
import ProgramRunner
import Testing

/// Google's protobuf compiler, with the schema that a page of `docs/protocols` publishes in a folder of its own.
struct Protoc {
    static let path = "/usr/bin/protoc"
    static let envelope = Protoc(page: "room-messages.md", message: "Envelope")
    static let noteFrame = Protoc(page: "note-sharing.md", message: "NoteFrame")

    let page: String
    let message: String

    struct Failed: Error {
        let status: Int32
        let reason: String
    }

    func run(_ mode: String, input: [UInt8]) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "alcove-protoc-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(try schema().utf8).write(to: folder.appending(path: "schema.proto"))
        try Data(input).write(to: folder.appending(path: "input"))

        let command = "cd '\(folder.path)' && '\(Self.path)' \(mode)=alcove.\(message) schema.proto < input > output"
        let result = try Program.run(["sh", "-c", command])
        guard result.status == 0 else { throw Failed(status: result.status, reason: result.output) }
        return Array(try Data(contentsOf: folder.appending(path: "output")))
    }

    private func schema() throws -> String {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let page = try String(contentsOf: root.appending(path: "docs/protocols/\(page)"), encoding: .utf8)
        let block = try #require(page.components(separatedBy: "```proto\n").last)
        return try #require(block.components(separatedBy: "```").first)
    }
}
