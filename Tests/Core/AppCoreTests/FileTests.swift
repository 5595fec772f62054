import AppCore
import Catalogues
import Testing

@Suite struct FileTests {
    private static let photo = FileOffer(name: "photo.jpg", bytes: 1000)

    @Test func aFileIsOfferedAcceptedAndArrives() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "f1", .file(Self.photo))
        try driver.dispatch(try #require(driver.tree.find("message.f1.accept")?.offers.first).action)
        #expect(driver.effects == [.acceptFile(room: room, message: "f1")])
        try driver.event(.fileProgress(room: room, message: "f1", bytes: 400))
        #expect(driver.tree.find("message.f1")?.value == .progress(done: 400, total: 1000))
        try driver.event(.fileFinished(room: room, message: "f1", path: "downloads/photo.jpg"))
        #expect(driver.state.rooms[room]?.messages["f1"]?.transfer?.path == "downloads/photo.jpg")
        #expect(driver.tree.find("message.f1")?.detail?.english == "Received")
    }

    @Test func theSenderSeesWhatBecomesOfTheOffer() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.chat(
            .sendFile(room: room, name: "photo.jpg", bytes: 1000, handle: "/home/ann/photo.jpg", media: nil))
        let file = try #require(driver.state.rooms[room]?.messages.last).id
        try driver.event(.acknowledged(effect: try driver.waiting(\.isDelivery)))
        try driver.event(.fileProgress(room: room, message: file, bytes: 1))
        #expect(driver.state.rooms[room]?.messages[file]?.transfer?.state == .running)
        try driver.event(.fileFinished(room: room, message: file, path: nil))
        #expect(driver.tree.find("message.\(file)")?.detail?.english == "The other person has the file")
    }

    @Test func aFileIsReadBeforeItIsOffered() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.chat(.sendFile(room: room, name: "film.mkv", bytes: 1000, handle: "/film.mkv", media: nil))
        let file = try #require(driver.state.rooms[room]?.messages.last).id
        try driver.event(.fileRead(room: room, message: file, bytes: 400))
        #expect(driver.tree.find("message.\(file)")?.value == .progress(done: 400, total: 1000))
        #expect(driver.tree.find("message.\(file)")?.detail?.english == "Reading the file")
        #expect(driver.tree.find("message.\(file).cancel")?.isEnabled == true)
        try driver.event(.fileRead(room: room, message: file, bytes: 5000))
        #expect(driver.tree.find("message.\(file)")?.value != .progress(done: 5000, total: 1000))
        try driver.event(.acknowledged(effect: try driver.waiting(\.isDelivery)))
        #expect(driver.tree.find("message.\(file)")?.detail == "transfer.offered")
        try driver.event(.fileRead(room: room, message: file, bytes: 1))
        #expect(driver.tree.find("message.\(file)")?.detail == "transfer.offered")
    }

    @Test func aFileThatIsHereCanBeShown() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "f1", .file(Self.photo))
        try driver.chat(.openFile(room: room, message: "f1"))
        #expect(driver.effects.isEmpty && driver.tree.find("message.f1")?.uses.contains(.open) == false)
        try driver.chat(.acceptFile(room: room, message: "f1"))
        try driver.event(.fileFinished(room: room, message: "f1", path: "/downloads/photo.jpg"))
        let offer = try #require(driver.tree.offer(.open, at: "message.f1"))
        try driver.dispatch(offer.action)
        #expect(driver.effects == [.openFile(path: "/downloads/photo.jpg")])
        try driver.fail(
            try driver.waiting { if case .openFile = $0 { true } else { false } }, Failure(.fileUnreadable))
        #expect(driver.state.notices.last?.kind == .problem)
    }

    @Test func aFileThatCameCanBeSavedElsewhere() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "f1", .file(Self.photo))
        try driver.chat(.saveFile(room: room, message: "f1", to: "/home/ann"))
        #expect(driver.effects.isEmpty && driver.tree.find("message.f1")?.uses.contains(.save) == false)
        try driver.chat(.acceptFile(room: room, message: "f1"))
        try driver.event(.fileFinished(room: room, message: "f1", path: "/downloads/photo.jpg"))
        let offer = try #require(driver.tree.offer(.save, at: "message.f1"))
        #expect(offer.inputs == ["to"])
        try driver.dispatch(try offer.action(filledWith: ["to": .string("/home/ann")]))
        #expect(driver.effects == [.saveFile(room: room, file: "/downloads/photo.jpg", to: "/home/ann")])
        let saving = try driver.waiting { if case .saveFile = $0 { true } else { false } }
        try driver.event(.fileSaved(effect: saving, path: "/home/ann/photo.jpg"))
        #expect(driver.text.contains("Saved as /home/ann/photo.jpg"))
        try driver.event(.fileSaved(effect: saving, path: "/elsewhere"))
        #expect(!driver.text.contains("/elsewhere"), "an answer counts once")
    }

    @Test(arguments: [
        (Failure(.fileUnreadable), "The file cannot be read"),
        (Failure(.placeUnwritable), "Nothing can be saved there"),
        (Failure(.diskFull), "The disk is full. Make room, then try again."),
    ]) func aFileThatCannotBeSavedIsToldOf(failure: Failure, sentence: String) throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "f1", .file(Self.photo))
        try driver.chat(.acceptFile(room: room, message: "f1"))
        try driver.event(.fileFinished(room: room, message: "f1", path: "/downloads/photo.jpg"))
        try driver.chat(.saveFile(room: room, message: "f1", to: "/home/ann"))
        try driver.fail(try driver.waiting { if case .saveFile = $0 { true } else { false } }, failure)
        #expect(driver.text.contains(sentence))
    }

    @Test(arguments: ["", "home", "/a\0b", "/" + String(repeating: "x", count: 4096)])
    func aPlaceThatIsNoPathIsRefused(path: String) throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "f1", .file(Self.photo))
        try driver.chat(.acceptFile(room: room, message: "f1"))
        try driver.event(.fileFinished(room: room, message: "f1", path: "/downloads/photo.jpg"))
        try driver.chat(.saveFile(room: room, message: "f1", to: path))
        #expect(driver.effects.isEmpty && driver.text.contains("Nothing can be saved there"))
    }

    @Test(arguments: [
        (Media.picture(width: 4000, height: 3000, thumbnail: "/9j/4A=="), true),
        (.picture(width: 0, height: 3000, thumbnail: nil), false),
        (.picture(width: 4000, height: 65_536, thumbnail: nil), false),
        (.picture(width: 1, height: 1, thumbnail: String(repeating: "A", count: 21_849)), false),
    ])
    func aPictureHasASizeAndAShortThumbnail(media: Media, isTaken: Bool) throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "f1", .file(FileOffer(name: "a.jpg", bytes: 1000, media: media)))
        #expect((driver.state.rooms[room]?.messages["f1"] != nil) == isTaken)
        #expect(driver.tree.find("message.f1")?.facts.media == (isTaken ? media : nil))
        try driver.chat(.sendFile(room: room, name: "a.jpg", bytes: 1000, handle: "/a.jpg", media: media))
        #expect(driver.asked(\.isDelivery) == isTaken)
    }

    @Test func eitherSideCanSayNo() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "f1", .file(Self.photo))
        try driver.chat(.declineFile(room: room, message: "f1"))
        #expect(driver.effects == [.declineFile(room: room, message: "f1")])
        try driver.event(.fileFinished(room: room, message: "f1", path: "x"))
        #expect(driver.state.rooms[room]?.messages["f1"]?.transfer?.state == .declined)

        try driver.chat(.sendFile(room: room, name: "a", bytes: 1, handle: "h", media: nil))
        let file = try #require(driver.state.rooms[room]?.messages.last).id
        try driver.event(.fileFailed(room: room, message: file, failure: Failure(.fileDeclined)))
        #expect(driver.tree.find("message.\(file)")?.detail?.english == "Declined")
    }

    @Test func aTransferCanBeCancelledAndTakenUpAgain() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "f1", .file(Self.photo))
        try driver.chat(.acceptFile(room: room, message: "f1"))
        try driver.chat(.cancelFile(room: room, message: "f1"))
        #expect(driver.effects == [.cancelFile(room: room, message: "f1")])
        try driver.chat(.acceptFile(room: room, message: "f1"))
        #expect(driver.effects == [.acceptFile(room: room, message: "f1")])
    }

    @Test func aTransferRestsUntilItIsResumed() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "f1", .file(Self.photo))
        try driver.chat(.pauseFile(room: room, message: "f1"))
        #expect(driver.effects.isEmpty)
        try driver.chat(.acceptFile(room: room, message: "f1"))
        try driver.event(.fileProgress(room: room, message: "f1", bytes: 400))
        try driver.chat(.pauseFile(room: room, message: "f1"))
        #expect(driver.effects == [.pauseFile(room: room, message: "f1")])
        // What was on its way still comes.
        try driver.event(.fileProgress(room: room, message: "f1", bytes: 500))
        #expect(driver.tree.find("message.f1")?.value == .progress(done: 500, total: 1000))
        #expect(driver.tree.find("message.f1")?.detail?.english == "Paused")
        #expect(driver.tree.find("message.f1.pause") == nil)
        try driver.restart()
        #expect(driver.state.rooms[room]?.messages["f1"]?.transfer?.state == .paused)
        let isPausing = driver.state.pendingEffects.contains { $0 == .pauseFile(room: room, message: "f1") }
        #expect(isPausing)
        try driver.chat(.resumeFile(room: room, message: "f1"))
        #expect(driver.effects == [.resumeFile(room: room, message: "f1")])
        try driver.chat(.pauseFile(room: room, message: "f1"))
        try driver.event(.fileFinished(room: room, message: "f1", path: "/downloads/photo.jpg"))
        #expect(driver.state.rooms[room]?.messages["f1"]?.transfer?.state == .finished)
        try driver.chat(.resumeFile(room: room, message: "f1"))
        #expect(driver.effects.isEmpty)
    }

    @Test func aTransferThatRestsCanBeCancelled() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.chat(.sendFile(room: room, name: "a", bytes: 10, handle: "/a", media: nil))
        let file = try #require(driver.state.rooms[room]?.messages.last).id
        try driver.chat(.pauseFile(room: room, message: file))
        #expect(driver.effects.isEmpty)
        try driver.event(.fileProgress(room: room, message: file, bytes: 1))
        try driver.chat(.pauseFile(room: room, message: file))
        try driver.chat(.cancelFile(room: room, message: file))
        #expect(driver.effects == [.cancelFile(room: room, message: file)])
        #expect(driver.state.rooms[room]?.messages[file]?.transfer?.state == .cancelled)
    }

    @Test func anAnswerThatNobodyHeardIsGivenAfterARestart() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        for (file, sequence) in [("f1", 1), ("f2", 2)] as [(MessageID, UInt64)] {
            try driver.receive(room, file, .file(Self.photo), sequence: sequence)
        }
        try driver.chat(.declineFile(room: room, message: "f1"))
        try driver.chat(.acceptFile(room: room, message: "f2"))
        try driver.chat(.cancelFile(room: room, message: "f2"))
        let cancel = try driver.waiting { $0 == .cancelFile(room: room, message: "f2") }
        try driver.fail(cancel, Failure(.storageFailed, retryable: true))
        try driver.restart(active: false)
        let answers: [Effect.Kind] = [.declineFile(room: room, message: "f1"), .cancelFile(room: room, message: "f2")]
        #expect(driver.effects == answers)
        for answer in answers { try driver.event(.effectDone(effect: try driver.waiting { $0 == answer })) }
        try driver.restart(active: false)
        #expect(driver.effects.isEmpty)
    }

    @Test func anOfferThatIsTakenBackIsNotOfferedAnyMore() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "f1", .file(Self.photo))
        try driver.event(.fileFailed(room: room, message: "f1", failure: Failure(.fileCancelled)))
        #expect(driver.state.rooms[room]?.messages["f1"]?.transfer?.state == .cancelled)
    }

    @Test func aMessageThatExpiresAnswersForItsFile() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "p1", .lifetimeProposal(.oneHour))
        try driver.chat(.answerLifetime(room: room, accept: true))
        for (file, sequence) in [("f1", 2), ("f2", 3)] as [(MessageID, UInt64)] {
            try driver.receive(room, file, .file(Self.photo), sequence: sequence)
        }
        try driver.chat(.acceptFile(room: room, message: "f2"))
        try driver.pass(seconds: 3601)
        #expect(driver.effects.contains(.declineFile(room: room, message: "f1")))
        #expect(driver.effects.contains(.cancelFile(room: room, message: "f2")))
    }

    @Test func nothingMovesAnyMoreInARoomThatIsOver() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.chat(.sendFile(room: room, name: "photo.jpg", bytes: 1000, handle: "h", media: nil))
        let file = try #require(driver.state.rooms[room]?.messages.last).id
        try driver.event(.acknowledged(effect: try driver.waiting(\.isDelivery)))
        try driver.receive(room, "f1", .file(Self.photo))
        try driver.chat(.acceptFile(room: room, message: "f1"))
        try driver.event(.peerLeft(room: room, forever: true))
        for id in [file, "f1"] { #expect(driver.state.rooms[room]?.messages[id]?.transfer?.state == .failed) }
        #expect(driver.state.rooms[room]?.messages[file]?.status == .delivered)
    }

    @Test func aTransferGoesOnAfterARestart() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "f1", .file(Self.photo))
        try driver.chat(.acceptFile(room: room, message: "f1"))
        try driver.restart(active: false)
        #expect(driver.effects == [.acceptFile(room: room, message: "f1")])
    }

    @Test(arguments: [
        ("../../etc/passwd", "passwd"), ("C:\\Users\\x.txt", "x.txt"), (".bashrc", "bashrc"),
        ("a\u{202E}gpj.exe", "agpj.exe"), ("new\nline", "newline"), ("  tidy  ", "tidy"),
        (String(repeating: "é", count: 300), String(repeating: "é", count: 127)),
    ]) func namesFromThePeerCannotLeaveTheirFolder(name: String, saved: String) throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "f1", .file(FileOffer(name: name, bytes: 1, handle: "/etc/shadow")))
        #expect(driver.state.rooms[room]?.messages["f1"]?.body == .file(FileOffer(name: saved, bytes: 1)))
    }

    @Test(arguments: [
        FileOffer(name: "", bytes: 1), FileOffer(name: "..", bytes: 1), FileOffer(name: "a", bytes: -1),
        FileOffer(name: "a", bytes: .max), FileOffer(name: "a", bytes: 1, media: .voice(duration: -1, waveform: [])),
        FileOffer(name: "a", bytes: 1, media: .voice(duration: 1, waveform: Array(repeating: 0, count: 121))),
    ]) func impossibleOffersAreNotShown(offer: FileOffer) throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "f1", .file(offer))
        #expect(driver.state.rooms[room]?.messages.isEmpty == true)
        #expect(driver.effects == [.acknowledge(room: room, sequence: 1)], "the peer shall not repeat it for ever")
    }

    @Test func aFileThatIsTooLargeIsRefusedHere() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        let bytes = RoomLimits.fileBytes + 1
        try driver.chat(.sendFile(room: room, name: "a", bytes: bytes, handle: "h", media: nil))
        #expect(driver.state.rooms[room]?.messages.isEmpty == true)
        #expect(driver.text.contains("4 GiB"))
    }

    @Test func progressNeverRunsBackwardsOrPastTheEnd() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "f1", .file(Self.photo))
        try driver.chat(.acceptFile(room: room, message: "f1"))
        for (bytes, shown) in [(500, 500), (100, 500), (-1, 500), (Int64.max, 1000)] as [(Int64, Int64)] {
            try driver.event(.fileProgress(room: room, message: "f1", bytes: bytes))
            #expect(driver.state.rooms[room]?.messages["f1"]?.transfer?.done == shown)
        }
    }

    @Test func aVoiceMessageIsAFileWithASound() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        let media = Media.voice(duration: 4200, waveform: [1, 2, 3])
        try driver.chat(.sendFile(room: room, name: "note.m4a", bytes: 10, handle: "h", media: media))
        let message = try #require(driver.state.rooms[room]?.messages.last)
        #expect(driver.tree.find("message.\(message.id)")?.label.english == "Voice message")
    }
}
