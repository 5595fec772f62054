import ArkavoEvents
import Foundation
import ProgramRunner
import Testing
import Wire

/// Compares the messages with the FlatBuffers compiler, with schemas in `Schemas`.
@Suite(
    "Events as flatc sees them",
    .enabled(if: FileManager.default.isExecutableFile(atPath: Flatc.path), "apt-get install flatbuffers-compiler"))
struct EventFlatcTests {
    @Test("Events", arguments: EventSamples.events)
    func event(value: Arkavo.Event, json: String) throws { try agree(value, json, "event") }

    @Test("Entities", arguments: EventSamples.entities)
    func entity(value: Arkavo.EntityRoot, json: String) throws { try agree(value, json, "entity") }

    @Test("Metadata", arguments: EventSamples.metadata)
    func metadata(value: Arkavo.Metadata, json: String) throws { try agree(value, json, "metadata") }

    /// We read the bytes that flatc makes from JSON, and flatc decodes our bytes like its own.
    private func agree<Table: FlatBufferTable & Equatable>(_ value: Table, _ json: String, _ schema: String) throws {
        let theirs = try Flatc.binary(json, schema)
        #expect(try Table(flatBuffer: theirs) == value)
        let ours = try value.flatBuffer()
        #expect(try Flatc.json(ours, schema) == Flatc.json(theirs, schema))
    }
}

private enum Flatc {
    static let path = "/usr/bin/flatc"

    struct Failed: Error {
        let output: String
    }

    static func binary(_ json: String, _ schema: String) throws -> [UInt8] {
        try run(["--binary"], Array(json.utf8), schema, from: "json", to: "bin")
    }

    /// Defaults are printed, too.
    static func json(_ bytes: [UInt8], _ schema: String) throws -> String {
        let options = ["--json", "--raw-binary", "--strict-json", "--defaults-json"]
        return String(decoding: try run(options, bytes, schema, from: "bin", to: "json"), as: UTF8.self)
    }

    private static func run(
        _ options: [String], _ input: [UInt8], _ schema: String, from: String, to: String
    ) throws -> [UInt8] {
        let schemas = Program.repository.appending(path: "Tests/Sealing/ArkavoEventsTests/Schemas")
        return try Program.inFolder { folder in
            let file = folder.appending(path: "sample.\(from)")
            try Data(input).write(to: file)
            let result = try Program.run(
                [path] + options
                    + ["-o", folder.path, schemas.appending(path: "\(schema).fbs").path]
                    + (from == "bin" ? ["--"] : []) + [file.path])
            guard result.status == 0 else { throw Failed(output: result.output) }
            return Array(try Data(contentsOf: folder.appending(path: "sample.\(to)")))
        }
    }
}
