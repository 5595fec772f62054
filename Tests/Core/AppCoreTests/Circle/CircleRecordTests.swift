import AppCore
import Testing

/// What older versions wrote still loads, and what this one writes survives.
@Suite struct CircleRecordTests {
    private static let added = [
        "\"trust_given\"", "\"trust_received\"", "\"trust_declined\"", "\"met_at\"", "\"last_seen\"", "\"identity\"",
        "\"revoked_by\"", "\"circle\"", "\"refusals\"", "\"seal\"", "\"by_hand\"",
    ]

    @Test func aRoomWithoutACircleIsWrittenAsBefore() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "m", .text("hi"))
        let written = try #require(stage.disk["room/\(room)"]) + (stage.disk["message/\(room)/m"] ?? "")
        for key in Self.added { #expect(!written.contains(key), "so older records are read too") }
    }

    @Test func aStateOfAnOlderVersionIsRead() throws {
        var stage = try Stage()
        _ = try stage.roomThatTalks()
        var json = try JSON.decode(JSONValue.self, from: JSON.encode(stage.state))
        json["circle"] = nil
        guard case .array(var rooms) = json["rooms"] else { throw Missing() }
        var live = try #require(rooms[0]["live"])
        live["refusals"] = nil
        rooms[0]["live"] = live
        json["rooms"] = .array(rooms)
        #expect(try JSON.decode(AppState.self, from: JSON.encode(json)) == stage.state)
    }

    private struct Missing: Error {}

    @Test func everythingOfAMemberSurvives() throws {
        var stage = try Stage()
        let room = try stage.memberWhoWasMet()
        let before = try #require(stage.state.rooms[room])
        try stage.restart(active: false)
        let after = try #require(stage.state.rooms[room])
        #expect(after.identity == before.identity && after.metAt == before.metAt && after.lastSeen == before.lastSeen)
        #expect(after.trustGiven == before.trustGiven && after.isMember)
    }

    @Test func aTombstoneUnderAForeignKeyIsNotTaken() throws {
        var stage = try Stage()
        let room = try stage.member()
        try stage.circle(.revokeTrust(room: room, reason: nil))
        let json = try #require(stage.disk["tombstone/\(room)"])
        try stage.event(.started(locked: false, records: [Record(key: .tombstone("other"), json: json)]))
        #expect(stage.outcome.unreadable == [.tombstone("other")])
        #expect(stage.state.circle.tombstones.isEmpty)
    }

    @Test func aFullCircleTrustsNobodyNew() throws {
        var stage = try Stage()
        stage.keepsStates = false
        let tombstones = (0..<CircleLimits.tombstones).map { number in
            Record(
                key: .tombstone(RoomID("r\(number)")),
                json: #"{"by":"own","id":"r\#(number)","name":"","revoked_at":1}"#)
        }
        try stage.event(.started(locked: false, records: tombstones))
        try stage.app(.becameActive)
        #expect(stage.state.circle.tombstones.count == CircleLimits.tombstones)
        let room = try stage.roomThatKnows()
        try stage.circle(.trustPeer(room: room, name: nil))
        try stage.receive(room, "t", .trust)
        #expect(stage.state.rooms[room]?.trustGiven == nil && stage.state.rooms[room]?.trustReceived == nil)
        #expect(stage.text.contains("10000 ended trusts"))
    }
}
