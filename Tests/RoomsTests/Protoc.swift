import Foundation
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
    }

    func run(_ mode: String, input: [UInt8]) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "alcove-protoc-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(try schema().utf8).write(to: folder.appending(path: "schema.proto"))
        try Data(input).write(to: folder.appending(path: "input"))

        let process = Process()
        process.executableURL = URL(filePath: Self.path)
        process.arguments = ["\(mode)=alcove.\(message)", "-I\(folder.path)", "schema.proto"]
        process.standardInput = try FileHandle(forReadingFrom: folder.appending(path: "input"))
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
        return Array(bytes)
    }

    private func schema() throws -> String {
        var root = URL(filePath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let page = try String(contentsOf: root.appending(path: "docs/protocols/\(page)"), encoding: .utf8)
        let block = try #require(page.components(separatedBy: "```proto\n").last)
        return try #require(block.components(separatedBy: "```").first)
    }
}
