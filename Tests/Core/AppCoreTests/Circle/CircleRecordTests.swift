import AppCore
import Testing

/// What older versions wrote still loads, and what this one writes survives.
@Suite struct CircleRecordTests {
    private static let added = [
        "\"trust_given\"", "\"trust_received\"", "\"trust_declined\"", "\"met_at\"", "\"last_seen\"", "\"identity\"",
        "\"revoked_by\"", "\"circle\"", "\"refusals\"", "\"seal\"", "\"by_hand\"",
    ]

    @Test func aRoomWithoutACircleIsWrittenAsBefore() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "m", .text("hi"))
        let written = try #require(driver.disk["room/\(room)"]) + (driver.disk["message/\(room)/m"] ?? "")
        for key in Self.added { #expect(!written.contains(key), "so older records are read too") }
    }

    @Test func aStateOfAnOlderVersionIsRead() throws {
        var driver = try TestDriver()
        _ = try driver.roomThatTalks()
        var json = try JSON.decode(JSONValue.self, from: JSON.encode(driver.state))
        json["circle"] = nil
        guard case .array(var rooms) = json["rooms"] else { throw Missing() }
        var live = try #require(rooms[0]["live"])
        live["refusals"] = nil
        rooms[0]["live"] = live
        json["rooms"] = .array(rooms)
        #expect(try JSON.decode(AppState.self, from: JSON.encode(json)) == driver.state)
    }

    private struct Missing: Error {}

    @Test func everythingOfAMemberSurvives() throws {
        var driver = try TestDriver()
        let room = try driver.memberWhoWasMet()
        let before = try #require(driver.state.rooms[room])
        try driver.restart(active: false)
        let after = try #require(driver.state.rooms[room])
        #expect(after.identity == before.identity && after.metAt == before.metAt && after.lastSeen == before.lastSeen)
        #expect(after.trustGiven == before.trustGiven && after.isMember)
    }

    @Test func aTombstoneUnderAForeignKeyIsNotTaken() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.circle(.revokeTrust(room: room, reason: nil))
        let json = try #require(driver.disk["tombstone/\(room)"])
        try driver.event(.started(locked: false, records: [Record(key: .tombstone("other"), json: json)]))
        #expect(driver.outcome.unreadable == [.tombstone("other")])
        #expect(driver.state.circle.tombstones.isEmpty)
    }

    @Test func aFullCircleTrustsNobodyNew() throws {
        var driver = try TestDriver()
        driver.keepsStates = false
        let tombstones = (0..<CircleLimits.tombstones).map { number in
            Record(
                key: .tombstone(RoomID("r\(number)")),
                json: #"{"by":"own","id":"r\#(number)","name":"","revoked_at":1}"#)
        }
        try driver.event(.started(locked: false, records: tombstones))
        try driver.app(.becameActive)
        #expect(driver.state.circle.tombstones.count == CircleLimits.tombstones)
        let room = try driver.roomThatKnows()
        try driver.circle(.trustPeer(room: room, name: nil))
        try driver.receive(room, "t", .trust)
        #expect(driver.state.rooms[room]?.trustGiven == nil && driver.state.rooms[room]?.trustReceived == nil)
        #expect(driver.text.contains("10000 ended trusts"))
    }
}
