import Testing

@testable import AppCore

/// What an offer says about itself, so that no renderer has to guess it from names.
@Suite struct OfferTests {
    @Test func inputsSayWhatTheyTake() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        let kinds = { (id: String, driver: TestDriver) in driver.tree.find(id)?.offers.first?.kinds }
        #expect(kinds("chat.draft", driver) == [.longText])
        #expect(kinds("chat.attach", driver) == [.text, .number, .file, .media])
        try driver.receive(room, "p1", .text("Hi"))
        let reply = try #require(driver.tree.offer(.reply, at: "message.p1"))
        #expect(reply.inputs == ["text"] && reply.kinds == [.longText], "the row is filled in")
        try driver.app(.navigate(to: Screen(.settings)))
        #expect(kinds("settings.server", driver) == [.address])
        #expect(kinds("settings.passphrase", driver) == [.secret])
    }

    @Test func whatNothingBringsBackIsDestructive() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "p1", .text("Hi"))
        #expect(driver.tree.offer(.delete, at: "message.p1")?.isDestructive == true)
        #expect(driver.tree.offer(.reply, at: "message.p1")?.isDestructive == false)
        let isDestructive = { (id: String, driver: TestDriver) in driver.tree.find(id)?.offers.first?.isDestructive }
        #expect(isDestructive("chat.leave", driver) == true)
        #expect(isDestructive("chat.settings", driver) == false)
        try driver.app(.navigate(to: Screen(.settings)))
        #expect(isDestructive("settings.erase", driver) == true)
        #expect(isDestructive("settings.passphrase", driver) == false)
    }

    @Test func jsonSaysBoth() throws {
        let offer = Offer(.delete, .chat(.deleteMessage(room: "r", message: "_")), inputs: ["message": .thing])
        let json = try JSONValue(offer)
        #expect(json["kinds"] == .array([.string("thing")]) && json["is_destructive"] == .bool(true))
        #expect(try JSON.decode(Offer.self, from: JSON.encode(offer)) == offer)
        let tap = try JSONValue(Offer.tap(.app(.back)))
        #expect(tap["kinds"] == nil && tap["is_destructive"] == nil)
    }

    @Test func offersOfVersion02AreUnderstood() throws {
        let json = #"{"verb":"set_secret","action":{"type":"unlock","passphrase":"-"},"inputs":["passphrase"]}"#
        #expect(try JSON.decode(Offer.self, from: json.utf8).kinds == [.secret])
        let erase = #"{"verb":"tap","action":{"type":"erase_all"},"inputs":[]}"#
        #expect(try JSON.decode(Offer.self, from: erase.utf8).isDestructive)
    }

    @Test func eachInputHasOneKind() {
        let json = #"{"verb":"tap","action":{"type":"back"},"inputs":["a"],"kinds":["text","text"]}"#
        #expect(throws: DecodingError.self) { try JSON.decode(Offer.self, from: json.utf8) }
    }
}
