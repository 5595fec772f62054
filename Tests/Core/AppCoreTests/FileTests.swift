import AppCore
import Testing

@Suite struct FileTests {
    private static let photo = FileOffer(name: "photo.jpg", bytes: 1000)

    @Test func aFileIsOfferedAcceptedAndArrives() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "f1", .file(Self.photo))
        try stage.dispatch(try #require(stage.tree.find("message.f1.accept")?.offers.first).action)
        #expect(stage.effects == [.acceptFile(room: room, message: "f1")])
        try stage.event(.fileProgress(room: room, message: "f1", bytes: 400))
        #expect(stage.tree.find("message.f1")?.value == .progress(done: 400, total: 1000))
        try stage.event(.fileFinished(room: room, message: "f1", path: "downloads/photo.jpg"))
        #expect(stage.state.rooms[room]?.messages["f1"]?.transfer?.path == "downloads/photo.jpg")
        #expect(stage.tree.find("message.f1")?.detail == "Received")
    }

    @Test func theSenderSeesWhatBecomesOfTheOffer() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.chat(.sendFile(room: room, name: "photo.jpg", bytes: 1000, handle: "/home/ann/photo.jpg", media: nil))
        let file = try #require(stage.state.rooms[room]?.messages.last).id
        try stage.event(.acknowledged(effect: try stage.waiting(\.isDelivery)))
        try stage.event(.fileProgress(room: room, message: file, bytes: 1))
        #expect(stage.state.rooms[room]?.messages[file]?.transfer?.state == .running)
        try stage.event(.fileFinished(room: room, message: file, path: nil))
        #expect(stage.tree.find("message.\(file)")?.detail == "The other person has the file")
    }

    @Test func aFileIsReadBeforeItIsOffered() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.chat(.sendFile(room: room, name: "film.mkv", bytes: 1000, handle: "/film.mkv", media: nil))
        let file = try #require(stage.state.rooms[room]?.messages.last).id
        try stage.event(.fileRead(room: room, message: file, bytes: 400))
        #expect(stage.tree.find("message.\(file)")?.value == .progress(done: 400, total: 1000))
        #expect(stage.tree.find("message.\(file)")?.detail == "Reading the file")
        #expect(stage.tree.find("message.\(file).cancel")?.isEnabled == true)
        try stage.event(.fileRead(room: room, message: file, bytes: 5000))
        #expect(stage.tree.find("message.\(file)")?.value != .progress(done: 5000, total: 1000))
        try stage.event(.acknowledged(effect: try stage.waiting(\.isDelivery)))
        #expect(stage.tree.find("message.\(file)")?.detail == "Delivered")
        try stage.event(.fileRead(room: room, message: file, bytes: 1))
        #expect(stage.tree.find("message.\(file)")?.detail == "Delivered")
    }

    @Test func eitherSideCanSayNo() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "f1", .file(Self.photo))
        try stage.chat(.declineFile(room: room, message: "f1"))
        #expect(stage.effects == [.declineFile(room: room, message: "f1")])
        try stage.event(.fileFinished(room: room, message: "f1", path: "x"))
        #expect(stage.state.rooms[room]?.messages["f1"]?.transfer?.state == .declined)

        try stage.chat(.sendFile(room: room, name: "a", bytes: 1, handle: "h", media: nil))
        let file = try #require(stage.state.rooms[room]?.messages.last).id
        try stage.event(.fileFailed(room: room, message: file, failure: Failure(.fileDeclined)))
        #expect(stage.tree.find("message.\(file)")?.detail == "Declined")
    }

    @Test func aTransferCanBeCancelledAndTakenUpAgain() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "f1", .file(Self.photo))
        try stage.chat(.acceptFile(room: room, message: "f1"))
        try stage.chat(.cancelFile(room: room, message: "f1"))
        #expect(stage.effects == [.cancelFile(room: room, message: "f1")])
        try stage.chat(.acceptFile(room: room, message: "f1"))
        #expect(stage.effects == [.acceptFile(room: room, message: "f1")])
    }

    @Test func anAnswerThatNobodyHeardIsGivenAfterARestart() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        for (file, sequence) in [("f1", 1), ("f2", 2)] as [(MessageID, UInt64)] {
            try stage.receive(room, file, .file(Self.photo), sequence: sequence)
        }
        try stage.chat(.declineFile(room: room, message: "f1"))
        try stage.chat(.acceptFile(room: room, message: "f2"))
        try stage.chat(.cancelFile(room: room, message: "f2"))
        let cancel = try stage.waiting { $0 == .cancelFile(room: room, message: "f2") }
        try stage.fail(cancel, Failure(.storageFailed, retryable: true))
        try stage.restart(active: false)
        let answers: [Effect.Kind] = [.declineFile(room: room, message: "f1"), .cancelFile(room: room, message: "f2")]
        #expect(stage.effects == answers)
        for answer in answers { try stage.event(.effectDone(effect: try stage.waiting { $0 == answer })) }
        try stage.restart(active: false)
        #expect(stage.effects.isEmpty)
    }

    @Test func anOfferThatIsTakenBackIsNotOfferedAnyMore() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "f1", .file(Self.photo))
        try stage.event(.fileFailed(room: room, message: "f1", failure: Failure(.fileCancelled)))
        #expect(stage.state.rooms[room]?.messages["f1"]?.transfer?.state == .cancelled)
    }

    @Test func aMessageThatExpiresAnswersForItsFile() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "p1", .lifetimeProposal(.oneHour))
        try stage.chat(.answerLifetime(room: room, accept: true))
        for (file, sequence) in [("f1", 2), ("f2", 3)] as [(MessageID, UInt64)] {
            try stage.receive(room, file, .file(Self.photo), sequence: sequence)
        }
        try stage.chat(.acceptFile(room: room, message: "f2"))
        try stage.pass(seconds: 3601)
        #expect(stage.effects.contains(.declineFile(room: room, message: "f1")))
        #expect(stage.effects.contains(.cancelFile(room: room, message: "f2")))
    }

    @Test func nothingMovesAnyMoreInARoomThatIsOver() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.chat(.sendFile(room: room, name: "photo.jpg", bytes: 1000, handle: "h", media: nil))
        let file = try #require(stage.state.rooms[room]?.messages.last).id
        try stage.event(.acknowledged(effect: try stage.waiting(\.isDelivery)))
        try stage.receive(room, "f1", .file(Self.photo))
        try stage.chat(.acceptFile(room: room, message: "f1"))
        try stage.event(.peerLeft(room: room, forever: true))
        for id in [file, "f1"] { #expect(stage.state.rooms[room]?.messages[id]?.transfer?.state == .failed) }
        #expect(stage.state.rooms[room]?.messages[file]?.status == .delivered)
    }

    @Test func aTransferGoesOnAfterARestart() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "f1", .file(Self.photo))
        try stage.chat(.acceptFile(room: room, message: "f1"))
        try stage.restart(active: false)
        #expect(stage.effects == [.acceptFile(room: room, message: "f1")])
    }

    @Test(arguments: [
        ("../../etc/passwd", "passwd"), ("C:\\Users\\x.txt", "x.txt"), (".bashrc", "bashrc"),
        ("a\u{202E}gpj.exe", "agpj.exe"), ("new\nline", "newline"), ("  tidy  ", "tidy"),
        (String(repeating: "é", count: 300), String(repeating: "é", count: 127)),
    ]) func namesFromThePeerCannotLeaveTheirFolder(name: String, saved: String) throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "f1", .file(FileOffer(name: name, bytes: 1, handle: "/etc/shadow")))
        #expect(stage.state.rooms[room]?.messages["f1"]?.body == .file(FileOffer(name: saved, bytes: 1)))
    }

    @Test(arguments: [
        FileOffer(name: "", bytes: 1), FileOffer(name: "..", bytes: 1), FileOffer(name: "a", bytes: -1),
        FileOffer(name: "a", bytes: .max), FileOffer(name: "a", bytes: 1, media: .voice(duration: -1, waveform: [])),
        FileOffer(name: "a", bytes: 1, media: .voice(duration: 1, waveform: Array(repeating: 0, count: 121))),
    ]) func impossibleOffersAreNotShown(offer: FileOffer) throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "f1", .file(offer))
        #expect(stage.state.rooms[room]?.messages.isEmpty == true)
        #expect(stage.effects == [.acknowledge(room: room, sequence: 1)], "the peer shall not repeat it for ever")
    }

    @Test func aFileThatIsTooLargeIsRefusedHere() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        let bytes = RoomLimits.fileBytes + 1
        try stage.chat(.sendFile(room: room, name: "a", bytes: bytes, handle: "h", media: nil))
        #expect(stage.state.rooms[room]?.messages.isEmpty == true)
        #expect(stage.text.contains("4 GiB"))
    }

    @Test func progressNeverRunsBackwardsOrPastTheEnd() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "f1", .file(Self.photo))
        try stage.chat(.acceptFile(room: room, message: "f1"))
        for (bytes, shown) in [(500, 500), (100, 500), (-1, 500), (Int64.max, 1000)] as [(Int64, Int64)] {
            try stage.event(.fileProgress(room: room, message: "f1", bytes: bytes))
            #expect(stage.state.rooms[room]?.messages["f1"]?.transfer?.done == shown)
        }
    }

    @Test func aVoiceMessageIsAFileWithASound() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        let media = Media.voice(duration: 4200, waveform: [1, 2, 3])
        try stage.chat(.sendFile(room: room, name: "note.m4a", bytes: 10, handle: "h", media: media))
        let message = try #require(stage.state.rooms[room]?.messages.last)
        #expect(stage.tree.find("message.\(message.id)")?.label == "Voice message")
    }
}
