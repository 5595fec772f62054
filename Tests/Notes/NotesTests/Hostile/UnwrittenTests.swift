import Foundation
import Notes
import Testing

/// What is left of a note when a process is killed between making its folder and writing its first record.
@Suite("Notes that were begun and never written")
struct UnwrittenTests {
    @Test(
        "An old empty folder is cleared, a new one waits for its files",
        arguments: [[], ["logs"], ["logs", "snapshots"]])
    func emptyFolder(inner: [String]) async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            _ = try await library.create(title: "Real")
            let notes = place.directory("Ada").appending(path: "notes")
            for name in ["old", "new"] {
                for path in [""] + inner {
                    try FileManager.default.createDirectory(
                        at: notes.appending(path: "\(name)/\(path)"), withIntermediateDirectories: true)
                }
            }
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: notes.appending(path: "old").path)
            let verification = try await library.verify()
            #expect(verification.problems == [])
            #expect(verification.notes == 1)
            #expect(try await library.list().map(\.title) == ["Real"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: notes.path).contains("old") == false)
            #expect(FileManager.default.fileExists(atPath: notes.appending(path: "new").path))
            // Its id can be used.
            _ = try await library.create(title: "Late", id: "new")
            #expect(try await library.verify().isOK)
            await library.close()
        }
    }

    @Test("Our own log without a whole record is cleared, somebody else's waits", arguments: [0, 3, 9, 20])
    func tornLog(length: Int) async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let real = try await library.create(title: "Real").id
            await library.close()
            let notes = place.directory("Ada").appending(path: "notes")
            let own = try #require(
                try FileManager.default.contentsOfDirectory(atPath: notes.appending(path: "\(real)/logs").path).first)
            let bytes = try Data(contentsOf: notes.appending(path: "\(real)/logs/\(own)")).prefix(length)
            for (note, file) in [("mine", own), ("theirs", "x.x.1.crdtlog")] {
                let logs = notes.appending(path: "\(note)/logs")
                try FileManager.default.createDirectory(at: logs, withIntermediateDirectories: true)
                try bytes.write(to: logs.appending(path: file))
            }
            let again = try await place.open("Ada")
            #expect(Set(try await again.verify().problems.compactMap(\.note)) == ["theirs"])
            #expect(!FileManager.default.fileExists(atPath: notes.appending(path: "mine").path))
            #expect(try Data(contentsOf: notes.appending(path: "theirs/logs/x.x.1.crdtlog")) == bytes)
            try FileManager.default.removeItem(at: notes.appending(path: "theirs"))
            #expect(try await again.verify().isOK)
            await again.close()
        }
    }

    @Test("What nobody knows in the folder of a note stays, and is told")
    func foreignFile() async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let file = place.directory("Ada").appending(path: "notes/odd/readme.txt")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("hello".utf8).write(to: file)
            #expect(try await library.verify().problems.compactMap(\.note) == ["odd"])
            #expect(FileManager.default.fileExists(atPath: file.path))
            await library.close()
        }
    }
}
