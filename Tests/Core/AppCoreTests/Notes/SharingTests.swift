import AppCore
import Testing

/// Notes that the two people of a room edit together.
@Suite struct SharingTests {
    /// A room in which both can talk, with notes open.
    private func roomWithNotes(_ outcome: Verification = .verified) throws -> (Stage, RoomID) {
        var stage = try Stage()
        let room = try stage.roomThatTalks(outcome)
        try stage.listNotes()
        return (stage, room)
    }

    private func lines(_ stage: Stage, _ room: RoomID) -> [SharedNoteLine] {
        stage.state.rooms[room]?.messages.all.compactMap { message in
            if case .noteShared(let line) = message.body { line } else { nil }
        } ?? []
    }

    @Test(arguments: [Verification.verified, .unverified]) func aSharedNoteGoesLive(outcome: Verification) throws {
        var (stage, room) = try roomWithNotes(outcome)
        try stage.notes(.shareNote(room: room, note: "groceries"))
        #expect(stage.effects == [.shareNote(room: room, note: "groceries")])
        #expect(stage.disk["room/\(room)"]?.contains("groceries") == true)
        #expect(lines(stage, room).map(\.title) == ["Groceries"])
        try stage.notes(.shareNote(room: room, note: "groceries"))
        #expect(stage.effects.isEmpty)
        try stage.event(.noteSharingChanged(room: room, note: "groceries", state: .live))
        try stage.notes(.openNote(note: "groceries"))
        #expect(stage.text.contains("Edited together with Ann"))
        try stage.event(.noteSharingChanged(room: room, note: "groceries", state: .stopped))
        #expect(stage.text.contains("Ann shares it no longer"))
    }

    @Test func itGoesLiveAgainWithEveryLink() throws {
        var (stage, room) = try roomWithNotes()
        try stage.notes(.shareNote(room: room, note: "groceries"))
        let link = try stage.waiting(\.isLink)
        // A link that is mended keeps what goes over it.
        try stage.event(.linkChanged(effect: link, link: .reconnecting, path: nil))
        try stage.event(.linkChanged(effect: link, link: .connected, path: .direct))
        #expect(!stage.asked(\.isSharing))
        try stage.event(.linkChanged(effect: link, link: .waitingForPeer, path: nil))
        #expect(!stage.open.contains { $0.kind.isSharing })
        try stage.connect()
        #expect(stage.asked(\.isSharing))
        try stage.restart()
        #expect(!stage.open.contains { $0.kind.isSharing })
        try stage.connect()
        #expect(stage.asked(\.isSharing))
        #expect(lines(stage, room).count == 1)
    }

    @Test func nothingIsSharedBeforeItIsKnownWhoIsThere() throws {
        var stage = try Stage()
        let room = try stage.roomThatConnects()
        try stage.listNotes()
        try stage.notes(.shareNote(room: room, note: "groceries"))
        #expect(stage.effects.isEmpty)
        #expect(stage.state.rooms[room]?.sharedNotes.own == ["groceries"])
        let link = try stage.waiting(\.isLink)
        try stage.event(.linkChanged(effect: link, link: .connected, path: .direct))
        #expect(!stage.asked(\.isSharing))
        try stage.event(.noteOffered(room: room, note: "letter", title: "Letter", adopted: true))
        #expect(stage.effects.isEmpty)
        try stage.event(.verificationChanged(effect: link, outcome: .verified, safetyNumber: nil))
        #expect(stage.asked(\.isSharing))
    }

    @Test func aNoteThatIsNewHereIsLiveAtOnce() throws {
        var (stage, room) = try roomWithNotes()
        for _ in 0..<3 {
            try stage.event(.noteOffered(room: room, note: "letter", title: "A\nletter", adopted: true))
        }
        #expect(stage.open.count(where: { $0.kind.isSharing }) == 1)
        let line = try #require(lines(stage, room).first)
        #expect(lines(stage, room).count == 1)
        #expect((line.note, line.title) == ("letter", "Aletter"))
        #expect((line.by, line.outcome) == (.peer, .adopted))
    }

    @Test func aNoteThatIsHereTooWaitsForThisPerson() throws {
        var (stage, room) = try roomWithNotes()
        for _ in 0..<3 {
            try stage.event(.noteOffered(room: room, note: "groceries", title: "Groceries", adopted: false))
            #expect(!stage.asked(\.isSharing))
        }
        #expect(lines(stage, room).map(\.outcome) == [.offered])
        try stage.connect()
        #expect(!stage.asked(\.isSharing))
        try stage.notes(.openNote(note: "groceries"))
        try stage.tap("note.offer.\(room).accept")
        #expect(stage.asked(\.isSharing))
        #expect(stage.state.rooms[room]?.sharedNotes.offered.isEmpty == true)
    }

