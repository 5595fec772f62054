import Foundation
import Notes
import Storage
import Testing

/// What was acknowledged is in the files, whatever else goes wrong.
@Suite("Durability of changes")
struct DurabilityTests {
    /// Long enough that only an explicit end of waiting writes anything.
    private static let patient = NoteLibrary.Options(coalescing: .seconds(3600), watches: false)

    /// A note of Ada's that Ben has too, with an update for each word that she appended afterwards.
    private func shared(_ place: Place, words: [String]) async throws -> (note: String, updates: [[UInt8]]) {
        let (ada, ben) = (try await place.open("Ada"), try await place.open("Ben"))
        let note = try await ada.create(title: "Shared", markdown: "begin")
        let session = try await ada.session(for: note.id)
        try await ben.adopt(note.id, state: try await session.difference(since: [0]))
        var updates: [[UInt8]] = []
        for word in words {
            let before = try await session.stateVector()
            try await ada.append(word, to: note.id)
            updates.append(try await session.difference(since: before))
        }
        for library in [ada, ben] { await library.close() }
        return (note.id, updates)
    }

    private func patientBen(_ place: Place) async throws -> NoteLibrary {
        try await NoteLibrary.open(
            place.directory("Ben").path, home: place.home("Ben").path, person: "Ben", options: Self.patient)
    }

    @Test(
        "A live update that comes before what it builds on is written too",
        arguments: [[0, 1], [1, 0], [1, 0, 1, 0]])
    func anyOrder(order: [Int]) async throws {
        try await Place.inFolder { place in
            let (note, updates) = try await shared(place, words: ["one", "two"])
            let ben = try await place.open("Ben")
            let session = try await ben.session(for: note, with: "Ada")
            for index in order { try await session.apply(updates[index]) }
            await session.close()
            await ben.close()
            let again = try await place.open("Ben")
            #expect(try await again.markdown(of: note) == "Shared\n\nbegin\n\none\n\ntwo\n")
            await again.close()
        }
    }

    @Test("What the note has already is not written again")
    func onlyWhatIsNew() async throws {
        try await Place.inFolder { place in
            let (note, updates) = try await shared(place, words: ["one"])
            let ben = try await place.open("Ben")
            for _ in 0..<3 {
                let session = try await ben.session(for: note, with: "Ada")
                try await session.apply(updates[0])
                await session.close()
            }
            // One for the note as it was adopted.
            #expect(try await ben.verify().records == 2)
            await ben.close()
        }
    }

    @Test("Live changes outlast that the note's folder is away for a while")
    func folderIsAway() async throws {
        try await Place.inFolder { place in
            let (note, updates) = try await shared(place, words: ["one"])
            let ben = try await patientBen(place)
            let session = try await ben.session(for: note, with: "Ada")
            try await session.apply(updates[0])
            let folder = place.directory("Ben").appending(path: "notes/\(note)")
            let away = place.root.appending(path: "away")
            try FileManager.default.moveItem(at: folder, to: away)
            try await ben.catchUp()
            try FileManager.default.moveItem(at: away, to: folder)
            #expect(await ben.close() == nil)
            let again = try await place.open("Ben")
            #expect(try await again.markdown(of: note) == "Shared\n\nbegin\n\none\n")
            await again.close()
        }
    }

    @Test("Closing tells what could not be written")
    func closingTells() async throws {
        try await Place.inFolder { place in
            let (note, updates) = try await shared(place, words: ["one"])
            let ben = try await patientBen(place)
            let session = try await ben.session(for: note, with: "Ada")
            try await session.apply(updates[0])
            let folder = place.directory("Ben").appending(path: "notes/\(note)")
            try FileManager.default.removeItem(at: folder)
            try Data().write(to: folder)
            let failure = await ben.close()
            #expect(failure?.message.contains(note) == true, "\(String(describing: failure))")
        }
    }

    @Test("A change that is in the files succeeds though the index cannot be written, which is told and made up for")
    func indexIsLocked() async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let note = try await library.create(title: "Kept", markdown: "first")
            let files = Place.files(below: place.home("Ada")).filter { $0.hasSuffix(".sqlite") }
            let index = try Database(path: place.home("Ada").appending(path: try #require(files.first)).path)
            try index.executeScript(
                "CREATE TRIGGER full BEFORE INSERT ON notes BEGIN SELECT RAISE(ABORT, 'no room'); END;")
            try await library.append("second", to: note.id)
            let seen = try await library.text(of: note.id)
            try await library.replace(
                note.id, markdown: seen.markdown.replacing("second", with: "third"), base: seen.revision)
            let made = try await library.create(title: "New", markdown: "text")
            #expect(made.title == "New")
            guard case .problem(let problem) = await library.sync else {
                Issue.record("nobody is told")
                return
            }
            #expect(problem.message.contains("no room"))
            #expect(try await library.markdown(of: note.id) == "Kept\n\nfirst\n\nthird\n")
            try index.executeScript("DROP TRIGGER full;")
            try await library.catchUp()
            #expect(try await library.search("third").map(\.id) == [note.id])
            #expect(try await library.list().map(\.title).sorted() == ["Kept", "New"])
            await library.close()
        }
    }
}
