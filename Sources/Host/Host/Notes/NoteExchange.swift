import AppCore
import Foundation
import Notes
import Storage

/// Notes as files: written beside what was received, and made of a file that the person gave.
extension AppHost {
    /// What is there already stays: a name that is taken gets a number.
    func exportNotes(_ id: EffectID, _ note: NoteID?) async throws -> Event {
        let folder = filesFolder + "/Exported"
        let written = try await notes.library().export(note.map { [$0.text] }, to: folder)
        return .notesExported(effect: id, path: folder, count: written.notes.count)
    }

    /// One ZIP file, with the same in it, for a view that saves it itself.
    func packNotes(_ id: EffectID, _ note: NoteID?) async throws -> Event {
        let handle = UUID().uuidString
        let (path, parts) = (exportsFolder + "/" + handle, URL(filePath: exportsFolder + "/" + handle + ".parts"))
        unfinishedArchives.formUnion([handle, parts.lastPathComponent])
        tidyArchives()
        try FileManager.default.createDirectory(
            at: parts, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: parts) }
        let packed = try await notes.library().export(note.map { [$0.text] }, to: parts.path, isRemembered: false)
        guard !packed.notes.isEmpty else { throw Failure(.noteUnreadable, packed.problems.first ?? "there is nothing") }
        do {
            try await archiving.run { try ZipFile.pack(parts, into: path) }
        } catch let problem as ZipFile.Problem {
            throw Failure(problem.isDiskFull ? .diskFull : .storageFailed, problem.message)
        }
        let bytes = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64 ?? 0
        let title = note == nil ? "Notes \(Self.day(of: clock().milliseconds))" : packed.notes[0].title
        let name = title.isEmpty ? "Note" : title.replacing("/", with: "-")
        return .notesPacked(effect: id, handle: handle, name: name + ".zip", bytes: bytes)
    }
}

extension AppHost {
    /// The file comes under a name of its own; the note is called after the one that the person knows. Of a ZIP file all texts become notes, with the
    /// folders, links and pictures that are in it. What was asked for before is done before; what is asked for meanwhile does not wait.
    func importNotes(_ id: EffectID, _ handle: String, named name: String, into folder: FolderID?) {
        let (before, place) = (
            lastNoteChange, FileManager.default.temporaryDirectory.appending(path: "alcove-import-\(UUID().uuidString)")
        )
        inBackground(id) { [archiving] in
            defer { try? FileManager.default.removeItem(at: place) }
            let (given, unpacked) = try await archiving.run { try GivenNotes.at(handle, name, in: place) }
            await before?.value
            let taken = try await self.notes.library().importMarkdown(
                given.path, into: folder?.text, isRemembered: false)
            guard !taken.notes.isEmpty else {
                throw Failure(.fileUnreadable, taken.problems.first ?? "it has no text", place: name)
            }
            let left = taken.problems.count + unpacked
            return .notesImported(
                effect: id, count: taken.notes.count, left: left == 0 ? nil : left,
                reason: taken.problems.first ?? (left == 0 ? nil : "a file in \(name) cannot be taken"))
        }
    }
}

/// Files of which notes are made.
private enum GivenNotes {
    /// The file, or the folder that was packed in it, and how many files of that are left out.
    static func at(_ handle: String, _ name: String, in place: URL) throws -> (URL, left: Int) {
        // What lies here for a moment is read by nobody else.
        try FileManager.default.createDirectory(
            at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        if ZipFile.isOne(handle) {
            let folder = place.appending(path: "unpacked")
            do throws(ZipFile.Problem) {
                // Plain text is taken as Markdown, as from a file alone.
                return (
                    folder,
                    try ZipFile.unpack(handle, into: folder) { name in
                        name.lowercased().hasSuffix(".txt") ? name.dropLast(4) + ".md" : name
                    }
                )
            } catch {
                throw Failure(error.isDiskFull ? .diskFull : .fileUnreadable, error.message, place: name)
            }
        }
        let file = place.appending(path: fileName(name))
        do {
            try FileManager.default.copyItem(atPath: handle, toPath: file.path)
        } catch {
            throw Failure(.fileUnreadable, "it cannot be copied", place: name)
        }
        return (file, 0)
    }

    /// The last part of a path, as the name of a Markdown file.
    private static func fileName(_ name: String) -> String {
        let last = name.split(whereSeparator: { "/\\".contains($0) }).last.map(String.init) ?? ""
        let base = last.hasPrefix(".") || last.isEmpty ? "Note" : last
        return base.lowercased().hasSuffix(".md") ? base : base + ".md"
    }
}
