import AppCore
import Catalogues
import Testing

@Suite struct NodeStatesTests {
    @Test func aRoomIsUnreadAndPinnedWhereItIs() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.rooms(.closeRoom(room: room))
        #expect(driver.tree.find("room.\(room)")?.states == [])
        try driver.receive(room, "m1", .text("Hi"))
        #expect(driver.tree.find("room.\(room)")?.states == .unread)
        try driver.rooms(.pinRoom(room: room, pinned: true))
        #expect(driver.tree.find("room.\(room)")?.states == [.unread, .pinned])
        try driver.rooms(.openRoom(room: room))
        try driver.app(.back)
        #expect(driver.tree.find("room.\(room)")?.states == .pinned)
    }

    @Test func aFieldThatCannotBeTakenSaysWhy() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.chat(.setDraft(room: room, text: String(repeating: "x", count: RoomLimits.textBytes)))
        #expect(driver.tree.find("chat.draft")?.states == [])
        try driver.chat(.setDraft(room: room, text: String(repeating: "x", count: RoomLimits.textBytes + 1)))
        let draft = try #require(driver.tree.find("chat.draft"))
        #expect(draft.states == .invalid && draft.detail == "notice.text_too_long")
        try driver.app(.navigate(to: Screen(.join)))
        try driver.rooms(.editJoin(code: "48291", words: nil, name: nil))
        #expect(driver.tree.find("join.code")?.states == [], "it is not finished")
        try driver.rooms(.editJoin(code: "4829137", words: nil, name: nil))
        #expect(driver.tree.find("join.code")?.states == .invalid)
    }

    @Test func eachScreenHasItsPlace() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        #expect(driver.tree.region == .detail && driver.tree.find("back")?.region == .navigation)
        try driver.app(.navigate(to: Screen(.roomSettings, room: room)))
        #expect(driver.tree.region == .inspector)
        try driver.app(.navigate(to: Screen(.revoke, room: room)))
        #expect(driver.tree.region == .overlay)
        try driver.rooms(.closeRoom(room: room))
        #expect(driver.tree.region == .list && driver.tree.find("rooms.create")?.region == .navigation)
        try driver.app(.setServer(url: "nonsense"))
        #expect(driver.tree.find("notices")?.region == .notices)
        try driver.app(.becameInactive)
        #expect(driver.tree.region == nil)
    }

    @Test func jsonSaysWhatIsNotUsualInBothForms() throws {
        let choice = SemanticNode(.choice, "a", isEnabled: false, isSelected: true)
        let json = try JSONValue(choice)
        #expect(json["states"] == .array([.string("disabled"), .string("selected")]))
        #expect(json["is_enabled"] == .bool(false) && json["is_selected"] == .bool(true) && json["is_busy"] == nil)
        #expect(try JSON.decode(SemanticNode.self, from: JSON.encode(choice)) == choice)
        #expect(try JSONValue(SemanticNode(.text, "a"))["states"] == nil)
    }

    @Test(
        arguments: [
            (#"{"id":"a","role":"choice","is_enabled":false,"is_selected":true}"#, [NodeStates.disabled, .selected]),
            (#"{"id":"a","role":"choice","is_enabled":true,"is_busy":true}"#, [.busy]),
            (#"{"id":"a","role":"item","states":["unread","of_tomorrow","pinned"]}"#, [.unread, .pinned]),
            (#"{"id":"a","role":"item","states":["expanded","mixed","selected"]}"#, [.selected]),
            (#"{"id":"a","role":"item"}"#, []),
        ] as [(String, NodeStates)]) func nodesOfOtherVersionsAreRead(json: String, states: NodeStates) throws
    {
        #expect(try JSON.decode(SemanticNode.self, from: json.utf8).states == states)
    }

    @Test func aPatchCarriesStatesAndRegions() throws {
        let old = SemanticNode(.screen, "s", [SemanticNode(.item, "a"), SemanticNode(.button, "b", isBusy: true)])
        var new = old
        new.children[0].states = [.unread]
        new.children[0].region = .list
        new.children[1].states = [.disabled]
        let diff = TreeDiff(from: old, to: new)
        var followed = old
        followed.apply(removed: diff.removed, placed: diff.placed, updated: diff.updated)
        #expect(followed == new)
    }
}
