import Foundation
import NoteIndex

func makeIndex() throws -> NoteIndex {
    try NoteIndex(temporaryOf: directory)
}

let directory = IndexedDirectory(id: "VQ6EAOKbQdSnFkRmVUQAAA", name: "Notes", path: "/home/ada/Notes")

/// A note whose first line is its title.
func note(
    _ id: String, _ text: String, folder: String? = nil, modified: Int64 = 1_700_000_000_000, isDeleted: Bool = false,
    isPinned: Bool = false, tags: [String] = [], links: [String] = []
) -> IndexedNote {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return IndexedNote(
        id: id, title: lines[0], folder: folder, created: 1_600_000_000_000, modified: modified, isDeleted: isDeleted,
        isPinned: isPinned, text: text, preview: lines.dropFirst().joined(separator: "\n"), tags: tags, links: links)
}

extension NoteIndex {
    func add(_ notes: IndexedNote...) throws {
        try write { writer in for note in notes { try writer.upsert(note) } }
    }

    func found(_ text: String) throws -> [String] {
        try read { try $0.search(text).map(\.id) }
    }
}

/// A folder of its own that is gone afterwards.
func withTemporaryFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("index-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.path)
}
