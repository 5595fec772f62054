import Foundation
import Notes
import Platform
import Storage
import Testing

/// What cannot be read is left out, once, by its name.
@Suite("What cannot be read")
struct UnreadableTests {
    enum Damage: CaseIterable {
        case document, checkpoint, both
    }

    @Test("A stored state that rotted is found, and made anew from the files", arguments: Damage.allCases)
    func storedState(damage: Damage) async throws {
        try await Place.inFolder { place in
            let updates = (1...70).map { UpdateBytes.paragraph("line \($0)", by: $0) }
            try UpdateBytes.put(
                UpdateBytes.log(of: updates), place.directory("Ada").appending(path: "notes/long/logs/x.x.1.crdtlog"))
            let library = try await place.open("Ada")
            let text = try await library.markdown(of: "long")
            #expect(text.contains("line 1\n") && text.contains("line 70\n"))
            #expect(try await library.verify().isOK)
            await library.close()

            let file = try #require(Place.files(below: place.home("Ada")).first { $0.hasSuffix(".sqlite") })
            let database = try Database(path: place.home("Ada").appending(path: file).path)
            let spoilt = "document_state = CAST(x'ffffff' || substr(document_state, 4) AS BLOB)"
            let other = #"vector_clock = replace(vector_clock, 'size', 'sice')"#
            let changes =
                switch damage {
                case .document: spoilt
                case .checkpoint: other
                case .both: "\(spoilt), \(other)"
                }
            #expect(try database.execute("UPDATE note_sync_state SET \(changes)") == 1)

            let again = try await place.open("Ada")
            #expect(try await again.verify().problems.map(\.note) == ["long"])
            #expect(try await again.markdown(of: "long") == text)
            #expect(try await again.verify().isOK)
            await again.close()
            let third = try await place.open("Ada")
            #expect(try await third.markdown(of: "long") == text)
            await third.close()
        }
    }

    @Test("A file that takes too long costs that once, and the other files of the note are read")
    func slowFile() async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let note = try await library.create(title: "Good", markdown: "words")
            await library.close()
            let notes = place.directory("Ada").appending(path: "notes")
            let log = UpdateBytes.log(of: UpdateBytes.slowUpdate(2_000))
            try UpdateBytes.put(log, notes.appending(path: "slow/logs/x.x.1.crdtlog"))
            try UpdateBytes.put(log, notes.appending(path: "\(note.id)/logs/x.x.1.crdtlog"))
            try UpdateBytes.put(log, place.directory("Ada").appending(path: "folders/logs/x.x.1.crdtlog"))

            // 15 KiB may be read of a note.
            let perByte = Duration.microseconds(20)
            let again = try await place.open("Ada", patience: .milliseconds(300), perByte: perByte)
            let listed = try await again.list()
            #expect(Set(listed.map(\.id)) == [note.id, "slow"])
            #expect(listed.allSatisfy { $0.problem?.hasPrefix("notes/\($0.id)/logs/x.x.1.crdtlog: ") == true })
            #expect(try await again.markdown(of: note.id) == "Good\n\nwords\n")
            try await again.append("more", to: note.id)
            #expect(try await again.createFolder("Here").name == "Here")
            let message = await message { try await again.markdown(of: "slow") }
            #expect(message?.contains("notes/slow/logs/x.x.1.crdtlog") == true)
            let found = Set(try await again.verify().problems.compactMap(\.file))
            let names = ["notes/slow", "notes/\(note.id)", "folders"].map { "\($0)/logs/x.x.1.crdtlog" }
            #expect(found == Set(names))
            await again.close()