    @Test func anOfferCanBeTakenBack() throws {
        var (stage, room) = try roomWithNotes()
        try stage.event(.noteOffered(room: room, note: "groceries", title: "Groceries", adopted: false))
        try stage.event(.noteSharingChanged(room: room, note: "groceries", state: .stopped))
        #expect(stage.state.rooms[room]?.sharedNotes == SharedNotes())
        #expect(stage.disk["room/\(room)"]?.contains("groceries") == false)
    }

    @Test func stoppingIsTold() throws {
        var (stage, room) = try roomWithNotes()
        try stage.notes(.shareNote(room: room, note: "groceries"))
        let effect = try stage.waiting(\.isSharing)
        try stage.notes(.stopSharingNote(room: room, note: "groceries"))
        #expect(stage.effects == [.stopSharingNote(room: room, note: "groceries")])
        try stage.event(.effectDone(effect: effect))
        #expect(stage.state.rooms[room]?.sharedNotes == SharedNotes())
        // The other person still shares it: that is an offer like any other.
        try stage.event(.noteOffered(room: room, note: "groceries", title: "Groceries", adopted: false))
        #expect(stage.state.rooms[room]?.sharedNotes.offered == ["groceries"])
    }

    @Test func aNoteThatIsGoneIsSharedNoLonger() throws {
        var (stage, room) = try roomWithNotes()
        try stage.notes(.shareNote(room: room, note: "groceries"))
        try stage.changeNotes(removed: ["groceries"])
        #expect(stage.asked { $0 == .stopSharingNote(room: room, note: "groceries") })
        #expect(stage.state.rooms[room]?.sharedNotes == SharedNotes())
        try stage.notes(.shareNote(room: room, note: "plans"))
        try stage.fail(try stage.waiting(\.isSharing), Failure(.noteUnknown))
        #expect(stage.state.rooms[room]?.sharedNotes == SharedNotes())
    }

    @Test func aPeerThatCannotIsNamed() throws {
        var (stage, room) = try roomWithNotes()
        try stage.notes(.shareNote(room: room, note: "groceries"))
        try stage.fail(try stage.waiting(\.isSharing), Failure(.peerTooOld))
        #expect(stage.text.contains("Ask them to update it"))
        #expect(stage.state.rooms[room]?.sharedNotes.own == ["groceries"])
        // Asked for once more, it is tried once more.
        try stage.notes(.shareNote(room: room, note: "groceries"))
        #expect(stage.asked(\.isSharing))
        #expect(lines(stage, room).count == 1)
    }

    @Test func theEndOfTheRoomIsTheEndOfSharing() throws {
        var (stage, room) = try roomWithNotes()
        try stage.notes(.shareNote(room: room, note: "groceries"))
        try stage.event(.noteOffered(room: room, note: "plans", title: "Plans", adopted: false))
        try stage.event(.peerLeft(room: room, forever: true))
        #expect(stage.state.rooms[room]?.sharedNotes == SharedNotes())
        #expect(stage.state.rooms[room]?.live.shares == NoteShares())
        #expect(!stage.open.contains { $0.kind.isSharing })
        try stage.notes(.shareNote(room: room, note: "groceries"))
        #expect(stage.effects.isEmpty)
    }

    @Test func theEndOfTrustIsTheEndOfSharing() throws {
        var stage = try Stage()
        let room = try stage.member()
        try stage.listNotes()
        try stage.notes(.shareNote(room: room, note: "groceries"))
        try stage.circle(.revokeTrust(room: room, reason: nil))
        #expect(stage.state.rooms[room]?.sharedNotes == SharedNotes())
        #expect(!stage.open.contains { $0.kind.isSharing })
    }

    @Test func thereIsAnEndToWhatIsShared() throws {
        var (stage, room) = try roomWithNotes()
        stage.keepsStates = false
        for number in 0..<300 {
            try stage.event(
                .noteOffered(room: room, note: NoteID("n\(number)"), title: "", adopted: number % 2 == 0))
        }
        let shared = try #require(stage.state.rooms[room]?.sharedNotes)
        #expect(shared.own.count + shared.offered.count == NotebookLimits.sharedNotes)
    }

    @Test func olderRecordsOfRoomsShareNothing() throws {
        var (stage, room) = try roomWithNotes()
        try stage.notes(.shareNote(room: room, note: "groceries"))
        let record = try #require(stage.disk["room/\(room)"])
        var json = try JSON.decode(JSONValue.self, from: record.utf8)
        json["shared_notes"] = nil
        let older = try JSON.decode(Room.self, from: JSON.encode(json))
        #expect(older.sharedNotes == SharedNotes())
    }
}
