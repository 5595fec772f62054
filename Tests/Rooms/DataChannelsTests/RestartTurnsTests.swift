import Testing

@testable import DataChannels

@Suite("Turns of two ICE generations")
struct RestartTurnsTests {
    @Test("the old generation is heard first, then silent and heard in turns, and always without a restart")
    func turns() {
        var turns = RestartTurns()
        #expect((0..<10).map { _ in turns.next(isRestarting: true) }.map { $0 ? "-" : "o" }.joined() == "o---ooo---")
        #expect(!turns.next(isRestarting: false))
        #expect(!turns.next(isRestarting: true))
        #expect(turns.next(isRestarting: true))
    }
}
