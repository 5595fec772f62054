import AppCore
import Testing

/// Long lists come in parts, and renderers learn only what is different.
@Suite struct WindowTests {
    private static func talk(messages: Int) throws -> (driver: TestDriver, room: RoomID) {
        var driver = try TestDriver()
        driver.keepsStates = false
        let room = try driver.roomThatTalks()
        for number in 0..<messages { try driver.receive(room, MessageID("m\(number)"), .text("\(number)")) }
        return (driver, room)
    }

    private static func rows(_ driver: TestDriver, _ request: Window.Request) throws -> (ids: [String], window: Window?)
    {
        let tree = try #require(driver.core.tree(for: .main, windows: ["chat.messages": request]))
        let list = try #require(tree.find("chat.messages"))
        return (list.children.map { String($0.id.dropFirst("message.m".count)) }, list.window)
    }

    @Test(
        arguments: [
            (nil, 3, 3, ["17", "18", "19"]), (nil, 0, 5, []), ("message.m5", 2, 2, ["3", "4", "5", "6", "7"]),
            ("message.m0", 3, 1, ["0", "1"]), ("message.m19", 1, 9, ["18", "19"]),
            ("message.gone", 2, 2, ["18", "19"]),
            ("nonsense", 1, 0, ["19"]), (nil, -4, -4, []), ("message.m5", 0, 0, ["5"]),
        ] as [(String?, Int, Int, [String])])
    func rowsLieAroundTheAnchor(anchor: String?, before: Int, after: Int, expected: [String]) throws {
        let (driver, _) = try Self.talk(messages: 20)
        let (ids, window) = try Self.rows(driver, .init(anchor: anchor, before: before, after: after))
        #expect(ids == expected)
        #expect(window == Window(count: 20, first: expected.first.flatMap(Int.init) ?? 20))
    }

    @Test func aWindowHasALimit() throws {
        let (driver, _) = try Self.talk(messages: 3000)
        #expect(try Self.rows(driver, .init(before: .max, after: .max)).ids.count == Window.Request.limit)
        let around = try Self.rows(driver, .init(anchor: "message.m1500", before: .max, after: .max))
        #expect(around.ids.count == Window.Request.limit && around.ids.first == "500")
    }

    @Test func listsThatAreNotNamedComeWhole() throws {
        let (driver, _) = try Self.talk(messages: 20)
        #expect(driver.tree.find("chat.messages")?.children.count == 20)
        #expect(driver.tree.find("chat.messages")?.window == nil)
        let tree = try #require(driver.core.tree(for: .main, windows: ["notes.list": .init()]))
        #expect(tree == driver.tree)
    }

    @Test func anOfferIsFoundByItsNodeAndIsGoneWithIt() throws {
        var (driver, room) = try Self.talk(messages: 0)
        try driver.receive(room, "file", .file(FileOffer(name: "a", bytes: 10)))
        let offer = driver.core.offer(.tap, at: "message.file.accept", in: .main)
        #expect(offer?.action == .chat(.acceptFile(room: room, message: "file")))
        #expect(driver.core.offer(.setText, at: "message.file.accept", in: .main) == nil)
        try driver.chat(.declineFile(room: room, message: "file"))
        #expect(driver.core.offer(.tap, at: "message.file.decline", in: .main) == nil)
        #expect(driver.core.offer(.tap, at: "back", in: "stranger") == nil)
    }

    @Test(arguments: ["Hello", "", "👩‍👩‍👧", "é\u{0301}", "שלום"])
    func aTextThatGrowsIsSaidByWhatIsNew(added: String) throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        let begun = String(repeating: "e", count: 100)
        try driver.chat(.setDraft(room: room, text: begun))
        let old = driver.tree
        try driver.chat(.setDraft(room: room, text: begun + added))
        let diff = TreeDiff(from: old, to: driver.tree)
        let change = diff.updated.first { $0.id == "chat.draft" }
        #expect(change?.append?.text == (added.isEmpty ? nil : added))
        #expect((change?.append?.at ?? 100) == 100 && change?.fields["value"] == nil)
        var display = Display(showing: old)
        display.apply(try JSON.decode(TreeDiff.self, from: JSON.encode(diff)))
        #expect(display.shown == driver.tree)
    }

    @Test func theRoomsStandBesideOtherScreensWhenAskedFor() throws {
        var (driver, room) = try Self.talk(messages: 1)
        func tree() throws -> SemanticNode { try #require(driver.core.tree(for: .main, windows: ["beside": .init()])) }
        #expect(try tree().id == "chat" && driver.tree.find("rooms.beside") == nil)
        let listed = try #require(try tree().find("rooms.beside")?.find("room.\(room)"))
        #expect(listed.facts.latest == .said("0") && listed.offers.map(\.verb) == [.tap])
        try driver.chat(.sendText(room: room, text: "One\ntwo"))
        #expect(try tree().find("room.\(room)")?.facts.latest == .key("room.latest.own", ["text": .said("One two")]))
        try driver.chat(.sendFile(room: room, name: "film.mkv", bytes: 1, handle: "/film.mkv", media: nil))
        let named = Words.key("room.latest.own", ["text": .words(.said("film.mkv"))])
        #expect(try tree().find("room.\(room)")?.facts.latest == named)
        // What is being written stands in the composer, and in the list once the person is elsewhere.
        try driver.chat(.setDraft(room: room, text: " Half\na line "))
        #expect(try tree().find("room.\(room)")?.facts.latest == named)
        try driver.app(.back)
        // Where they are the screen, they do not stand beside it as well.
        #expect(try tree().id == "rooms" && tree().find("rooms.beside") == nil)
        let draft = Words.key("room.latest.draft", ["text": .said("Half a line")])
        #expect(driver.tree.find("room.\(room)")?.facts.latest == draft)
    }

    /// What travels for a key press and for a message, in a room with ten thousand.
    @Test func changesAreSmallHoweverLongTheTalk() throws {
        var (driver, room) = try Self.talk(messages: 10_000)
        let windows = ["chat.messages": Window.Request()]
        func tree() throws -> SemanticNode { try #require(driver.core.tree(for: .main, windows: windows)) }
        let before = try tree()
        #expect(try JSON.encode(before).count < 100_000)
        try driver.chat(.setDraft(room: room, text: "h"))
        let typed = try tree()
        #expect(try JSON.encode(TreeDiff(from: before, to: typed)).count <= 2048)
        try driver.receive(room, "new", .text("A new message of usual length, as people write them to each other."))
        #expect(try JSON.encode(TreeDiff(from: typed, to: try tree())).count <= 1024)
    }
}
