import Foundation
import Testing

/// A folder of notes and the profiles of those who write in it.
final class NoteFixture {
    let folder: String
    var notes: String { folder + "/notes" }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("fixture-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The options of one person.
    func options(_ person: String) -> String { "--dir '\(notes)' --profile '\(folder)/\(person)' --as \(person)" }

    /// Runs one command to its end, and expects that it works.
    @discardableResult
    func run(_ words: String, as person: String = "Ada", before: String = "") async throws -> String {
        let shell = try await attempt(words, as: person, before: before)
        #expect(shell.code == 0, "\(words): \(shell.output)")
        return shell.output.trimmingCharacters(in: .newlines)
    }

    func attempt(_ words: String, as person: String = "Ada", before: String = "") async throws -> Shell {
        let name = words.split(separator: " ").prefix(2).joined(separator: " ")
        let rest = words.dropFirst(name.count)
        return try await Shell("\(before) '\(AlcoveProcess.program)' \(name) \(options(person)) \(rest) 2>&1")
    }

    func json<Value: Decodable>(_ type: Value.Type, _ words: String) async throws -> Value {
        try JSONDecoder().decode(type, from: Data(try await run(words + " --json").utf8))
    }

    /// An editor that does this to the file it is given.
    func editor(_ script: String) throws -> String {
        let path = folder + "/editor"
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return "EDITOR='\(path)'"
    }
}
