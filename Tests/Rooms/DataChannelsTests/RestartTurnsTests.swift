import Testing

@testable import DataChannels

@Suite("Turns of two ICE generations")
struct RestartTurnsTests {
    @Test("the old generation is heard first, then silent and heard in turns, and always without a restart")
    func turns() {
        var turns = RestartTurns()
        var seen = ""
        for _ in 0..<16 { seen += turns.next(isRestarting: true) ? "-" : "o" }
        #expect(seen == "o---ooo---oooooo")
        var silent = turns.next(isRestarting: false)
        #expect(!silent)
        silent = turns.next(isRestarting: true)
        #expect(!silent)
        silent = turns.next(isRestarting: true)
        #expect(silent)
    }
}
