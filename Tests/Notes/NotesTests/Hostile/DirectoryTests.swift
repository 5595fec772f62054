import Foundation
import Notes
import Platform
import Testing

/// What somebody who means harm, or a broken disk, puts into the folder.
@Suite("Hostile folders")
struct HostileDirectoryTests {
    enum Trap: CaseIterable {
        case linkToOutside, linkToRoot, fileForFolder, pipeForLog, linkForLog, hugeLog, absurdRecord, deepNoise,
            oddNames
    }

    @Test(
        "Nothing in a folder stops the notes beside it, and nothing outside is read or written",
        arguments: Trap.allCases)
    func traps(trap: Trap) async throws {
        try await Place.inFolder { place in
            let library = try await place.open("ada")
            let note = try await library.create(title: "Good", markdown: "words")
            await library.close()
            let outside = place.root.appending(path: "outside")
            try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
            try set(trap, in: place.directory("ada"), outside: outside)
            let again = try await place.open("ada")
            #expect(try await again.markdown(of: note.id) == "Good\n\nwords\n")
            #expect(try await again.search("words").map(\.id) == [note.id])
            try await again.append("more", to: note.id)
            _ = try? await again.append("harm", to: "trap")
            _ = try? await again.delete("trap")
            _ = try? await again.purge("trap")
            let check = try await again.verify()
            #expect(check.problems.allSatisfy { $0.note != note.id }, "\(check.problems)")
            await again.close()
            #expect(Place.files(below: outside) == ["secret"])
            #expect(try String(contentsOf: outside.appending(path: "secret"), encoding: .utf8) == "secret words")
        }
    }

    private func set(_ trap: Trap, in directory: URL, outside: URL) throws {
        let files = FileManager.default
        try Data("secret words".utf8).write(to: outside.appending(path: "secret"))
        let note = directory.appending(path: "notes/trap")
        let logs = note.appending(path: "logs")
        let log = logs.appending(path: "a.a.1.crdtlog")
        func makeLogs() throws { try files.createDirectory(at: logs, withIntermediateDirectories: true) }
        let header = Data("NCLG".utf8) + [1]
        switch trap {
        case .linkToOutside: try files.createSymbolicLink(at: note, withDestinationURL: outside)
        case .linkToRoot: try files.createSymbolicLink(at: note, withDestinationURL: directory)
        case .fileForFolder: try Data("words".utf8).write(to: note)
        case .pipeForLog:
            try makeLogs()
            #expect(mkfifo(log.path, 0o666) == 0)
        case .linkForLog:
            try makeLogs()
            try files.createSymbolicLink(at: log, withDestinationURL: outside.appending(path: "secret"))
        case .hugeLog:
            try makeLogs()
            try header.write(to: log)
            #expect(truncate(log.path, (1 << 30) + 1) == 0)
        case .absurdRecord:
            try makeLogs()
            try (header + [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 1, 2, 3]).write(to: log)
        case .deepNoise:
            let deep = note.appending(path: (0..<40).map { "d\($0)" }.joined(separator: "/"))
            try files.createDirectory(at: deep, withIntermediateDirectories: true)
        case .oddNames:
            for name in ["trap\n", "..trap", "tr ap", "träp", String(repeating: "x", count: 65), "trap.tmp", "-"] {
                let logs = directory.appending(path: "notes").appending(path: name).appending(path: "logs")
                try files.createDirectory(at: logs, withIntermediateDirectories: true)
            }
        }
    }

    @Test(
        "An id that leads elsewhere is no id", arguments: ["../outside", "..", ".", "a/b", "/", "", "a\0b", "%2e%2e"])
    func badIDs(id: String) async throws {
        try await Place.inFolder { place in
            let library = try await place.open("ada")
            await #expect(throws: NoteFailure.self) { _ = try await library.markdown(of: id) }
            await #expect(throws: NoteFailure.self) { try await library.append("x", to: id) }
            await #expect(throws: NoteFailure.self) { try await library.purge(id) }
            await #expect(throws: NoteFailure.self) { _ = try await library.create(title: "T", id: id) }
            await #expect(throws: NoteFailure.self) { _ = try await library.adopt(id, state: [0, 0]) }
            await library.close()
            #expect(Place.files(below: place.directory("ada")).allSatisfy { !$0.hasPrefix("notes") })
        }
    }

    @Test("An index that is destroyed while it is in use is made again")
    func destroyedIndex() async throws {
        try await Place.inFolder { place in
            let library = try await place.open("ada")
            var notes: [String] = []
            for number in 0..<30 {
                notes.append(try await library.create(title: "Note \(number)", markdown: "words").id)
            }
            await library.close()
            let again = try await place.open("ada")
            let name = try #require(Place.files(below: place.home("ada")).first { $0.hasSuffix(".sqlite") })
            let file = place.home("ada").appending(path: name)
            for path in [file.path, file.path + "-wal"] {
                let handle = try FileHandle(forWritingTo: URL(filePath: path))
                let size = try handle.seekToEnd()
                try handle.seek(toOffset: 0)
                try handle.write(contentsOf: Data(repeating: 0xa5, count: Int(size)))
                try handle.close()
            }
            for _ in 0..<3 { _ = try? await again.list() }
            try await again.append("more", to: notes[0])
            try await again.catchUp()
            #expect(try await Set(again.list().map(\.id)) == Set(notes))
            #expect(try await again.search("more").map(\.id) == [notes[0]])
            await again.close()
        }
    }
}
