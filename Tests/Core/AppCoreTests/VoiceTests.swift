import AppCore
import Catalogues
import Testing

/// Voice messages: what is recorded, and where it goes.
@Suite struct VoiceTests {
    private static let (page, phone): (ViewID, ViewID) = ("page", "phone")
    private static let sound = Media.voice(duration: 4000, waveform: [0, 255])

    /// Two views with microphones, both in a conversation.
    private static func twoViews() throws -> (driver: TestDriver, room: RoomID) {
        var driver = try TestDriver(active: false)
        let views = [page, phone]
        for view in views {
            try driver.dispatch(.app(.openView), in: view)
            try driver.dispatch(.app(.becameActive), in: view)
            try driver.dispatch(.app(.tellAbilities(can: [.microphone])), in: view)
        }
        let room = try driver.roomThatTalks()
        for view in views { try driver.dispatch(.rooms(.openRoom(room: room)), in: view) }
        return (driver, room)
    }

    @Test func whoHasNoMicrophoneIsOfferedNone() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        #expect(driver.tree.find("chat.record") == nil)
        try driver.chat(.recordVoice(room: room))
        #expect(driver.effects.isEmpty && driver.state.views.main.recording == nil)
        try driver.app(.tellAbilities(can: [.microphone]))
        #expect(driver.tree.find("chat.record")?.isEnabled == true)
    }

    @Test func whatIsRecordedIsSentWhenThePersonSaysSo() throws {
        var (driver, room) = try Self.twoViews()
        let recording = try driver.record(room)
        #expect(driver.outcome.effects.map(\.view) == [Self.page])
        #expect(driver.effects == [.recordVoice(room: room, limit: 900_000)])
        var tree = try driver.tree(in: Self.page)
        #expect(tree.find("chat.recording")?.isBusy == true && tree.find("chat.record") == nil)
        #expect(tree.find("chat.recording.send")?.isEnabled == false, "the microphone is not there yet")
        try driver.event(.voiceBegan(effect: recording))
        tree = try driver.tree(in: Self.page)
        let node = try #require(tree.find("chat.recording"))
        #expect(node.at == driver.now && node.label == "chat.recording" && !node.isBusy)
        #expect(node.facts.recording?.effect == recording)
        #expect(node.facts.recording?.until == driver.now.advanced(byMilliseconds: 900_000))
        try driver.event(.voiceBegan(effect: recording))
        #expect(try driver.tree(in: Self.page).find("chat.recording")?.at == node.at, "said twice it does no harm")

        try driver.tap("chat.recording.send", in: Self.page)
        #expect(driver.effects == [.endVoice(recording: recording, sends: true)])
        #expect(try driver.tree(in: Self.page).find("chat.recording") == nil)
        try driver.handOver(recording)
        #expect(driver.asked(\.isDelivery))
        let sent = try #require(driver.state.rooms[room]?.messages.last)
        #expect(sent.body == .file(FileOffer(name: "voice.weba", bytes: 16_000, media: Self.sound, handle: "file-1")))
        try driver.handOver(recording)
        #expect(driver.state.rooms[room]?.messages.all.count == 1, "it goes once")
    }

    @Test func whatNobodySaidIsToGoIsNotSent() throws {
        var (driver, room) = try Self.twoViews()
        let recording = try driver.record(room)
        try driver.event(.voiceBegan(effect: recording))
        try driver.handOver(recording)
        #expect(driver.effects.isEmpty && driver.state.rooms[room]?.messages.all.isEmpty == true)
        #expect(driver.state.views[Self.page]?.recording == nil)
        #expect(driver.state.notices.map(\.text) == [Words(Failure(.microphoneFailed))])
    }

    @Test func onlyASoundIsTakenForOne() throws {
        var (driver, room) = try Self.twoViews()
        let recording = try driver.record(room)
        try driver.event(.voiceBegan(effect: recording))
        try driver.tap("chat.recording.send", in: Self.page)
        try driver.handOver(recording, as: .file)
        #expect(driver.state.rooms[room]?.messages.all.isEmpty == true)
    }

    @Test func afterFifteenMinutesItWaits() throws {
        var (driver, room) = try Self.twoViews()
        let recording = try driver.record(room)
        try driver.event(.voiceBegan(effect: recording))
        try driver.pass(seconds: 899)
        #expect(try driver.tree(in: Self.page).find("chat.recording")?.label == "chat.recording")
        try driver.pass(seconds: 2)
        let label = try #require(try driver.tree(in: Self.page).find("chat.recording")?.label.english)
        #expect(label.hasPrefix("15 minutes are recorded, and the microphone is off."))
        #expect(driver.state.rooms[room]?.messages.all.isEmpty == true)
        try driver.tap("chat.recording.send", in: Self.page)
        try driver.handOver(recording)
        #expect(driver.state.rooms[room]?.messages.all.count == 1)
    }

    @Test func eachViewRecordsForItself() throws {
        var (driver, room) = try Self.twoViews()
        let first = try driver.record(room)
        #expect(try driver.tree(in: Self.phone).find("chat.record")?.isEnabled == true)
        let second = try driver.record(room, in: Self.phone)
        for effect in [first, second] { try driver.event(.voiceBegan(effect: effect)) }
        try driver.tap("chat.recording.cancel", in: Self.phone)
        #expect(driver.outcome.effects.map(\.kind) == [.endVoice(recording: second, sends: false)])
        #expect(driver.outcome.effects.map(\.view) == [Self.phone])
        #expect(driver.state.views[Self.page]?.recording?.isOn == true)
        try driver.dispatch(.chat(.recordVoice(room: room)), in: Self.page)
        #expect(driver.effects.isEmpty, "one at a time in each")
    }

    @Test func meanwhileThePersonGoesOn() throws {
        var (driver, room) = try Self.twoViews()
        let first = try driver.record(room)
        try driver.event(.voiceBegan(effect: first))
        try driver.tap("chat.recording.send", in: Self.page)
        let second = try driver.record(room)
        #expect(second != first)
        try driver.dispatch(.app(.back), in: Self.page)
        try driver.handOver(first)
        #expect(driver.state.rooms[room]?.messages.all.count == 1, "what was sent before goes all the same")
    }

    @Test func behindTheCoverItGoesOnAndIsSaid() throws {
        var (driver, room) = try Self.twoViews()
        let recording = try driver.record(room)
        try driver.event(.voiceBegan(effect: recording))
        try driver.dispatch(.app(.becameInactive), in: Self.page)
        let cover = try driver.tree(in: Self.page)
        #expect(cover.id == "cover.screen" && cover.find("chat.recording")?.facts.recording?.effect == recording)
        #expect(cover.find("chat.recording.send") == nil)
    }

    // MARK: - Ending

    enum End: CaseIterable { case back, elsewhere, otherRoom, close, lock, delete, deletedByPeer, differs, erase }

    @Test(arguments: End.allCases) func itEndsWithTheConversation(end: End) throws {
        var (driver, room) = try Self.twoViews()
        let recording = try driver.record(room)
        try driver.event(.voiceBegan(effect: recording))
        switch end {
        case .back: try driver.dispatch(.app(.back), in: Self.page)
        case .elsewhere: try driver.dispatch(.app(.navigate(to: Screen(.roomSettings, room: room))), in: Self.page)
        case .otherRoom: try driver.dispatch(.rooms(.createRoom(name: "Ben", expiresIn: 300)), in: Self.page)
        case .close: try driver.dispatch(.app(.closeView), in: Self.page)
        case .lock:
            try driver.app(.setPassphrase(passphrase: "pass-1", current: nil))
            let setting = try driver.waiting { if case .setPassphrase = $0 { true } else { false } }
            try driver.event(.effectDone(effect: setting))
            try driver.app(.lock)
        case .delete: try driver.dispatch(.rooms(.deleteRoom(room: room)), in: Self.phone)
        case .deletedByPeer: try driver.event(.peerLeft(room: room, forever: true))
        case .differs: try driver.dispatch(.chat(.compareSafetyNumber(room: room, matches: false)), in: Self.phone)
        case .erase: try driver.app(.eraseAll)
        }
        let ending = try #require(
            driver.outcome.effects.first { $0.kind == .endVoice(recording: recording, sends: false) })
        #expect(ending.view == Self.page)
        #expect(!driver.open.contains { $0.kind.isRecording } && driver.state.views[Self.page]?.recording == nil)
        try driver.handOver(recording)
        #expect(!driver.asked(\.isDelivery), "nothing comes of it any more")
        let told = driver.state.notices.filter { $0.view == Self.page }.map(\.text.english)
        switch end {
        case .back, .elsewhere, .otherRoom, .delete: #expect(told.contains { $0.contains("the conversation was left") })
        case .deletedByPeer, .differs: #expect(told.contains { $0.contains("nothing can be said in this room now") })
        case .close, .lock, .erase: #expect(told.isEmpty)
        }
    }

    @Test func aViewThatIsGoneHandsNothingOver() throws {
        var (driver, room) = try Self.twoViews()
        let recording = try driver.record(room)
        try driver.event(.voiceBegan(effect: recording))
        try driver.tap("chat.recording.send", in: Self.page)
        try driver.dispatch(.app(.closeView), in: Self.page)
        #expect(!driver.open.contains { $0.kind.isRecording })
        try driver.handOver(recording)
        #expect(driver.state.rooms[room]?.messages.all.isEmpty == true)
    }

    @Test(arguments: [Failure.Code.microphoneRefused, .microphoneAbsent, .microphoneFailed, .clientGone])
    func whyThereIsNoRecordingIsSaidUntilTheNextOne(code: Failure.Code) throws {
        var (driver, room) = try Self.twoViews()
        try driver.fail(try driver.record(room), Failure(code))
        #expect(driver.state.notices.map(\.text) == [Words(Failure(code))])
        #expect(driver.state.notices.map(\.view) == [Self.page])
        #expect(try driver.tree(in: Self.page).find("chat.record")?.isEnabled == true)
        _ = try driver.record(room)
        #expect(driver.state.notices.isEmpty)
    }

    @Test func aFullDiskTakesNone() throws {
        var (driver, room) = try Self.twoViews()
        let recording = try driver.record(room)
        try driver.event(.voiceBegan(effect: recording))
        try driver.event(.storageChanged(failure: Failure(.diskFull)))
        #expect(try driver.tree(in: Self.page).find("chat.recording.send")?.isEnabled == false)
        try driver.dispatch(.chat(.sendVoice(room: room)), in: Self.page)
        #expect(driver.state.views[Self.page]?.recording != nil, "it waits for space")
        #expect(try driver.tree(in: Self.phone).find("chat.record")?.isEnabled == false)
    }

    @Test func aReportNamesNeitherFileNorSound() throws {
        let event = Action.event(
            .voiceRecorded(
                effect: EffectID(7), name: "voice.weba", bytes: 16_000, handle: "/home/ann/x", media: Self.sound))
        let input = Input(at: LogicalClock.beginning, fresh: Fresh(1, 2, 3, 4), action: event)
        let json = String(decoding: try JSON.encode(input.redacted), as: UTF8.self)
        #expect(!json.contains("voice.weba") && !json.contains("ann") && !json.contains("255"))
    }
}

extension TestDriver {
    fileprivate mutating func tap(_ node: String, in view: ViewID) throws {
        try dispatch(try #require(tree(in: view).find(node)?.offers.first).action, in: view)
    }

    /// Begins a recording.
    fileprivate mutating func record(_ room: RoomID, in view: ViewID = "page") throws -> EffectID {
        try tap("chat.record", in: view)
        return try waiting(\.isRecording)
    }

    fileprivate mutating func handOver(
        _ recording: EffectID, as media: Media = .voice(duration: 4000, waveform: [0, 255])
    ) throws {
        try event(
            .voiceRecorded(effect: recording, name: "voice.weba", bytes: 16_000, handle: "file-1", media: media))
    }
}
