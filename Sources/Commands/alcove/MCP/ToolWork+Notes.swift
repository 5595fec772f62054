import AgentProtocols
import Agents
import AppCore
import Notes

/// Notes: files, for which no passphrase is needed.
extension ToolWork {
    private struct Found: Encodable {
        var id: String
        var title: String
        var snippet: String
    }

    func searchNotes(_ given: MCPArguments) async throws -> MCPResult {
        try given.check(only: "query", "limit")
        let query = try given.text("query", atMost: ToolLimits.nameBytes)
        let limit = try given.number("limit", in: 1...ToolLimits.found) ?? 20
        let found = try await withNotes { try await $0.search(query, limit: limit) }
        return try Self.list(
            found.map { Found(id: $0.id, title: $0.title, snippet: $0.snippet) }, from: "what was found in notes")
    }

    func readNote(_ given: MCPArguments, _ about: Described) async throws -> MCPResult {
        try given.check(only: "note", "offset")
        let name = try given.text("note", atMost: ToolLimits.nameBytes)
        let offset = try given.number("offset", in: 0...ToolLimits.offset) ?? 0
        let text = try await withNotes { library in
            let note = try await library.note(name)
            about.note(note.id)
            return try await library.markdown(of: note.id)
        }
        let bytes = Array(text.utf8)
        var (start, end) = (min(offset, bytes.count), min(offset + ToolLimits.resultBytes, bytes.count))
        // Not in the middle of a character.
        while start < bytes.count, bytes[start] & 0xC0 == 0x80 { start += 1 }
        while end < bytes.count, end > start, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return MCPResult.data(
            String(decoding: bytes[start..<max(start, end)], as: UTF8.self), from: "a note", mark: Self.mark,
            hint: end < bytes.count ? "\(bytes.count - end) bytes more follow; go on with the offset \(end)." : nil)
    }

    func appendToNote(_ given: MCPArguments, _ about: Described) async throws -> MCPResult {
        try given.check(only: "note", "markdown")
        let name = try given.text("note", atMost: ToolLimits.nameBytes)
        let text = try given.text("markdown", atMost: ToolLimits.textBytes)
        try await withNotes { library in
            let note = try await library.note(name)
            about.note(note.id)
            try await library.append(text, to: note.id)
        }
        return MCPResult.done("It was added.")
    }

    func createNote(_ given: MCPArguments, _ about: Described) async throws -> MCPResult {
        try given.check(only: "title", "markdown", "folder")
        let title = try given.text("title", atMost: ToolLimits.nameBytes)
        let text = try given.optionalText("markdown", atMost: ToolLimits.textBytes) ?? ""
        let folder = try given.optionalText("folder", atMost: ToolLimits.nameBytes)
        let note = try await withNotes { library in
            try await library.create(title: title, folder: library.folderID(named: folder), markdown: text)
        }
        about.note(note.id)
        return MCPResult.done("The note \(note.id) was made.")
    }

    /// - Throws: ``CommandFailure`` without the titles of other notes.
    private func withNotes<Value>(_ body: (NoteLibrary) async throws -> Value) async throws -> Value {
        try await NoteOptions.withLibrary(arguments, person: client, creates: true) { library in
            do { return try await body(library) } catch let failure as NoteFailure {
                let ids = failure.candidates.prefix(10).map(\.id).joined(separator: ", ")
                throw CommandFailure(
                    ids.isEmpty ? failure.message : "several notes have this name; their ids: \(ids)",
                    ExitCode(failure.code))
            }
        }
    }
}
