import Foundation
import Notes
import Storage
import Testing

/// What was left out of a note comes back with the file that is whole again, and nothing else goes with it.
@Suite("Files that were damaged or slow")
struct MendedFilesTests {
    /// More records than are read again each time make a stored state; then the rest of the log comes from there.
    @Test(
        "A log that was damaged, read past, and mended is read again",
        arguments: [3, 200], [false, true])
    func mended(count: Int, isReopened: Bool) async throws {
        try await Place.inFolder { place in
            let lines = (1...count).map { UpdateBytes.paragraph("line \($0)", by: $0) }
            var damaged = lines
            // An operation of a kind that there is not.
            damaged[1][4] = 0x1f
            let file = place.directory("Ada").appending(path: "notes/long/logs/x.x.1.crdtlog")
            try UpdateBytes.put(UpdateBytes.log(of: damaged), file)
            var library = try await place.open("Ada")
            #expect(try await library.list().first?.problem?.contains("x.x.1.crdtlog") == true)
            #expect(try await !library.markdown(of: "long").contains("line 2\n"))
            // It grows in spite of the damage, and what is new is seen.
            damaged.append(UpdateBytes.paragraph("more", by: count + 1))
            try UpdateBytes.put(UpdateBytes.log(of: damaged), file)
            #expect(try await library.markdown(of: "long").contains("more"))
            // What was made in spite of the damage is kept nowhere.
            let index = try #require(Place.files(below: place.home("Ada")).first { $0.hasSuffix(".sqlite") })
            let database = try Database(path: place.home("Ada").appending(path: index).path)
            #expect(try database.query("SELECT count(*) FROM note_sync_state") { try $0[0] as Int } == [0])
            if isReopened {
                await library.close()
                library = try await place.open("Ada")
                #expect(try await library.list().first?.problem?.contains("x.x.1.crdtlog") == true)
            }
            try UpdateBytes.put(UpdateBytes.log(of: lines + damaged.suffix(1)), file)
            try await library.catchUp()
            #expect(try await library.markdown(of: "long").contains("line 2\n"))
            #expect(try await library.list().map(\.problem) == [nil])
            #expect(try await library.search("\"line 2\"").count == 1)
            #expect(try await library.verify().isOK)
            await library.close()
        }
    }

    @Test("Only the slow update is left out of a log, however the log grows", arguments: [false, true])
    func slowBesideGood(hasOthers: Bool) async throws {
        try await Place.inFolder { place in
            let patience = Duration.milliseconds(300)
            let notes = place.directory("Ada").appending(path: "notes/n/logs")
            let file = notes.appending(path: "x.x.1.crdtlog")
            var updates = (1...3).map { UpdateBytes.paragraph("good \($0)", by: $0) }
            if hasOthers {
                try UpdateBytes.put(
                    UpdateBytes.log(of: UpdateBytes.paragraph("other", by: 9)), notes.appending(path: "y.y.1.crdtlog"))
            }
            updates.insert(UpdateBytes.slowUpdate(40_000), at: 2)
            try UpdateBytes.put(UpdateBytes.log(of: updates), file)
            for number in 4...7 {
                let library = try await place.open("Ada", patience: patience)
                for added in [10 * number, 10 * number + 1] {
                    let text = try await library.markdown(of: "n")
                    for good in 1...3 { #expect(text.contains("good \(good)\n"), "\(text.prefix(300))") }
                    #expect(text.contains("other") == hasOthers)
                    #expect(!text.contains("aaaa"))
                    let problem = try await library.list().first?.problem
                    #expect(problem?.hasPrefix("notes/n/logs/x.x.1.crdtlog: ") == true)
                    updates.append(UpdateBytes.paragraph("later \(added)", by: added))
                    try UpdateBytes.put(UpdateBytes.log(of: updates), file)
                    try await library.catchUp()
                    #expect(try await library.markdown(of: "n").contains("later \(added)\n"))
                }
                await library.close()
            }
            // Mended, it is like any other log.
            updates[2] = UpdateBytes.paragraph("mended", by: 8)
            try UpdateBytes.put(UpdateBytes.log(of: updates), file)
            let library = try await place.open("Ada", patience: patience)
            #expect(try await library.markdown(of: "n").contains("mended\n"))
            #expect(try await library.list().map(\.problem) == [nil])
            #expect(try await library.verify().isOK)
            await library.close()
        }
    }

    /// Five that are slow by themselves; and many that are not, and are together.
    @Test(
        "Of a log of slow updates a few are tried, and the other logs are read", arguments: [(5, 40_000), (24, 8_000)])
    func manySlow(count: Int, size: Int) async throws {
        try await Place.inFolder { place in
            let notes = place.directory("Ada").appending(path: "notes/n/logs")
            let good = UpdateBytes.log(of: UpdateBytes.paragraph("good", by: 1))
            try UpdateBytes.put(good, notes.appending(path: "x.x.1.crdtlog"))
            let slow = (1...count).map { UpdateBytes.slowUpdate(size, base: $0 * 10_000_000) }
            try UpdateBytes.put(UpdateBytes.log(of: slow), notes.appending(path: "y.y.1.crdtlog"))
            for _ in 0..<2 {
                let library = try await place.open("Ada", patience: .milliseconds(200))
                #expect(try await library.markdown(of: "n").contains("good\n"))
                let problem = try await library.list().first?.problem
                if size == 40_000 { #expect(problem?.hasPrefix("notes/n/logs/y.y.1.crdtlog: ") == true) }
                await library.close()
            }
        }
    }

    @Test("A live update that takes too long is refused, and the note is as it was, also when it is opened again")
    func slowPeer() async throws {
        try await Place.inFolder { place in
            let patience = Duration.milliseconds(300)
            let library = try await place.open("Ada", patience: patience)
            let note = try await library.create(title: "Mine", markdown: "words").id
            let session = try await library.session(for: note, with: "Eve")
            for _ in 0..<2 {
                let refusal = await failure { try await session.apply(UpdateBytes.slowUpdate(40_000)) }
                #expect(refusal == .noteUnreadable)
                #expect(try await library.markdown(of: note) == "Mine\n\nwords\n")
                #expect(try await library.list().map(\.problem) == [nil])
            }
            try await library.append("more", to: note)
            #expect(try await session.apply(UpdateBytes.paragraph("from Eve", by: 7)))
            await session.close()
            #expect(try await library.verify().isOK)
            await library.close()
            let again = try await place.open("Ada", patience: patience)
            let text = try await again.markdown(of: note)
            #expect(text.contains("Mine\n\nwords\n\nmore\n") && text.contains("from Eve\n"))
            #expect(try await again.list().map(\.problem) == [nil])
            await again.close()
        }
    }
}
