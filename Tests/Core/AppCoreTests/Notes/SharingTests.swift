import AppCore
import Testing

/// Notes that the two people of a room edit together.
@Suite struct SharingTests {
    /// A room in which both can talk, with notes open.
    private func roomWithNotes(_ outcome: Verification = .verified) throws -> (TestDriver, RoomID) {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks(outcome)
        try driver.listNotes()
        return (driver, room)
    }

    private func lines(_ driver: TestDriver, _ room: RoomID) -> [SharedNoteLine] {
        driver.state.rooms[room]?.messages.all.compactMap { message in
            if case .noteShared(let line) = message.body { line } else { nil }
        } ?? []
    }

    @Test(arguments: [Verification.verified, .unverified]) func aSharedNoteGoesLive(outcome: Verification) throws {
        var (driver, room) = try roomWithNotes(outcome)
        try driver.notes(.shareNote(room: room, note: "groceries"))
        #expect(driver.effects == [.shareNote(room: room, note: "groceries")])
        #expect(driver.disk["room/\(room)"]?.contains("groceries") == true)
        #expect(lines(driver, room).map(\.title) == ["Groceries"])
        try driver.notes(.shareNote(room: room, note: "groceries"))
        #expect(driver.effects.isEmpty)
        try driver.event(.noteSharingChanged(room: room, note: "groceries", state: .live))
        try driver.notes(.openNote(note: "groceries"))
        #expect(driver.text.contains("Edited together with Ann"))
        try driver.event(.noteSharingChanged(room: room, note: "groceries", state: .stopped))
        #expect(driver.text.contains("Ann shares it no longer"))
    }

    @Test func itGoesLiveAgainWithEveryLink() throws {
        var (driver, room) = try roomWithNotes()
        try driver.notes(.shareNote(room: room, note: "groceries"))
        let link = try driver.waiting(\.isLink)
        // A link that is mended keeps what goes over it.
        try driver.event(.linkChanged(effect: link, link: .reconnecting, path: nil))
        try driver.event(.linkChanged(effect: link, link: .connected, path: .direct))
        #expect(!driver.asked(\.isSharing))
        try driver.event(.linkChanged(effect: link, link: .waitingForPeer, path: nil))
        #expect(!driver.open.contains { $0.kind.isSharing })
        try driver.connect()
        #expect(driver.asked(\.isSharing))
        try driver.restart()
        #expect(!driver.open.contains { $0.kind.isSharing })
        try driver.connect()
        #expect(driver.asked(\.isSharing))
        #expect(lines(driver, room).count == 1)
    }

