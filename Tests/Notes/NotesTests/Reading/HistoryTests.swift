import Testing

@testable import Notes

@Suite("Sessions of a history")
struct HistoryTests {
    private func changes(_ times: [Int64], by writer: String = "w") -> [NoteHistory.Change] {
        times.map { NoteHistory.Change(time: $0, writer: writer, author: writer.uppercased()) }
    }

    @Test("A session ends after five idle minutes")
    func idle() {
        let history = NoteHistory(of: changes([0, 300_000, 600_001, 600_002]))
        #expect(history.sessions.map(\.start) == [0, 600_001])
        #expect(history.sessions.map(\.end) == [300_000, 600_002])
        #expect(history.updates == 4)
    }

    @Test("A session ends after a hundred changes")
    func limit() {
        let history = NoteHistory(of: changes((0..<250).map { $0 * 10 }))
        #expect(history.sessions.map(\.updates) == [100, 100, 50])
    }

    @Test("Changes of several writers are put in order, and each is named once")
    func writers() {
        let history = NoteHistory(of: changes([5, 1, 3], by: "b") + changes([4, 2], by: "a"))
        #expect(history.sessions.count == 1)
        #expect(history.sessions.first?.id == "1-b")
        #expect(history.authors == ["A", "B"])
    }

    @Test("Clocks at the edge of what a file can say do no harm")
    func extremes() {
        let history = NoteHistory(of: changes([.min, .max, 0]))
        #expect(history.sessions.count == 3)
    }
}
