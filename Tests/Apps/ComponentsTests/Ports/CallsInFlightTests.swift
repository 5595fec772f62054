import Testing

@testable import Components

@Suite("Ids of calls in flight")
struct CallsInFlightTests {
    @Test("Ids count from 1 on each port, and a call ends once")
    func ids() {
        var calls = CallsInFlight<String>(limit: 3)
        #expect(["a", "a", "b", "b"].map { calls.reserve(on: $0) } == [1, 2, 1, nil])
        #expect(["x", "z"].map { calls.wait($0, for: $0 == "x" ? 1 : 7, on: "a") } == [true, false])
        #expect(["b", "a", "a"].map { calls.end(1, on: $0) } == [nil, "x", nil])
        #expect(calls.count == 1)
        #expect(["a"].map { calls.reserve(on: $0) } == [3])
    }

    @Test("Ids wrap before the limit, and pass over those in use")
    func wrapping() {
        var calls = CallsInFlight<String>(limit: 10, lastID: CallsInFlight<String>.idLimit - 3)
        #expect((1...3).map { _ in calls.reserve(on: "a") } == [0x3fff_fffd, 0x3fff_fffe, 1])
        var round = CallsInFlight<String>(limit: 10, lastID: CallsInFlight<String>.idLimit - 1)
        #expect((1...2).map { _ in round.reserve(on: "a") } == [1, 2])
    }

    @Test("All calls end at once")
    func endAll() {
        var calls = CallsInFlight<String>(limit: 10)
        let ids = (1...3).compactMap { _ in calls.reserve(on: "a") }
        #expect(ids.dropLast().map { calls.wait("\($0)", for: $0, on: "a") } == [true, true])
        let waiters = calls.endAll()
        #expect(waiters.sorted() == ["1", "2"])
        #expect(calls.count == 0)
    }
}
