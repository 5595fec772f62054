import Foundation
import NoteFiles
import Storage
import Testing

@testable import Notes

/// Several processes of one profile, with one index.
@Suite("Processes beside each other")
struct ParallelTests {
    @Test("What many commands write into one note at once is found afterwards")
    func manyCommands() async throws {
        try await Place.inFolder { place in
            let first = try await place.open("Ada")
            let note = try await first.create(title: "Shared").id
            await first.close()
            let words = (0..<16).map { "word\($0)x" }
            try await withThrowingTaskGroup { group in
                for word in words {
                    group.addTask {
                        let library = try await place.open("Ada")
                        try await library.append(word, to: note)
                        await library.close()
                    }
                }
                try await group.waitForAll()
            }
            let library = try await place.open("Ada")
            for word in words { #expect(try await library.search(word).map(\.id) == [note], "\(word)") }
            #expect(try await library.verify().isOK)
            await library.close()
        }
    }

    @Test("An older text never takes the place of a newer one in the index")
    func overtaken() async throws {
        try await Place.inFolder { place in
            let (one, other) = (try await place.open("Ada"), try await place.open("Ada"))
            let note = try NoteID(try await one.create(title: "Shared").id)
            try await other.append("first", to: note.text)
            try await one.refresh(.note(note))
            let older = try await one.entry(for: note)
            try await other.append("second", to: note.text)
            #expect(try await one.publish([older]) == [note])
            #expect(try await other.search("second").count == 1)
            try await one.append("third", to: note.text)
            for word in ["first", "second", "third"] { #expect(try await other.search(word).count == 1, "\(word)") }
            #expect(try await one.verify().isOK)
            for library in [one, other] { await library.close() }
        }
    }

    @Test("A note that another process makes while this one looks around stays in the index")
    func madeMeanwhile() async throws {
        try await Place.inFolder { place in
            let (one, other) = (try await place.open("Ada"), try await place.open("Ada"))
            let making = Task {
                for number in 0..<40 { _ = try await other.create(title: "Note \(number)") }
            }
            for _ in 0..<40 { try await one.catchUp() }
            try await making.value
            #expect(try await other.list().count == 40)
            for library in [one, other] { await library.close() }
        }
    }

    /// As after a crash between the log and the index, where the request comes again.
    @Test("A note that is in the files and not in the index is not made twice")
    func repeatedRequest() async throws {
        try await Place.inFolder { place in
            let ada = try await place.open("Ada")
            let crashed = try await place.open("Ben", directory: "Ada")
            let made = try await crashed.create(title: "Once", markdown: "text", id: "fresh")
            await crashed.close()
            let again = try await ada.create(title: "Once", markdown: "text", id: "fresh")
            #expect(again.title == made.title)
            #expect(try await ada.markdown(of: "fresh") == "Once\n\ntext\n")
            // Nor is one that comes from somebody else, and has nothing new, written again.
            let ben = try await place.open("Ben", directory: "Ada")
            let session = try await ben.session(for: "fresh")
            let cid = try await place.open("Cid", directory: "Ada")
            try await cid.adopt("fresh", state: session.difference(since: [0]))
            #expect(try await cid.verify().records == 1)
            // A folder with nothing in it is no note.
            try FileManager.default.createDirectory(
                at: place.directory("Ada").appending(path: "notes/empty/logs"), withIntermediateDirectories: true)
            #expect(try await ada.create(title: "New", markdown: "text", id: "empty").title == "New")
            #expect(try await ada.markdown(of: "empty") == "New\n\ntext\n")
            for library in [ada, ben, cid] { await library.close() }
        }
    }

    @Test("What could not be put into the index is put there later, without another change", arguments: [false, true])
    func laterAgain(isOwn: Bool) async throws {
        try await Place.inFolder { place in
            let ada = try await place.open("Ada", watches: true)
            let note = try await ada.create(title: "Kept", markdown: "first").id
            let files = Place.files(below: place.home("Ada")).filter { $0.hasSuffix(".sqlite") }
            let index = try Database(path: place.home("Ada").appending(path: try #require(files.first)).path)
            try index.executeScript(
                "CREATE TRIGGER full BEFORE INSERT ON notes BEGIN SELECT RAISE(ABORT, 'no room'); END;")
            if isOwn {
                try await ada.append("second", to: note)
            } else {
                let ben = try await place.open("Ben", directory: "Ada")
                try await ben.append("second", to: note)
                await ben.close()
            }
            try await Self.wait { if case .problem = await ada.sync { true } else { false } }
            try index.executeScript("DROP TRIGGER full;")
            try await Self.wait { try await ada.search("second").map(\.id) == [note] }
            try await Self.wait { await ada.sync == .ready }
            await ada.close()
        }
    }

    private static func wait(_ isTrue: () async throws -> Bool) async throws {
        for _ in 0..<3000 {
            if try await isTrue() { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("waited in vain")
    }
}