    @Test func nothingIsSharedBeforeItIsKnownWhoIsThere() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatConnects()
        try driver.listNotes()
        try driver.notes(.shareNote(room: room, note: "groceries"))
        #expect(driver.effects.isEmpty)
        #expect(driver.state.rooms[room]?.sharedNotes.own == ["groceries"])
        let link = try driver.waiting(\.isLink)
        try driver.event(.linkChanged(effect: link, link: .connected, path: .direct))
        #expect(!driver.asked(\.isSharing))
        try driver.event(.noteOffered(room: room, note: "letter", title: "Letter", adopted: true))
        #expect(driver.effects.isEmpty)
        try driver.event(.verificationChanged(effect: link, outcome: .verified, safetyNumber: nil))
        #expect(driver.asked(\.isSharing))
    }

    @Test func aNoteThatIsNewHereIsLiveAtOnce() throws {
        var (driver, room) = try roomWithNotes()
        for _ in 0..<3 {
            try driver.event(.noteOffered(room: room, note: "letter", title: "A\nletter", adopted: true))
        }
        #expect(driver.open.count(where: { $0.kind.isSharing }) == 1)
        let line = try #require(lines(driver, room).first)
        #expect(lines(driver, room).count == 1)
        #expect((line.note, line.title) == ("letter", "Aletter"))
        #expect((line.by, line.outcome) == (.peer, .adopted))
    }

    @Test func aNoteThatIsHereTooWaitsForThisPerson() throws {
        var (driver, room) = try roomWithNotes()
        for _ in 0..<3 {
            try driver.event(.noteOffered(room: room, note: "groceries", title: "Groceries", adopted: false))
            #expect(!driver.asked(\.isSharing))
        }
        #expect(lines(driver, room).map(\.outcome) == [.offered])
        try driver.connect()
        #expect(!driver.asked(\.isSharing))
        try driver.notes(.openNote(note: "groceries"))
        try driver.tap("note.offer.\(room).accept")
        #expect(driver.asked(\.isSharing))
        #expect(driver.state.rooms[room]?.sharedNotes.offered.isEmpty == true)
    }

    @Test func anOfferCanBeTakenBack() throws {
        var (driver, room) = try roomWithNotes()
        try driver.event(.noteOffered(room: room, note: "groceries", title: "Groceries", adopted: false))
        try driver.event(.noteSharingChanged(room: room, note: "groceries", state: .stopped))
        #expect(driver.state.rooms[room]?.sharedNotes == SharedNotes())
        #expect(driver.disk["room/\(room)"]?.contains("groceries") == false)
    }

    @Test func stoppingIsTold() throws {
        var (driver, room) = try roomWithNotes()
        try driver.notes(.shareNote(room: room, note: "groceries"))
        let effect = try driver.waiting(\.isSharing)
        try driver.notes(.stopSharingNote(room: room, note: "groceries"))
        #expect(driver.effects == [.stopSharingNote(room: room, note: "groceries")])
        try driver.event(.effectDone(effect: effect))
        #expect(driver.state.rooms[room]?.sharedNotes == SharedNotes())
        // The other person still shares it: that is an offer like any other.
        try driver.event(.noteOffered(room: room, note: "groceries", title: "Groceries", adopted: false))
        #expect(driver.state.rooms[room]?.sharedNotes.offered == ["groceries"])
    }

    @Test func aNoteThatIsGoneIsSharedNoLonger() throws {
        var (driver, room) = try roomWithNotes()
        try driver.notes(.shareNote(room: room, note: "groceries"))
        try driver.changeNotes(removed: ["groceries"])
        #expect(driver.asked { $0 == .stopSharingNote(room: room, note: "groceries") })
        #expect(driver.state.rooms[room]?.sharedNotes == SharedNotes())
        try driver.notes(.shareNote(room: room, note: "plans"))
        try driver.fail(try driver.waiting(\.isSharing), Failure(.noteUnknown))
        #expect(driver.state.rooms[room]?.sharedNotes == SharedNotes())
    }

    @Test func aPeerThatCannotIsNamed() throws {
        var (driver, room) = try roomWithNotes()
        try driver.notes(.shareNote(room: room, note: "groceries"))
        try driver.fail(try driver.waiting(\.isSharing), Failure(.peerTooOld))
        #expect(driver.text.contains("Ask them to update it"))
        #expect(driver.state.rooms[room]?.sharedNotes.own == ["groceries"])
        // Asked for once more, it is tried once more.
        try driver.notes(.shareNote(room: room, note: "groceries"))
        #expect(driver.asked(\.isSharing))
        #expect(lines(driver, room).count == 1)
    }

    @Test func theEndOfTheRoomIsTheEndOfSharing() throws {
        var (driver, room) = try roomWithNotes()
        try driver.notes(.shareNote(room: room, note: "groceries"))
        try driver.event(.noteOffered(room: room, note: "plans", title: "Plans", adopted: false))
        try driver.event(.peerLeft(room: room, forever: true))
        #expect(driver.state.rooms[room]?.sharedNotes == SharedNotes())
        #expect(driver.state.rooms[room]?.live.shares == NoteShares())
        #expect(!driver.open.contains { $0.kind.isSharing })
        try driver.notes(.shareNote(room: room, note: "groceries"))
        #expect(driver.effects.isEmpty)
    }

    @Test func theEndOfTrustIsTheEndOfSharing() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.listNotes()
        try driver.notes(.shareNote(room: room, note: "groceries"))
        try driver.circle(.revokeTrust(room: room, reason: nil))
        #expect(driver.state.rooms[room]?.sharedNotes == SharedNotes())
        #expect(!driver.open.contains { $0.kind.isSharing })
    }

    @Test func thereIsAnEndToWhatIsShared() throws {
        var (driver, room) = try roomWithNotes()
        driver.keepsStates = false
        for number in 0..<300 {
            try driver.event(
                .noteOffered(room: room, note: NoteID("n\(number)"), title: "", adopted: number % 2 == 0))
        }
        let shared = try #require(driver.state.rooms[room]?.sharedNotes)
        #expect(shared.own.count + shared.offered.count == NotebookLimits.sharedNotes)
    }

    @Test func olderRecordsOfRoomsShareNothing() throws {
        var (driver, room) = try roomWithNotes()
        try driver.notes(.shareNote(room: room, note: "groceries"))
        let record = try #require(driver.disk["room/\(room)"])
        var json = try JSON.decode(JSONValue.self, from: record.utf8)
        json["shared_notes"] = nil
        let older = try JSON.decode(Room.self, from: JSON.encode(json))
        #expect(older.sharedNotes == SharedNotes())
    }
}
