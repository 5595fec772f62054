import Foundation
import Storage
import Synchronization
import Testing

@testable import Notes

@Suite("Changes for a listener")
struct ChangesTests {
    @Test("Of several changes to a note the newest waits")
    func newest() async {
        let broadcast = Broadcast()
        let changes = broadcast.listen()
        for number in 0..<10_000 {
            broadcast.send(.note(NoteSummary(id: "a", title: "\(number)"), author: nil))
            broadcast.send(.folders)
        }
        broadcast.send(.removed(note: "a", forGood: true))
        broadcast.finish()
        var heard: [NoteChange] = []
        for await change in changes { heard.append(change) }
        #expect(heard == [.removed(note: "a", forGood: true), .folders])
    }

    @Test("Every listener hears everything, and none hears of a closed library")
    func listeners() async {
        let broadcast = Broadcast()
        let (one, two) = (broadcast.listen(), broadcast.listen())
        broadcast.send(.folders)
        broadcast.finish()
        for changes in [one, two, broadcast.listen()] {
            var heard: [NoteChange] = []
            for await change in changes { heard.append(change) }
            #expect(heard == (changes === one || changes === two ? [.folders] : []))
        }
    }

    @Test(
        "A folder that cannot be watched is read all the same, and watched once that is possible",
        .timeLimit(.minutes(1)))
    func watchedLater() async throws {
        try await Place.inFolder { place in
            let writer = try await place.open("ada")
            let note = try await writer.create(title: "First", markdown: "one")
            let canWatch = Atomic(false)
            var options = NoteLibrary.Options()
            options.watch = { folders in
                guard canWatch.load(ordering: .relaxed) else { throw FileError(.failed, "too many watches") }
                return try FolderWatch(folders)
            }
            let reader = try await NoteLibrary.open(
                place.directory("ada").path, home: place.home("ben").path, person: "ben", options: options)
            let changes = reader.changes()
            while await reader.sync != .problem(NoteFailure(.failed, "too many watches")) {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(try await reader.list().map(\.id) == [note.id])
            canWatch.store(true, ordering: .relaxed)
            for await change in changes { if change == .sync(.ready) { break } }
            let second = try await writer.create(title: "Second", markdown: "two")
            for await change in changes {
                if case .note(let summary, _) = change, summary.id == second.id { break }
            }
            await reader.close()
            await writer.close()
        }
    }
}
