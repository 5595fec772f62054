import AppCore
import Foundation
import Notes

/// Notes as files: written beside what was received, and made of a file that the person gave.
extension AppHost {
    /// What is there already stays: a name that is taken gets a number.
    func exportNotes(_ id: EffectID, _ note: NoteID?) async throws -> Event {
        let folder = filesFolder + "/Exported"
        let written = try await notes.library().export(note.map { [$0.text] }, to: folder)
        return .notesExported(effect: id, path: folder, count: written.notes.count)
    }
}

extension NoteLibrary {
    /// The file comes under a name of its own; the note is called after the one that the person knows.
    func take(_ handle: String, named name: String, into folder: FolderID?, for id: EffectID) async throws -> Event {
        let place = FileManager.default.temporaryDirectory.appending(path: "alcove-import-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        let file = place.appending(path: Self.fileName(name))
        do {
            try FileManager.default.copyItem(atPath: handle, toPath: file.path)
        } catch {
            throw NoteFailure(.fileUnreadable, "the file \(name) cannot be read")
        }
        let taken = try await importMarkdown(file.path, into: folder?.text)
        guard !taken.notes.isEmpty else {
            throw NoteFailure(.fileUnreadable, taken.problems.first ?? "the file \(name) has no text")
        }
        return .notesImported(effect: id, count: taken.notes.count)
    }

    /// The last part of a path, as the name of a Markdown file.
    private static func fileName(_ name: String) -> String {
        let last = name.split(whereSeparator: { "/\\".contains($0) }).last.map(String.init) ?? ""
        let base = last.hasPrefix(".") || last.isEmpty ? "Note" : last
        return base.lowercased().hasSuffix(".md") ? base : base + ".md"
    }
}
