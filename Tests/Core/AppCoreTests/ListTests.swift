import AppCore
import Catalogues
import Testing

/// The list of rooms: names, pins, sections, deleting.
@Suite struct ListTests {
    @Test func oneNameEverywhere() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatWaits()
        try driver.rooms(.renameRoom(room: room, name: "  Dr.\u{202E} Otter \n"))
        #expect(driver.tree.find("chat.title")?.label.english == "Dr. Otter")
        try driver.app(.back)
        #expect(driver.tree.find("room.\(room)")?.label.english == "Dr. Otter")
        try driver.app(.navigate(to: Screen(.identities)))
        let identity = try #require(driver.tree.find("identity.\(room)"))
        #expect(identity.label.english == "Dr. Otter")
        #expect(identity.value == .text(try #require(driver.state.rooms[room]).device.text))
    }

    @Test func aRoomWithoutANameIsCalledByItsCode() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatWaits()
        try driver.rooms(.renameRoom(room: room, name: " "))
        #expect(driver.state.rooms[room]?.title == "Room 482913")
    }

    @Test func namesAreBounded() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatWaits()
        try driver.rooms(.renameRoom(room: room, name: String(repeating: "x", count: 10_000)))
        #expect(driver.state.rooms[room]?.name.count == RoomLimits.nameCharacters)
    }

    @Test func pinsKeepTheirOrder() throws {
        var driver = try TestDriver()
        let rooms = try (0..<4).map { _ in try driver.roomThatWaits() }
        for room in rooms.prefix(3) { try driver.rooms(.pinRoom(room: room, pinned: true)) }
        try driver.rooms(.movePin(room: rooms[2], to: 0))
        try driver.app(.back)
        #expect(driver.roomsIn("rooms.pinned") == [rooms[2], rooms[0], rooms[1]])
        #expect(driver.roomsIn("rooms.pending") == [rooms[3]])
        try driver.rooms(.pinRoom(room: rooms[0], pinned: false))
        #expect(driver.roomsIn("rooms.pinned") == [rooms[2], rooms[1]])
        #expect(driver.state.rooms[rooms[1]]?.pin == 1)
        try driver.restart()
        #expect(driver.roomsIn("rooms.pinned") == [rooms[2], rooms[1]])
    }

    @Test(arguments: [Int.min, -1, 0, 1, 99, .max]) func movingAPinAnywhereIsHarmless(place: Int) throws {
        var driver = try TestDriver()
        let room = try driver.roomThatWaits()
        try driver.rooms(.pinRoom(room: room, pinned: true))
        try driver.rooms(.movePin(room: room, to: place))
        #expect(driver.state.rooms[room]?.pin == 0)
    }

    @Test func sectionsFollowTheStateAndTheNewestIsFirst() throws {
        var driver = try TestDriver()
        let expired = try driver.roomThatWaits(expiresIn: 60)
        try driver.pass(seconds: 61)
        try driver.fail(try driver.waiting(\.isCheck), Failure(.codeExpired))
        let first = try driver.roomThatTalks()
        let second = try driver.roomThatConnects()
        try driver.receive(first, "m1", .text("hello"))
        let pending = try driver.roomThatWaits()
        try driver.app(.back)
        #expect(driver.roomsIn("rooms.closed") == [expired])
        #expect(driver.roomsIn("rooms.active") == [first, second])
        #expect(driver.roomsIn("rooms.pending") == [pending])
    }

    @Test func deletingForgetsHereAndPurgesThere() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "m1", .text("hello"))
        try driver.chat(.sendText(room: room, text: "unsent"))
        let address = try #require(driver.state.rooms[room]?.address)
        try driver.rooms(.deleteRoom(room: room))
        #expect(driver.effects.contains(.deleteRooms(rooms: [address])))
        #expect(driver.effects.contains(.forgetSecrets(secrets: ["words-1"])))
        #expect(driver.state.rooms.isEmpty)
        #expect(driver.state.views.main.screen == Screen(.rooms))
        #expect(!driver.disk.keys.contains { $0.hasPrefix("room/") || $0.hasPrefix("message/") })
    }

    @Test func aPurgeThatCannotReachTheServerIsNotForgotten() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatWaits()
        try driver.rooms(.deleteRoom(room: room))
        let purge = try driver.waiting { if case .deleteRooms = $0 { true } else { false } }
        try driver.fail(purge, Failure(.serverUnreachable, retryable: true))
        try driver.restart(active: false)
        #expect(driver.outcome.effects.contains { $0.id == purge })
        try driver.event(.effectDone(effect: purge))
        #expect(driver.disk["effect/\(purge.number)"] == nil)
    }

    @Test func closedRoomsAreClearedInOneGo() throws {
        var driver = try TestDriver()
        let open = try driver.roomThatTalks()
        for _ in 0..<2 {
            _ = try driver.roomThatConnects()
            try driver.fail(try driver.waiting(\.isLink), Failure(.roomGone))
        }
        try driver.app(.back)
        try driver.dispatch(try #require(driver.tree.find("rooms.clear")?.offers.first).action)
        #expect(driver.state.rooms.map(\.id) == [open])
        let purges = driver.effects.filter { if case .deleteRooms(let rooms) = $0 { rooms.count == 2 } else { false } }
        #expect(purges.count == 1)
        #expect(driver.tree.find("rooms.clear") == nil)
    }

    @Test func erasingLeavesNothing() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "m1", .text("hello"))
        try driver.app(.setServer(url: "https://example.org"))
        let address = try #require(driver.state.rooms[room]?.address)
        try driver.app(.eraseAll)
        #expect(driver.effects == [.eraseAll(rooms: [address])])
        try driver.event(.effectDone(effect: try driver.waiting { if case .eraseAll = $0 { true } else { false } }))
        #expect(driver.disk.keys.allSatisfy { $0 == "counters" || $0 == "settings" })
        #expect(driver.state.settings == Settings())
        #expect(driver.state.rooms.isEmpty)
        #expect(driver.text.contains("Everything is erased."))
    }

    @Test func theNumberOfRoomsIsBounded() throws {
        var driver = try TestDriver()
        driver.keepsStates = false
        for _ in 0...RoomLimits.rooms { try driver.rooms(.createRoom(name: nil, expiresIn: 300)) }
        #expect(driver.state.rooms.count == RoomLimits.rooms)
        #expect(driver.text.contains("Delete one"))
    }
}

extension TestDriver {
    func roomsIn(_ section: String) -> [RoomID] {
        (tree.find(section)?.children ?? []).map { RoomID(String($0.id.dropFirst("room.".count))) }
    }

    /// Time goes by without anybody noticing.
    mutating func sleep(seconds: Int64) { now = now.advanced(bySeconds: seconds) }
}
