import Foundation
import NoteIndex
import Storage
import Testing

/// What is found under the index's name, and what becomes of it.
@Suite struct FileTests {
    @Test func anIndexIsFoundAgain() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/index.sqlite"
            let first = try NoteIndex(path: path, directory: directory)
            try first.add(note("a", "Kept"))
            let second = try NoteIndex(path: path, directory: directory)
            #expect(try second.found("kept") == ["a"])
            #expect(second.generation == first.generation)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    enum Foreign: CaseIterable {
        case text, empty, otherDatabase, newer, otherDirectory, overwritten
    }

    @Test(arguments: Foreign.allCases) func whatIsNoIndexOfOursIsPutAside(foreign: Foreign) throws {
        try withTemporaryFolder { folder in
            let path = folder + "/index.sqlite"
            try make(foreign, path)
            let index = try NoteIndex(path: path, directory: directory)
            #expect(try index.read { try $0.noteIDs() }.isEmpty)
            try index.add(note("a", "New"))
            #expect(try NoteIndex(path: path, directory: directory).found("new") == ["a"])
            #expect(FileManager.default.fileExists(atPath: path + ".aside"))
        }
    }

    @Test func anIndexOfAnEarlierVersionIsMadeAnewAndGoes() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/index.sqlite"
            try NoteIndex(path: path, directory: directory).add(note("old", "Old"))
            try Database(path: path).executeScript(
                """
                PRAGMA user_version = 0; DROP TABLE notes_fts;
                CREATE VIRTUAL TABLE notes_fts USING fts5(note_id UNINDEXED, title, content)
                """)
            let index = try NoteIndex(path: path, directory: directory)
            #expect(try index.read { try $0.noteIDs() }.isEmpty)
            try index.add(note("a", "日本語"))
            #expect(try NoteIndex(path: path, directory: directory).found("本語") == ["a"])
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(!left.contains { $0.contains("aside") }, "\(left)")
        }
    }

    private func make(_ foreign: Foreign, _ path: String) throws {
        switch foreign {
        case .text: try Data("These are not the notes".utf8).write(to: URL(fileURLWithPath: path))
        case .empty: try Data().write(to: URL(fileURLWithPath: path))
        case .otherDatabase: try Database(path: path).executeScript("CREATE TABLE notes (id TEXT)")
        case .newer:
            try NoteIndex(path: path, directory: directory).add(note("old", "Old"))
            try Database(path: path).executeScript("CREATE TABLE alcove_something_new (id TEXT)")
        case .otherDirectory:
            let other = IndexedDirectory(id: "other", name: "Other", path: "/other")
            try NoteIndex(path: path, directory: other).add(note("old", "Old"))
        case .overwritten:
            try NoteIndex(path: path, directory: directory).add(note("old", "Old"))
            try Database(path: path).executeScript("PRAGMA wal_checkpoint(TRUNCATE)")
            try overwrite(path, from: 0)
        }
    }

    /// As a disk does it that is failing: everything from an offset on is something else.
    private func overwrite(_ path: String, from offset: Int) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        for index in offset..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    @Test func damageThatShowsLaterStartsAnew() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/index.sqlite"
            try fill(path)
            // What opening looks at is sound: the schema and the first page of each table come first.
            try overwrite(path, from: 150 * 4096)
            let index = try NoteIndex(path: path, directory: directory)
            let generation = index.generation
            let error = #expect(throws: NoteIndexError.self) {
                _ = try index.read { reader in try reader.noteIDs().compactMap { try reader.note($0) } }
            }
            guard case .startedAnew = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(index.generation != generation)
            #expect(try index.read { try $0.notes() }.isEmpty)
            try index.add(note("a", "New"))
            #expect(try NoteIndex(path: path, directory: directory).found("new") == ["a"])
        }
    }

    private func fill(_ path: String) throws {
        let index = try NoteIndex(path: path, directory: directory)
        try index.write { writer in
            let text = "Note\n" + String(repeating: "some words of it ", count: 50)
            for number in 0..<1000 { try writer.upsert(note("n\(number)", text)) }
        }
        try Database(path: path).executeScript("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    @Test func whoeverHasTheOldFileOpenDoesNotHarmTheNewOne() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/index.sqlite"
            let other = IndexedDirectory(id: "other", name: "Other", path: "/other")
            var old: NoteIndex? = try NoteIndex(path: path, directory: other)
            try old?.add(note("old", "Old"))
            let index = try NoteIndex(path: path, directory: directory)
            try index.add(note("a", "New"))
            try old?.add(note("b", "Old too"))
            // Closing must not take away the log of the new file, which goes by the old one's name.
            old = nil
            try index.add(note("c", "New too"))
            #expect(try NoteIndex(path: path, directory: directory).read { try $0.noteIDs() } == ["a", "c"])
        }
    }

    @Test func clearingForgetsEverything() throws {
        try withTemporaryFolder { folder in
            let index = try NoteIndex(path: folder + "/index.sqlite", directory: directory)
            try index.add(note("a", "A"))
            let generation = index.generation
            try index.clear()
            #expect(try index.read { try $0.noteIDs() }.isEmpty)
            #expect(index.generation != generation)
            let memory = try makeIndex()
            try memory.add(note("a", "A"))
            try memory.clear()
            #expect(try memory.read { try $0.noteIDs() }.isEmpty)
        }
    }

    @Test func whereNothingCanBeMadeTheIndexIsTemporaryAndSaysWhy() throws {
        let index = try NoteIndex(path: "/nowhere/at/all.sqlite", directory: directory)
        #expect(index.problem?.contains("/nowhere/at/all.sqlite") == true)
        try index.add(note("a", "A"))
        #expect(try index.found("a") == ["a"])
        try index.clear()
        #expect(try index.read { try $0.noteIDs() }.isEmpty)
        #expect(index.problem != nil)
        #expect(try makeIndex().problem == nil)
    }
}
