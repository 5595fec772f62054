import Catalogues
import Testing

@testable import AppCore

/// Nodes of messages are reused between trees, and the trees are the same as without reuse.
@Suite struct MessageNodesTests {
    private static let size = ChunkedArray<Message>.chunkSize

    private static func talk(messages: Int) throws -> (driver: TestDriver, room: RoomID) {
        var driver = try TestDriver()
        driver.keepsStates = false
        let room = try driver.roomThatTalks()
        for number in 0..<messages { try driver.receive(room, MessageID("m\(number)"), .text("\(number)")) }
        return (driver, room)
    }

    private static func messages(in tree: SemanticNode) -> ChunkedArray<SemanticNode> {
        tree.find("chat.messages")?.children ?? []
    }

    @Test func onlyTheChunkThatChangedIsMadeAnew() throws {
        var (driver, room) = try Self.talk(messages: 3 * Self.size)
        try driver.receive(room, "file", .file(FileOffer(name: "a", bytes: 10)))
        let before = Self.messages(in: driver.tree)
        let was = try #require(before.last)
        try driver.chat(.declineFile(room: room, message: "file"))
        let after = Self.messages(in: driver.tree)
        #expect(before.last == was && was.detail == nil && after.last?.detail?.english == "Declined")
        #expect(after.sharedChunks(with: before).map(\.start) == [0, 1, 2].map { $0 * Self.size })
    }

    @Test func whatAllNodesDependOnMakesAllAnew() throws {
        var (driver, room) = try Self.talk(messages: Self.size)
        try driver.receive(room, "file", .file(FileOffer(name: "a", bytes: 10)))
        #expect(driver.tree.find("message.file.accept")?.isEnabled == true)
        try driver.event(.peerLeft(room: room, forever: true))
        #expect(driver.tree.find("message.file.accept")?.isEnabled == false)
        #expect(driver.tree == Core(state: driver.state).tree)
    }

    @Test func copiesOfACoreDoNotDisturbEachOther() throws {
        var (driver, room) = try Self.talk(messages: 2 * Self.size)
        let old = driver.core
        for number in 0..<3 {
            try driver.receive(room, MessageID("new\(number)"), .text("new"))
            #expect(driver.tree == Core(state: driver.state).tree)
            #expect(old.tree == Core(state: old.state).tree)
        }
    }

    @Test func aFullRoomThatDropsItsOldestMessagesKeepsTheOtherNodes() throws {
        var (driver, room) = try Self.talk(messages: RoomLimits.messages)
        let tree = driver.tree
        let before = Self.messages(in: tree)
        try driver.receive(room, "one-too-many", .text("x"))
        let after = Self.messages(in: driver.tree)
        let gone = RoomLimits.messages / 10
        #expect(after.first?.id == "message.m\(gone)" && after.count == before.count - gone + 1)
        #expect(driver.tree == Core(state: driver.state).tree)
        let shared = after.sharedChunks(with: before)
        #expect(shared.allSatisfy { $0.otherStart == $0.start + gone })
        #expect(shared.reduce(0) { $0 + $1.count } > after.count - 2 * Self.size)
        let placed = Set(TreeDiff(from: tree, to: driver.tree).placed.map(\.id))
        // The person is told.
        #expect(placed == ["message.one-too-many", "notices", "chat.forgotten"])
    }

    @Test func messagesWhoseTimeHasComeLeaveTheOtherNodesAlone() throws {
        var (driver, room) = try Self.talk(messages: 0)
        try driver.agree(room, on: .oneHour)
        for number in 0..<2 * Self.size { try driver.receive(room, MessageID("m\(number)"), .text("\(number)")) }
        try driver.pass(seconds: 1800)
        for number in 0..<Self.size { try driver.receive(room, MessageID("n\(number)"), .text("\(number)")) }
        let before = Self.messages(in: driver.tree)
        try driver.pass(seconds: 1801)
        let after = Self.messages(in: driver.tree)
        #expect(after.first?.id == "message.n0" && after.count == Self.size)
        #expect(!after.sharedChunks(with: before).isEmpty)
        #expect(driver.tree == Core(state: driver.state).tree)
    }

    @Test func lockingForgetsThem() throws {
        var driver = try TestDriver.withPassphrase()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "m1", .text("secret"))
        let copy = driver.core
        let before = Self.messages(in: copy.tree)
        #expect(before.sharedChunks(with: Self.messages(in: copy.tree)).count == 1)
        try driver.app(.lock)
        #expect(before.sharedChunks(with: Self.messages(in: copy.tree)).isEmpty)
    }
}