            // With this patience they could be read; but nothing says that they are worth another try.
            let third = try await place.open("Ada", patience: .seconds(60), perByte: perByte)
            try await third.catchUp()
            #expect(try await third.markdown(of: note.id) == "Good\n\nwords\n\nmore\n")
            #expect(try await third.folders().map(\.name) == ["Here"])
            #expect(try await third.list().map { $0.problem != nil } == [true, true])
            // A check does say so: a machine that was slow once hides nothing for good.
            #expect(try await third.verify().isOK)
            #expect(try await third.list().map(\.problem) == [nil, nil])
            #expect(try await third.markdown(of: "slow").contains("acac"))
            await third.close()
        }
    }

    enum Trap: CaseIterable {
        case magic, pipe, folder, link, huge
    }

    @Test("A note of which nothing can be read is listed, and says which file it is", arguments: Trap.allCases)
    func nothingLeft(trap: Trap) async throws {
        try await Place.inFolder { place in
            let log = place.directory("Ada").appending(path: "notes/bad/logs/x.x.1.crdtlog")
            try UpdateBytes.put(Data(), log)
            try FileManager.default.removeItem(at: log)
            switch trap {
            case .magic: try Data("no log at all".utf8).write(to: log)
            case .pipe: #expect(mkfifo(log.path, 0o666) == 0)
            case .folder: try FileManager.default.createDirectory(at: log, withIntermediateDirectories: true)
            case .link: try FileManager.default.createSymbolicLink(at: log, withDestinationURL: place.root)
            case .huge:
                try Data("NCLG\u{1}".utf8).write(to: log)
                #expect(truncate(log.path, (1 << 30) + 1) == 0)
            }
            let library = try await place.open("Ada")
            for _ in 0..<2 {
                let problem = try #require(try await library.list().first { $0.id == "bad" }?.problem)
                #expect(problem.hasPrefix("notes/bad"), "\(problem)")
                #expect(!problem.contains("check:"))
                let message = try #require(await message { try await library.text(of: "bad") })
                #expect(message.contains("notes/bad"), "\(message)")
                try await library.catchUp()
            }
            #expect(try await library.verify().problems.map(\.note) == ["bad"])
            // Once its file is whole, so is the note.
            try FileManager.default.removeItem(at: log)
            try UpdateBytes.log(of: UpdateBytes.paragraph("Whole")).write(to: log)
            try await library.catchUp()
            #expect(try await library.list().map(\.problem) == [nil])
            #expect(try await library.markdown(of: "bad") == "Whole\n")
            await library.close()
        }
    }

    @Test("A note that another program nested absurdly deep is read, changed, renamed and exported")
    func deep() async throws {
        try await Place.inFolder { place in
            try UpdateBytes.put(
                UpdateBytes.log(of: UpdateBytes.deepUpdate(1000, words: "down here")),
                place.directory("Ada").appending(path: "notes/deep/logs/x.x.1.crdtlog"))
            let library = try await place.open("Ada")
            #expect(try await library.list().map(\.problem) == [nil])
            #expect(try await library.list().map(\.title) == ["down here"])
            let text = try await library.text(of: "deep")
            _ = try await library.replace(
                "deep", markdown: text.markdown.replacing("down", with: "far down"), base: text.revision)
            _ = try await library.append("more", to: "deep")
            #expect(try await library.markdown(of: "deep").contains("far down here"))
            _ = try await library.rename("deep", to: "Not that deep")
            #expect(try await library.list().map(\.title) == ["Not that deep"])
            #expect(try await library.export(to: place.root.appending(path: "out").path).problems == [])
            #expect(try await library.verify().problems == [])
            await library.close()
        }
    }

    @Test(
        "A part of the directory that cannot be read is said, and the notes go on", arguments: ["profiles", "deleted"])
    func missingPart(part: String) async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let note = try await library.create(title: "Good")
            let folder = place.directory("Ada").appending(path: part)
            try FileManager.default.removeItem(at: folder)
            try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: place.root)
            await library.close()
            let again = try await place.open("Ada")
            #expect(try await again.markdown(of: note.id) == "Good\n")
            #expect(try await again.verify().problems.map(\.file) == [part])
            await again.close()
        }
    }

    @Test("A note that a deletion log hides is told by a check, while its files are here")
    func hidden() async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let note = try await library.create(title: "Good")
            try UpdateBytes.put(Data("\(note.id)|1\n".utf8), place.directory("Ada").appending(path: "deleted/evil.log"))
            let problems = try await library.verify().problems
            #expect(problems.map(\.file) == ["deleted/evil.log"])
            #expect(problems.map(\.note) == [note.id])
            await library.close()
        }
    }

    private func message(_ body: () async throws -> some Any) async -> String? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? NoteFailure)?.message
        }
    }
}
