import AppCore
import Testing

/// What an agent takes back goes from the screen and from the disk, and nothing else does.
@Suite struct RollbackTests {
    private static let begun = AgentCall(id: "t", title: "Read a", status: "in_progress")
    private static let pending = AgentCall(id: "p", title: "Read b", status: "pending")

    @Test func `a text that is replaced goes, back to the last call`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.told(id, .text(text: "a"), .called(call: Self.begun, whole: true), .text(text: "b"))
        try driver.told(id, .thought(text: "hm"), .text(text: "c"))
        let last = try #require(try driver.talk(id).items.last).id
        try driver.told(id, .rolledBack(whole: false), .text(text: "d"))
        let contents: [AgentItem.Content] = [
            .prompt(text: "go"), .text(text: "a"), .called(call: Self.begun), .thought(text: "hm"), .text(text: "d"),
        ]
        #expect(try driver.talk(id).items.map(\.content) == contents)
        #expect(try driver.talk(id).items.last?.id ?? 0 > last, "a number is never used again")
        #expect(try driver.talk(id).session.rolledBack == 1)
        let numbers = try driver.talk(id).items.map(\.id)
        try driver.restart()
        #expect(try driver.talk(id).items.map(\.id) == numbers)
        #expect(try driver.talk(id).items.map(\.content) == contents)
    }

    @Test func `of a message that is asked for again nothing stays but what began or was asked`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.told(id, .text(text: "a"), .called(call: Self.begun, whole: true), .thought(text: "hm"))
        try driver.told(id, .text(text: "b"), .called(call: Self.pending, whole: true), .text(text: "c"))
        try driver.told(id, .rolledBack(whole: true))
        let contents: [AgentItem.Content] = [.prompt(text: "go"), .text(text: "a"), .called(call: Self.begun)]
        #expect(try driver.talk(id).items.map(\.content) == contents)
        try driver.told(id, .text(text: "b"), .called(call: Self.pending, whole: true), .text(text: "c"))
        try driver.asks(id, 1, Self.pending)
        try driver.told(id, .rolledBack(whole: true))
        #expect(
            try driver.talk(id).items.map(\.content) == contents + [.text(text: "b"), .called(call: Self.pending)],
            "a person is asked about it")
    }

    @Test func `doubled, late or without a turn it changes nothing`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.told(id, .rolledBack(whole: true), .rolledBack(whole: false))
        #expect(try driver.talk(id).items.map(\.content) == [.prompt(text: "go")])
        try driver.told(id, .text(text: "a"), .rolledBack(whole: true), .rolledBack(whole: true), .text(text: "b"))
        try driver.turnEnds(id)
        let talk = try driver.talk(id)
        try driver.told(id, .rolledBack(whole: true), .rolledBack(whole: false))
        #expect(try driver.talk(id).items == talk.items, "the turn is over")
        try driver.agents(.askAgent(session: id, text: "again"))
        try driver.told(id, .rolledBack(whole: true))
        #expect(try driver.talk(id).items.map(\.content) == talk.items.map(\.content) + [.prompt(text: "again")])
        try driver.told(id, .rolledBack(whole: true), .text(text: "c"))
        #expect(try driver.talk(id).items.last?.content == .text(text: "c"))
    }
}
