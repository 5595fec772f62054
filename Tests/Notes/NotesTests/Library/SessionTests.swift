import Foundation
import Notes
import Synchronization
import Testing

@Suite("Live sessions")
struct SessionTests {
    /// Hands updates of one side to the other until the stream ends.
    private func carry(_ from: NoteSession, _ to: NoteSession) -> Task<Int, any Error> {
        Task {
            var count = 0
            for await update in from.updates {
                try await to.apply(update)
                count += 1
            }
            return count
        }
    }

    @Test("Two people in two folders write one note at once")
    func live() async throws {
        try await Place.inFolder { place in
            let (ada, ben) = (try await place.open("Ada"), try await place.open("Ben"))
            let note = try await ada.create(title: "Together", markdown: "begin")
            let mine = try await ada.session(for: note.id, with: "Ben")
            // Ben has never seen it.
            let whole = try await mine.difference(since: [0])
            let adopted = try await ben.adopt(note.id, state: whole)
            #expect(adopted.title == "Together")
            let theirs = try await ben.session(for: note.id, with: "Ada")
            let carrying = [carry(mine, theirs), carry(theirs, mine)]
            for number in 0..<10 {
                try await ada.append("from Ada \(number)", to: note.id)
                try await ben.append("from Ben \(number)", to: note.id)
            }
            try await settled(ada, ben, note.id)
            let text = try await ada.text(of: note.id)
            let authors = Set(text.spans.compactMap(\.author))
            #expect(authors == ["Ada", "Ben"], "\(text.spans)")
            await mine.close()
            await theirs.close()
            for task in carrying { #expect(try await task.value > 0) }
            await ada.close()
            await ben.close()

            // Each has all of it on the disk.
            for name in ["Ada", "Ben"] {
                let again = try await place.open(name)
                let markdown = try await again.markdown(of: note.id)
                #expect(markdown == text.markdown)
                #expect(try await again.verify().isOK)
                await again.close()
            }
        }
    }

    @Test("What is written in a note of somebody else the moment it is here goes to them")
    func atOnce() async throws {
        try await Place.inFolder { place in
            let (ada, ben) = (try await place.open("Ada"), try await place.open("Ben"))
            for number in 0..<30 {
                let note = try await ada.create(title: "Note \(number)").id
                let mine = try await ada.session(for: note)
                let news = ben.changes()
                let writing = Task {
                    for await case .note(let seen, _) in news where seen.id == note {
                        _ = try await ben.append("at once", to: note)
                        return
                    }
                }
                let theirs = try await ben.session(adopting: note, state: mine.difference(since: [0]))
                try await writing.value
                let carrying = carry(theirs, mine)
                await theirs.close()
                _ = try await carrying.value
                #expect(try await ada.markdown(of: note).contains("at once"))
                await mine.close()
            }
            await ada.close()
            await ben.close()
        }
    }

    @Test(
        "What is not an update is refused, and the note stays as it was",
        arguments: [[], [1], [255, 255, 255], [1, 1, 1, 1, 200]])
    func hostile(update: [UInt8]) async throws {
        try await Place.inFolder { place in
            let library = try await place.open("Ada")
            let note = try await library.create(title: "Mine", markdown: "text")
            let session = try await library.session(for: note.id)
            #expect(await failure { try await session.apply(update) } != nil)
            #expect(await failure { try await session.difference(since: [255]) } != nil)
            #expect(try await library.markdown(of: note.id) == "Mine\n\ntext\n")
            #expect(await failure { try await library.adopt("other", state: update) } != nil)
            #expect(try await library.list().count == 1)
            await library.close()
        }
    }

    @Test("A listener that sleeps gets everything in few updates")
    func slow() async throws {
        try await Place.inFolder { place in
            let (ada, ben) = (try await place.open("Ada"), try await place.open("Ben"))
            let note = try await ada.create(title: "Long")
            let session = try await ada.session(for: note.id)
            try await ben.adopt(note.id, state: session.difference(since: [0]))
            for number in 0..<300 { try await ada.append("line \(number)", to: note.id) }
            await session.close()
            let theirs = try await ben.session(for: note.id)
            var count = 0
            for await update in session.updates {
                try await theirs.apply(update)
                count += 1
            }
            #expect(count < 200)
            let (one, two) = (try await ada.markdown(of: note.id), try await ben.markdown(of: note.id))
            #expect(one == two)
            await theirs.close()
            await ada.close()
            await ben.close()
        }
    }

    @Test(
        "What this person writes in an editor is durable once it is saved, and has a time; what others write has theirs"
    )
    func own() async throws {
        try await Place.inFolder { place in
            let time = Mutex<Int64>(1000)
            let ada = try await place.open("Ada", clock: { time.withLock { $0 } })
            let ben = try await place.open("Ben", clock: { 500 })
            let note = try await ada.create(title: "Mine", markdown: "begin")
            try await ben.adopt(note.id, state: ada.session(for: note.id).difference(since: [0]))
            try await ben.append("from elsewhere", to: note.id)
            let theirs = try await ben.session(for: note.id).difference(since: [0])

            time.withLock { $0 = 2000 }
            let live = try await ada.session(for: note.id, with: "Ben")
            try await live.apply(theirs)
            try await live.save()
            #expect(try await ada.text(of: note.id).note.modified < 2000, "it is Ben's change")

            try await ben.append("and more", to: note.id)
            let own = try await ada.editing(note.id)
            #expect(try await own.apply(ben.session(for: note.id).difference(since: [0])))
            try await own.save()
            #expect(try await ada.text(of: note.id).note.modified == 2000)
            // Another process finds it, without any end of this one.
            let other = try await place.open("Other", directory: "Ada")
            #expect(try await other.markdown(of: note.id).contains("and more"))
            #expect(try await other.text(of: note.id).note.modified == 2000)
            #expect(try await !own.apply(ben.session(for: note.id).difference(since: [0])), "nothing of it is new")
            try await own.save()
            await other.close()
            await ada.close()
            await ben.close()
        }
    }

    /// Waits until both show the same, which needs all that was said to arrive.
    private func settled(_ one: NoteLibrary, _ two: NoteLibrary, _ note: String) async throws {
        for _ in 0..<200 {
            let (left, right) = (try await one.markdown(of: note), try await two.markdown(of: note))
            if left == right { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("they did not come to the same text")
    }
}
