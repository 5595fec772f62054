import Foundation
import Notes
import Testing

@Suite("Hostile directories")
struct HostileTests {
    @Test("What is wrong with one note is said, and the others are as they were")
    func oneBadNote() async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let good = try await library.create(title: "Good", markdown: "text")
            let root = place.directory("Ada")
            let header: [UInt8] = [0x4e, 0x43, 0x4c, 0x47, 1]
            func record(_ update: [UInt8]) -> [UInt8] {
                [UInt8(9 + update.count)] + [0, 0, 1, 0x9b, 0, 0, 0, 0, 1] + update
            }
            let logs: [String: [UInt8]] = [
                "magic": Array("no log at all".utf8),
                "length": header + [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 1],
                "garbage": header + record([9, 9, 9, 9]),
                // A clock and a length near 2^53.
                "clock": header
                    + record([1, 1, 5, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 4, 1, 1, 0x74, 1, 0x61, 0]),
                "gap": header + record([1, 1, 5, 0, 10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 0]),
                "empty": [],
                "-dash": header, "_line": header + [0],
            ]
            for (note, bytes) in logs {
                try Self.put(Data(bytes), root.appending(path: "notes/\(note)/logs/x.x.1.crdtlog"))
            }
            try Self.put(Data(), root.appending(path: "notes/a b/logs/x.x.1.crdtlog"))
            try Self.put(Data(), root.appending(path: "notes/file"))
            try Self.put(Data("{".utf8), root.appending(path: "profiles/x.json"))
            try Self.put(Data("../../x|5\n|\n\(good.id)|no\n".utf8), root.appending(path: "deleted/x.x.log"))
            try Self.put(Data("||||\n".utf8), root.appending(path: "activity/x.x.log"))

            try await library.catchUp()
            #expect(try await library.markdown(of: good.id) == "Good\n\ntext\n")
            let listed = try await library.list()
            for note in ["magic", "length", "garbage"] {
                let summary = try #require(listed.first { $0.id == note }, "\(note) is not listed")
                #expect(
                    summary.problem?.contains("x.x.1.crdtlog") == true, "\(note): \(summary.problem ?? "no problem")")
            }
            let verification = try await library.verify()
            #expect(!verification.isOK)
            #expect(verification.problems.allSatisfy { $0.note != good.id })
            try await library.append("more", to: good.id)
            await library.close()

            // The index says the same from the start.
            let again = try await place.open("Ada")
            let problems = try await again.list().filter { $0.problem != nil }.map(\.id)
            #expect(Set(problems).isSuperset(of: ["magic", "length", "garbage"]))
            #expect(try await again.verify(rebuildingIndex: true).notes == verification.notes)
            await again.close()
        }
    }

    @Test("Links of the file system lead nowhere")
    func links() async throws {
        try await Place.inFolder { place in
            let elsewhere = place.root.appending(path: "elsewhere")
            try Self.put(Data("secret".utf8), elsewhere.appending(path: "logs/x.x.1.crdtlog"))
            let library = try await place.open("Ada")
            let notes = place.directory("Ada").appending(path: "notes")
            try FileManager.default.createDirectory(at: notes, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(at: notes.appending(path: "link"), withDestinationURL: elsewhere)
            try await library.catchUp()
            #expect(await failure { try await library.append("x", to: "link") } != nil)
            #expect(try Data(contentsOf: elsewhere.appending(path: "logs/x.x.1.crdtlog")) == Data("secret".utf8))
            #expect(Place.files(below: elsewhere) == ["logs/x.x.1.crdtlog"])
            await library.close()
        }
    }

    @Test(
        "A directory that must not be written is read, and says why",
        arguments: [("SD_VERSION", "2\n"), (".migration-lock", "{}")])
    func locked(file: String, text: String) async throws {
        try await Place.inFolder { place in
            let first = try await place.open("Ada")
            let note = try await first.create(title: "Here")
            await first.close()
            try Self.put(Data(text.utf8), place.directory("Ada").appending(path: file))
            let library = try await place.open("Ada")
            #expect(try await library.list().map(\.title) == ["Here"])
            #expect(await failure { try await library.append("x", to: note.id) } == .directoryUnwritable)
            #expect(try await library.markdown(of: note.id) == "Here\n")
            try FileManager.default.removeItem(at: place.directory("Ada").appending(path: file))
            try await library.append("x", to: note.id)
            await library.close()
        }
    }

    @Test("An index that was destroyed is made again")
    func destroyedIndex() async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            _ = try await library.create(title: "Here", markdown: "#tag")
            await library.close()
            let index = try #require(Place.files(below: place.home("Ada")).first { $0.hasSuffix(".sqlite") })
            try Data("no database".utf8).write(to: place.home("Ada").appending(path: index))
            let again = try await place.open("Ada")
            #expect(try await again.search("#tag").map(\.title) == ["Here"])
            #expect(try await again.verify().isOK)
            await again.close()
        }
    }

    private static func put(_ bytes: Data, _ file: URL) throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: file)
    }
}
