import AppCore
import Testing

/// The list of rooms: names, pins, sections, deleting.
@Suite struct ListTests {
    @Test func oneNameEverywhere() throws {
        var stage = try Stage()
        let room = try stage.roomThatWaits()
        try stage.rooms(.renameRoom(room: room, name: "  Dr.\u{202E} Otter \n"))
        #expect(stage.tree.find("chat.title")?.label == "Dr. Otter")
        try stage.app(.back)
        #expect(stage.tree.find("room.\(room)")?.label == "Dr. Otter")
        try stage.app(.navigate(to: Screen(.identities)))
        let identity = try #require(stage.tree.find("identity.\(room)"))
        #expect(identity.label == "Dr. Otter")
        #expect(identity.value == .text(try #require(stage.state.rooms[room]).device.text))
    }

    @Test func aRoomWithoutANameIsCalledByItsCode() throws {
        var stage = try Stage()
        let room = try stage.roomThatWaits()
        try stage.rooms(.renameRoom(room: room, name: " "))
        #expect(stage.state.rooms[room]?.title == "Room 482913")
    }

    @Test func namesAreBounded() throws {
        var stage = try Stage()
        let room = try stage.roomThatWaits()
        try stage.rooms(.renameRoom(room: room, name: String(repeating: "x", count: 10_000)))
        #expect(stage.state.rooms[room]?.name.count == RoomLimits.nameCharacters)
    }

    @Test func pinsKeepTheirOrder() throws {
        var stage = try Stage()
        let rooms = try (0..<4).map { _ in try stage.roomThatWaits() }
        for room in rooms.prefix(3) { try stage.rooms(.pinRoom(room: room, pinned: true)) }
        try stage.rooms(.movePin(room: rooms[2], to: 0))
        try stage.app(.back)
        #expect(stage.roomsIn("rooms.pinned") == [rooms[2], rooms[0], rooms[1]])
        #expect(stage.roomsIn("rooms.pending") == [rooms[3]])
        try stage.rooms(.pinRoom(room: rooms[0], pinned: false))
        #expect(stage.roomsIn("rooms.pinned") == [rooms[2], rooms[1]])
        #expect(stage.state.rooms[rooms[1]]?.pin == 1)
        try stage.restart()
        #expect(stage.roomsIn("rooms.pinned") == [rooms[2], rooms[1]])
    }

    @Test(arguments: [Int.min, -1, 0, 1, 99, .max]) func movingAPinAnywhereIsHarmless(place: Int) throws {
        var stage = try Stage()
        let room = try stage.roomThatWaits()
        try stage.rooms(.pinRoom(room: room, pinned: true))
        try stage.rooms(.movePin(room: room, to: place))
        #expect(stage.state.rooms[room]?.pin == 0)
    }

    @Test func sectionsFollowTheStateAndTheNewestIsFirst() throws {
        var stage = try Stage()
        let expired = try stage.roomThatWaits(expiresIn: 60)
        try stage.pass(seconds: 61)
        try stage.fail(try stage.waiting(\.isCheck), Failure(.codeExpired))
        let first = try stage.roomThatTalks()
        let second = try stage.roomThatConnects()
        try stage.receive(first, "m1", .text("hello"))
        let pending = try stage.roomThatWaits()
        try stage.app(.back)
        #expect(stage.roomsIn("rooms.closed") == [expired])
        #expect(stage.roomsIn("rooms.active") == [first, second])
        #expect(stage.roomsIn("rooms.pending") == [pending])
    }

    @Test func deletingForgetsHereAndPurgesThere() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "m1", .text("hello"))
        try stage.chat(.sendText(room: room, text: "unsent"))
        let address = try #require(stage.state.rooms[room]?.address)
        try stage.rooms(.deleteRoom(room: room))
        #expect(stage.effects.contains(.deleteRooms(rooms: [address])))
        #expect(stage.effects.contains(.forgetSecrets(secrets: ["words-1"])))
        #expect(stage.state.rooms.isEmpty)
        #expect(stage.state.screen == Screen(.rooms))
        #expect(!stage.disk.keys.contains { $0.hasPrefix("room/") || $0.hasPrefix("message/") })
    }

    @Test func aPurgeThatCannotReachTheServerIsNotForgotten() throws {
        var stage = try Stage()
        let room = try stage.roomThatWaits()
        try stage.rooms(.deleteRoom(room: room))
        let purge = try stage.waiting { if case .deleteRooms = $0 { true } else { false } }
        try stage.fail(purge, Failure(.serverUnreachable, retryable: true))
        try stage.restart(active: false)
        #expect(stage.outcome.effects.contains { $0.id == purge })
        try stage.event(.effectDone(effect: purge))
        #expect(stage.disk["effect/\(purge.number)"] == nil)
    }

    @Test func closedRoomsAreClearedInOneGo() throws {
        var stage = try Stage()
        let open = try stage.roomThatTalks()
        for _ in 0..<2 {
            _ = try stage.roomThatConnects()
            try stage.fail(try stage.waiting(\.isLink), Failure(.roomGone))
        }
        try stage.app(.back)
        try stage.dispatch(try #require(stage.tree.find("rooms.clear")?.offers.first).action)
        #expect(stage.state.rooms.map(\.id) == [open])
        let purges = stage.effects.filter { if case .deleteRooms(let rooms) = $0 { rooms.count == 2 } else { false } }
        #expect(purges.count == 1)
        #expect(stage.tree.find("rooms.clear") == nil)
    }

    @Test func erasingLeavesNothing() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "m1", .text("hello"))
        try stage.app(.setServer(url: "https://example.org"))
        let address = try #require(stage.state.rooms[room]?.address)
        try stage.app(.eraseAll)
        #expect(stage.effects == [.eraseAll(rooms: [address])])
        try stage.event(.effectDone(effect: try stage.waiting { if case .eraseAll = $0 { true } else { false } }))
        #expect(stage.disk.keys.allSatisfy { $0 == "counters" || $0 == "settings" })
        #expect(stage.state.settings == Settings())
        #expect(stage.state.rooms.isEmpty)
        #expect(stage.text.contains("Everything is erased."))
    }

    @Test func theNumberOfRoomsIsBounded() throws {
        var stage = try Stage()
        stage.keepsStates = false
        for _ in 0...RoomLimits.rooms { try stage.rooms(.createRoom(name: nil, expiresIn: 300)) }
        #expect(stage.state.rooms.count == RoomLimits.rooms)
        #expect(stage.text.contains("Delete one"))
    }
}

extension Stage {
    func roomsIn(_ section: String) -> [RoomID] {
        (tree.find(section)?.children ?? []).map { RoomID(String($0.id.dropFirst("room.".count))) }
    }

    /// Time goes by without anybody noticing.
    mutating func sleep(seconds: Int64) { now = now.advanced(bySeconds: seconds) }
}
