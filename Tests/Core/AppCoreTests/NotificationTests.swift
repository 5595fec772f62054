import AppCore
import Catalogues
import Testing

@Suite struct NotificationTests {
    /// A room that nobody looks at.
    private func quiet(_ content: Settings.NotificationContent? = nil) throws -> (TestDriver, RoomID) {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.rooms(.closeRoom(room: room))
        if let content { try driver.app(.setNotifications(content: content)) }
        return (driver, room)
    }

    @Test func byDefaultANotificationSaysOnlyThatThereIsAMessage() throws {
        var (driver, room) = try quiet()
        try driver.receive(room, "m1", .text("The secret is out"))
        #expect(driver.notification?.title == "Alcove" && driver.notification?.text == "A new message")
    }

    @Test(arguments: [
        (Body.text("\n First \u{202E}line \nSecond"), "First line"),
        (.file(FileOffer(name: "photo.jpg", bytes: 10)), "A file: photo.jpg"),
        (.text(String(repeating: "é", count: 5000)), String(repeating: "é", count: 100)),
        (.location(Location(latitude: 1, longitude: 1)), "The other person's place"),
    ]) func aFullOneHasTheNameAndTheFirstLine(body: Body, text: String) throws {
        var (driver, room) = try quiet(.full)
        try driver.receive(room, "m1", body)
        #expect(driver.notification?.title == "Ann" && driver.notification?.text == text)
    }

    @Test func whatIsKeptNowhereIsNotGivenAway() throws {
        var (driver, room) = try quiet(.full)
        try driver.chat(.setEphemeral(room: room, on: true))
        try driver.receive(room, "m1", .text("Hi"))
        #expect(driver.notification?.title == "Alcove" && driver.notification?.text == "A new message")
    }

    @Test func thereIsNoneWhereTheyAreOffOrTheRoomIsLookedAt() throws {
        var (driver, room) = try quiet(.off)
        try driver.receive(room, "m1", .text("Hi"))
        #expect(driver.notification == nil)
        try driver.app(.setNotifications(content: .full))
        #expect(driver.notification == nil, "what came before is not told")
        try driver.rooms(.openRoom(room: room))
        try driver.receive(room, "m2", .text("Hi"))
        #expect(driver.notification == nil && driver.state.notifications == nil)
        try driver.app(.tellSeen)
        try driver.receive(room, "m3", .text("Hi"))
        #expect(driver.notification == nil, "it is on the screen, seen or not")
        try driver.app(.becameInactive)
        try driver.receive(room, "m4", .text("Hi"))
        #expect(driver.notification != nil)
    }

    @Test func itGoesWhenTheRoomIsSeenOrGone() throws {
        for end: Action in [
            .rooms(.openRoom(room: "_")), .rooms(.deleteRoom(room: "_")), .app(.eraseAll),
            .app(.setNotifications(content: .off)), .app(.seen(room: "_", upTo: "m1")),
        ] {
            var (driver, room) = try quiet()
            try driver.receive(room, "m1", .text("Hi"))
            switch end {
            case .rooms(.openRoom): try driver.rooms(.openRoom(room: room))
            case .rooms: try driver.rooms(.deleteRoom(room: room))
            case .app(.seen): try driver.app(.seen(room: room, upTo: "m1"))
            default: try driver.dispatch(end)
            }
            #expect(driver.effects.contains(.closeNotification(room: room)), "\(end)")
            try driver.pass(seconds: 10)
            #expect(driver.state.notifications == nil, "\(end)")
        }
    }

    @Test func aMutedRoomTellsNothingAndCounts() throws {
        var (driver, room) = try quiet(.full)
        try driver.receive(room, "m1", .text("Hi"))
        #expect(driver.notification != nil)
        try driver.rooms(.muteRoom(room: room, muted: true))
        #expect(driver.effects.contains(.closeNotification(room: room)))
        try driver.receive(room, "m2", .text("Hi"), sequence: 2)
        try driver.pass(seconds: 10)
        #expect(driver.notification == nil && driver.state.rooms[room]?.unreadCount == 2)
        #expect(driver.tree.find("room.\(room)")?.facts.muted == true)
        try driver.rooms(.muteRoom(room: room, muted: false))
        try driver.receive(room, "m3", .text("Hi"), sequence: 3)
        #expect(driver.notification != nil)
    }

    @Test func itGoesWithTheMessage() throws {
        var (driver, room) = try quiet()
        try driver.receive(room, "m1", .text("Hi"))
        try driver.receive(room, "d1", .deletion(of: "m1"), sequence: 2)
        #expect(driver.effects.contains(.closeNotification(room: room)))
        try driver.receive(room, "m2", .text("Hi"), sequence: 3)
        #expect(driver.notification == nil, "the other person cannot make it flicker")
        try driver.pass(seconds: 5)
        #expect(driver.notification != nil)
    }

    @Test func itGoesWhenTheProfileLocks() throws {
        var (driver, room) = try quiet(.full)
        try driver.app(.setPassphrase(passphrase: "p", current: nil))
        let setting = try driver.waiting { if case .setPassphrase = $0 { true } else { false } }
        try driver.event(.effectDone(effect: setting))
        try driver.receive(room, "m1", .text("Hi"))
        try driver.app(.lock)
        #expect(driver.effects.contains(.closeNotification(room: room)))
    }

