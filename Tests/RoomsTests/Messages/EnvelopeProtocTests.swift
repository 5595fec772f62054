import Foundation
import Rooms
import Testing

/// Holds the envelope against Google's protobuf compiler and the schema that the page publishes.
@Suite(
    "Envelopes as protoc sees them",
    .enabled(if: FileManager.default.isExecutableFile(atPath: Protoc.path), "apt-get install protobuf-compiler"))
struct EnvelopeProtocTests {
    @Test("protoc reads what we write", arguments: EnvelopeSample.all)
    func decode(sample: EnvelopeSample) throws {
        let output = try Protoc().run("--decode", input: sample.envelope.bytes)
        #expect(String(decoding: output, as: UTF8.self) == sample.text + "\n")
    }

    @Test("We read what protoc writes", arguments: EnvelopeSample.all)
    func encode(sample: EnvelopeSample) throws {
        let bytes = try Protoc().run("--encode", input: Array(sample.text.utf8))
        #expect(try Envelope(bytes: bytes) == sample.envelope)
    }
}

/// The compiler, with the schema of `docs/protocols/room-messages.md` in a folder of its own.
private struct Protoc {
    static let path = "/usr/bin/protoc"

    struct Failed: Error {
        let status: Int32
    }

    func run(_ mode: String, input: [UInt8]) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "alcove-protoc-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(try schema().utf8).write(to: folder.appending(path: "envelope.proto"))
        try Data(input).write(to: folder.appending(path: "input"))

        let process = Process()
        process.executableURL = URL(filePath: Self.path)
        process.arguments = ["\(mode)=alcove.Envelope", "-I\(folder.path)", "envelope.proto"]
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
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let page = try String(contentsOf: root.appending(path: "docs/protocols/room-messages.md"), encoding: .utf8)
        let block = try #require(page.components(separatedBy: "```proto\n").last)
        return try #require(block.components(separatedBy: "```").first)
    }
}
