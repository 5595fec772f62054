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
}