    @Test func manyMessagesAreToldOfOnceInAWhile() throws {
        var (driver, room) = try quiet(.full)
        var shown = 0
        for number in 0..<100 {
            try driver.receive(room, MessageID("m\(number)"), .text("Hi \(number)"), sequence: UInt64(number + 1))
            if driver.notification != nil { shown += 1 }
        }
        #expect(shown == 1)
        try driver.pass(seconds: NotificationLimits.pause / 1000)
        #expect(driver.notification?.text == "Hi 99", "the newest is told of when the pause is over")
        try driver.pass(seconds: 60)
        #expect(driver.notification == nil)
    }

    @Test func nothingThatCameBeforeIsToldOfAtTheStart() throws {
        var (driver, room) = try quiet(.full)
        try driver.receive(room, "m1", .text("Hi"))
        try driver.restart(active: false)
        #expect(driver.notification == nil && driver.state.rooms[room]?.unreadCount == 1)
        try driver.pass(seconds: 60)
        #expect(driver.notification == nil)
    }

    @Test func whoChoosesOneGoesToTheRoom() throws {
        var (driver, room) = try quiet()
        try driver.event(.notificationOpened(room: room))
        #expect(driver.tree.id == "rooms", "a view that may have no window stays")
        try driver.fail(driver.waiting { $0 == .openPage }, Failure(.other))
        try driver.app(.tellSeen)
        #expect(driver.tree.id == "rooms", "no window could be opened")
        try driver.receive(room, "m1", .text("Hi"))
        try driver.event(.notificationOpened(room: "unknown"))
        #expect(driver.tree.id == "rooms")
        try driver.event(.notificationOpened(room: room))
        #expect(driver.tree.id == "chat" && driver.effects.contains(.closeNotification(room: room)))
    }

    @Test func aWindowIsOpenedWhereThereIsNone() throws {
        var (driver, room) = try quiet()
        try driver.receive(room, "m1", .text("Hi"))
        try driver.event(.notificationOpened(room: room))
        let effect = try driver.waiting { $0 == .openPage }
        try driver.event(.notificationOpened(room: room))
        #expect(driver.effects.isEmpty, "one window is enough")
        try driver.event(.effectDone(effect: effect))
        try driver.event(.notificationOpened(room: room))
        #expect(driver.effects.isEmpty, "a browser takes its time to start")
        try driver.dispatch(.app(.openView), in: "page-1")
        try driver.dispatch(.app(.tellSeen), in: "page-1")
        #expect(driver.state.views["page-1"]?.screen == Screen(.chat, room: room))
        // One that was closed may come back, and is no window until then.
        try driver.dispatch(.app(.back), in: "page-1")
        try driver.dispatch(.app(.tellWindow(on: false)), in: "page-1")
        try driver.event(.notificationOpened(room: room))
        #expect(driver.state.views["page-1"]?.screen == Screen(.rooms))
        try driver.event(.effectDone(effect: driver.waiting { $0 == .openPage }))
        try driver.dispatch(.app(.tellWindow(on: true)), in: "page-1")
        #expect(driver.state.views["page-1"]?.screen == Screen(.chat, room: room))
        // A window that comes much later shows nothing of it.
        try driver.dispatch(.app(.back), in: "page-1")
        try driver.dispatch(.app(.tellWindow(on: false)), in: "page-1")
        try driver.event(.notificationOpened(room: room))
        try driver.pass(seconds: 61)
        try driver.dispatch(.app(.tellWindow(on: true)), in: "page-1")
        #expect(driver.state.views["page-1"]?.screen == Screen(.rooms))
        // The next window begins with the rooms.
        try driver.dispatch(.app(.openView), in: "page-2")
        try driver.dispatch(.app(.tellSeen), in: "page-2")
        #expect(driver.state.views["page-2"]?.screen == Screen(.rooms) && driver.state.awaited == nil)
    }

    @Test func aConversationIsNotLeftForAnother() throws {
        var (driver, room) = try quiet()
        try driver.app(.tellSeen)
        try driver.rooms(.createRoom(name: "Bob", expiresIn: 300))
        let before = driver.state.views
        #expect(before.main.screen.page == .chat && before.main.screen.room != room)
        try driver.event(.notificationOpened(room: room))
        #expect(driver.state.views == before)
    }

    @Test func reportsSayNothingOfWhatItSays() throws {
        var (driver, room) = try quiet(.full)
        try driver.receive(room, "m1", .text("Hidden words"))
        let report = String(decoding: try JSON.encode(driver.state.redacted), as: UTF8.self)
        #expect(report.contains("show_notification") && !report.contains("Hidden") && !report.contains("Ann"))
    }

    @Test func anOldProfileOpens() throws {
        let old = #"{"auto_lock":false,"has_passphrase":false,"ice_servers":[],"server":"http://127.0.0.1:8080"}"#
        let settings = try JSON.decode(Settings.self, from: old.utf8)
        #expect(settings.notificationContent == .hidden)
        #expect(try JSON.encode(settings) == Array(old.utf8))
    }
}

extension TestDriver {
    /// What the last input has the desktop show.
    fileprivate var notification: (title: String, text: String?)? {
        for case .showNotification(_, let title, let text) in effects { return (title.english, text?.english) }
        return nil
    }
}
