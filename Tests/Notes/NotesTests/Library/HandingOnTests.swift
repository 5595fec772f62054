import Foundation
import Notes
import Testing

/// What comes to a note goes to everybody who edits it live, once.
@Suite("Handing on what comes")
struct HandingOnTests {
    /// Long enough that only an explicit end of waiting writes anything.
    private static let patient = NoteLibrary.Options(coalescing: .seconds(3600), watches: false)

    /// A note in a directory where Ada and Ben write, with what Cid has of it in a directory of his own.
    private struct Setup {
        let ada: NoteLibrary
        let ben: NoteLibrary
        let cid: NoteLibrary
        let note: String

        init(_ place: Place) async throws {
            ada = try await NoteLibrary.open(
                place.directory("Ada").path, home: place.home("Ada").path, person: "Ada",
                options: HandingOnTests.patient)
            ben = try await place.open("Ben", directory: "Ada")
            cid = try await place.open("Cid")
            note = try await ada.create(title: "Shared").id
            let session = try await ada.session(for: note)
            try await cid.adopt(note, state: session.difference(since: [0]))
            await session.close()
        }

        /// Brings Cid all that the session brought, and closes it.
        func deliver(_ session: NoteSession) async throws -> String {
            await session.close()
            let theirs = try await cid.session(for: note)
            for await update in session.updates { try await theirs.apply(update) }
            await theirs.close()
            return try await cid.markdown(of: note)
        }

        func close() async { for library in [ada, ben, cid] { await library.close() } }
    }

    @Test("Files that come while a live change waits to be written reach the live peers")
    func betweenReadingAndWriting() async throws {
        try await Place.inFolder { place in
            let setup = try await Setup(place)
            let one = try await setup.ada.session(for: setup.note)
            let other = try await setup.ada.session(for: setup.note)
            #expect(try await one.apply(UpdateBytes.paragraph("live", by: 7)))
            try await setup.ben.append("by file", to: setup.note)
            // Writes what waits, and reads what came.
            await one.close()
            let text = try await setup.deliver(other)
            #expect(text.contains("live\n") && text.contains("by file\n"), "\(text)")
            await setup.close()
        }
    }

    @Test("Files that come after the document had to be let go of reach the live peers")
    func afterForgetting() async throws {
        try await Place.inFolder { place in
            let setup = try await Setup(place)
            let session = try await setup.ada.session(for: setup.note)
            let lock = place.directory("Ada").appending(path: ".migration-lock")
            try Data("{}".utf8).write(to: lock)
            #expect(await failure { try await setup.ada.append("refused", to: setup.note) } == .directoryUnwritable)
            try FileManager.default.removeItem(at: lock)
            try await setup.ben.append("by file", to: setup.note)
            try await setup.ada.catchUp()
            try await setup.ben.append("and later", to: setup.note)
            try await setup.ada.catchUp()
            await setup.ada.releaseMemory()
            let text = try await setup.deliver(session)
            #expect(text.contains("by file\n") && text.contains("and later\n") && !text.contains("refused"), "\(text)")
            await setup.close()
        }
    }

    @Test("An update that is damaged goes to nobody")
    func damaged() async throws {
        try await Place.inFolder { place in
            let setup = try await Setup(place)
            let session = try await setup.ada.session(for: setup.note)
            let log = place.directory("Ada").appending(path: "notes/\(setup.note)/logs/x.x.1.crdtlog")
            try UpdateBytes.put(UpdateBytes.log(of: [9, 9, 9, 9], UpdateBytes.paragraph("sound", by: 7)), log)
            try await setup.ada.catchUp()
            #expect(try await setup.deliver(session).contains("sound\n"))
            await setup.close()
        }
    }

    /// Where three rooms share one note, each hands on what it hears: that has to end.
    @Test("What a note has already is nothing new, also while it waits for what it builds on")
    func nothingNew() async throws {
        try await Place.inFolder { place in
            let setup = try await Setup(place)
            let session = try await setup.ada.session(for: setup.note)
            let theirs = try await setup.cid.session(for: setup.note)
            var updates: [[UInt8]] = []
            for word in ["one", "two", "three"] {
                let before = try await theirs.stateVector()
                try await setup.cid.append(word, to: setup.note)
                updates.append(try await theirs.difference(since: before))
            }
            // The first is missing, so the others wait.
            for update in updates.dropFirst() { #expect(try await session.apply(update)) }
            for _ in 0..<4 {
                for update in updates.dropFirst().reversed() { #expect(try await !session.apply(update)) }
            }
            #expect(try await session.apply(updates[0]))
            for update in updates { #expect(try await !session.apply(update)) }
            // Deletions of what is not here yet wait, too.
            let deletions: [[UInt8]] = [[0, 1, 77, 1, 0, 1], [0, 1, 78, 1, 0, 1]]
            for deletion in deletions { #expect(try await session.apply(deletion)) }
            for _ in 0..<4 {
                for deletion in deletions { #expect(try await !session.apply(deletion)) }
            }
            await session.close()
            await theirs.close()
            await setup.close()
        }
    }
}
