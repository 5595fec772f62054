import AppCore
import Catalogues
import Testing

/// Several views of one profile: shared data, screens of their own.
@Suite struct ViewTests {
    private static let (page, phone): (ViewID, ViewID) = ("page", "phone")

    /// Two views in front, besides the main one.
    private static func twoViews() throws -> TestDriver {
        var driver = try TestDriver(active: false)
        for view in [page, phone] {
            try driver.dispatch(.app(.openView), in: view)
            try driver.dispatch(.app(.becameActive), in: view)
        }
        return driver
    }

    @Test func aViewShowsWhatItsPersonChoseThere() throws {
        var driver = try Self.twoViews()
        try driver.dispatch(.app(.navigate(to: Screen(.settings))), in: Self.page)
        try driver.dispatch(.rooms(.editJoin(code: "482913", words: nil, name: nil)), in: Self.page)
        #expect(try driver.tree(in: Self.page).id == "settings")
        #expect(try driver.tree(in: Self.phone).id == "rooms")
        #expect(driver.state.views[Self.phone]?.joinForm.code == "")
        #expect(driver.tree.id == "cover.screen", "the main view is not in front")
    }

    @Test func dataIsTheSameInAllViews() throws {
        var driver = try Self.twoViews()
        try driver.dispatch(.rooms(.createRoom(name: "Ann", expiresIn: 300)), in: Self.page)
        let room = try #require(driver.state.rooms.last).id
        #expect(try driver.tree(in: Self.page).id == "chat")
        #expect(try driver.tree(in: Self.phone).find("room.\(room)")?.label.english == "Ann")
        try driver.dispatch(.rooms(.deleteRoom(room: room)), in: Self.phone)
        #expect(try driver.tree(in: Self.page).id == "rooms", "the screen of what is gone goes")
    }

    @Test func thereAreAtMostSixteen() throws {
        var driver = try TestDriver()
        for number in 0..<30 { try driver.dispatch(.app(.openView), in: ViewID("view\(number)")) }
        #expect(driver.state.views.count == ViewList.limit)
        #expect(driver.core.tree(for: "view29") == nil)
        try driver.dispatch(.app(.closeView), in: "view0")
        try driver.dispatch(.app(.openView), in: "view29")
        #expect(driver.core.tree(for: "view29") != nil)
        try driver.dispatch(.app(.closeView))
        #expect(driver.core.tree(for: .main) != nil, "the main view stays")
    }

    @Test func aViewThatIsNotOpenDoesNothing() throws {
        var driver = try TestDriver()
        let before = driver.state
        try driver.dispatch(.rooms(.createRoom(name: "x", expiresIn: 300)), in: "stranger")
        try driver.dispatch(.app(.becameActive), in: "stranger")
        #expect(driver.state == before && driver.effects.isEmpty)
    }

    // MARK: - What is written

    @Test func eachViewWritesInItsOwnComposer() throws {
        var driver = try Self.twoViews()
        let room = try driver.roomThatTalks()
        for view in [Self.page, Self.phone] { try driver.dispatch(.rooms(.openRoom(room: room)), in: view) }
        try driver.dispatch(.chat(.setDraft(room: room, text: "from the page")), in: Self.page)
        #expect(driver.draft(in: room, of: Self.phone) == "")
        try driver.dispatch(.chat(.setDraft(room: room, text: "from the phone")), in: Self.phone)
        try driver.dispatch(.chat(.sendText(room: room, text: "from the page")), in: Self.page)
        #expect(driver.draft(in: room, of: Self.page) == "")
        #expect(driver.draft(in: room, of: Self.phone) == "from the phone")
        let take = try #require(try driver.tree(in: Self.page).find("chat.take_draft")?.offers.first)
        try driver.dispatch(take.action, in: Self.page)
        #expect(
            driver.draft(in: room, of: Self.page) == "from the phone" && driver.draft(in: room, of: Self.phone) == "")
    }

    @Test func theNextViewGoesOnWhereTheLastOneStopped() throws {
        var driver = try Self.twoViews()
        let room = try driver.roomThatTalks()
        try driver.dispatch(.rooms(.openRoom(room: room)), in: Self.page)
        try driver.dispatch(.chat(.setDraft(room: room, text: "half")), in: Self.page)
        try driver.dispatch(.app(.closeView), in: Self.page)
        try driver.dispatch(.rooms(.openRoom(room: room)), in: Self.phone)
        #expect(driver.draft(in: room, of: Self.phone) == "half")
        try driver.restart()
        try driver.rooms(.openRoom(room: room))
        #expect(driver.draft(in: room) == "half", "what was typed outlives the process")
        try driver.chat(.setDraft(room: room, text: ""))
        #expect(!driver.disk.keys.contains("composer/\(room)"))
    }

    @Test func whatAProgramWritesWaitsForThePersonAndIsToldToNobodyElse() throws {
        var driver = try Self.twoViews()
        let room = try driver.roomThatTalks()
        try driver.dispatch(.rooms(.openRoom(room: room)), in: Self.page)
        try driver.dispatch(.chat(.setDraft(room: room, text: "mine")), in: Self.page)
        for text in ["first", "second", " "] {
            try driver.dispatch(.chat(.leaveDraft(room: room, text: text, author: "hel\u{202E}per\n")), in: Self.phone)
            #expect(driver.effects.isEmpty, "nothing is sent, not even that somebody types")
        }
        #expect(driver.draft(in: room, of: Self.page) == "mine", "nobody's own text is changed")
        let notice = try #require(driver.state.notices.last)
        #expect(notice.view == nil && notice.room == room)
        #expect(notice.text == .key("notice.draft_left", ["author": .said("helper")]))
        let take = try #require(try driver.tree(in: Self.page).find("chat.take_draft")?.offers.first)
        try driver.dispatch(take.action, in: Self.page)
        #expect(driver.draft(in: room, of: Self.page) == "mine\nfirst\nsecond")
        try driver.dispatch(
            .chat(.leaveDraft(room: room, text: String(repeating: "a", count: 65_537), author: "a")), in: Self.phone)
        #expect(driver.state.notices.last?.text == "notice.text_too_long")
        #expect(driver.state.composers.text(in: room, of: nil) == "")
    }

    @Test func aRoomThatKeepsNothingKeepsNoDraft() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.chat(.setDraft(room: room, text: "secret"))
        #expect(driver.disk.keys.contains("composer/\(room)"))
        try driver.chat(.setEphemeral(room: room, on: true))
        #expect(!driver.disk.keys.contains("composer/\(room)"))
        #expect(driver.draft(in: room) == "secret")
    }

    @Test func thePeerHearsThatSomebodyTypesAsLongAsAnyViewDoes() throws {
        var driver = try Self.twoViews()
        let room = try driver.roomThatTalks()
        for view in [Self.page, Self.phone] {
            try driver.dispatch(.rooms(.openRoom(room: room)), in: view)
            try driver.dispatch(.chat(.setDraft(room: room, text: "h")), in: view)
        }
        try driver.dispatch(.chat(.setDraft(room: room, text: "")), in: Self.page)
        #expect(driver.effects.isEmpty, "the other view still types")
        try driver.dispatch(.app(.back), in: Self.phone)
        #expect(driver.effects == [.sendTyping(room: room, on: false)])
    }

    // MARK: - What is seen and told

    @Test func aMessageIsSeenWhereItIsShown() throws {
        var driver = try Self.twoViews()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "m1", .text("hi"))
        #expect(driver.state.rooms[room]?.unreadCount == 1)
        try driver.dispatch(.app(.becameInactive), in: Self.page)
        try driver.dispatch(.rooms(.openRoom(room: room)), in: Self.page)
        #expect(driver.state.rooms[room]?.unreadCount == 1, "nobody looks at a view that is not in front")
        try driver.dispatch(.app(.becameActive), in: Self.page)
        #expect(driver.state.rooms[room]?.unreadCount == 0)
    }

    /// A window behind another one still shows what it showed, and nobody looks at it.
    @Test func whatComesWhileAnotherWindowIsInFrontIsNew() throws {
        var driver = try Self.twoViews()
        let room = try driver.roomThatTalks()
        try driver.dispatch(.rooms(.openRoom(room: room)), in: Self.page)
        try driver.dispatch(.app(.tellAway(on: true)), in: Self.page)
        #expect(!driver.state.isVisible(room))
        #expect(try driver.tree(in: Self.page).id == "chat")
        try driver.receive(room, "m1", .text("hi"))
        #expect(driver.state.rooms[room]?.unreadCount == 1)
        #expect(driver.asked { if case .showNotification = $0 { true } else { false } })
        try driver.dispatch(.app(.tellAway(on: false)), in: Self.page)
        #expect(driver.state.rooms[room]?.unreadCount == 0)
        #expect(driver.state.views[Self.page]?.unseen?.count == 1, "it is marked as new")
    }

    @Test func theCoverTellsHowMuchIsNew() throws {
        var driver = try Self.twoViews()
        let room = try driver.roomThatTalks()
        try driver.dispatch(.app(.becameInactive), in: Self.page)
        #expect(try driver.tree(in: Self.page).facts.unread == nil)
        for message in ["m1", "m2"] as [MessageID] { try driver.receive(room, message, .text("hi")) }
        let cover = try driver.tree(in: Self.page)
        #expect(cover.id == "cover.screen")
        #expect(cover.facts.unread == 2)
    }

    @Test func aViewMaySayItselfWhatIsSeen() throws {
        var driver = try Self.twoViews()
        let room = try driver.roomThatTalks()
        try driver.dispatch(.app(.tellSeen), in: Self.page)
        try driver.dispatch(.rooms(.openRoom(room: room)), in: Self.page)
        for message in ["m1", "m2", "m3"] as [MessageID] { try driver.receive(room, message, .text("hi")) }
        #expect(driver.state.rooms[room]?.unreadCount == 3, "the rows are below what the screen shows")
        try driver.dispatch(.app(.seen(room: room, upTo: "m2")), in: Self.page)
        #expect(driver.state.rooms[room]?.unreadCount == 1)
        #expect(driver.effects == [.sendRead(room: room, messages: ["m1", "m2"])])
        for earlier in ["m1", "m2", "unknown"] as [MessageID] {
            try driver.dispatch(.app(.seen(room: room, upTo: earlier)), in: Self.page)
            #expect(driver.state.rooms[room]?.unreadCount == 1)
        }
        try driver.dispatch(.app(.seen(room: room, upTo: "m3")), in: Self.page)
        #expect(driver.effects == [.sendRead(room: room, messages: ["m3"])])
        try driver.receive(room, "m4", .text("hi"))
        try driver.dispatch(.rooms(.openRoom(room: room)), in: Self.phone)
        #expect(driver.state.rooms[room]?.unreadCount == 0, "there an open conversation counts")
    }

    @Test func aMistakeIsToldWhereItWasMade() throws {
        var driver = try Self.twoViews()
        for _ in 0..<3 { try driver.dispatch(.rooms(.joinRoom(code: "12", words: nil, name: nil)), in: Self.page) }
        #expect(try driver.tree(in: Self.page).find("notices")?.children.count == 1)
        #expect(try driver.tree(in: Self.phone).find("notices") == nil)
    }

    @Test func anAnswerGoesToTheViewThatAsked() throws {
        var driver = try Self.twoViews()
        try driver.dispatch(.rooms(.createRoom(name: "Ann", expiresIn: 300)), in: Self.page)
        let effect = try #require(driver.outcome.effects.first { $0.kind.isCreate })
        #expect(effect.view == Self.page)
        try driver.fail(effect.id, Failure(.serverUnreachable))
        #expect(try driver.tree(in: Self.page).find("notices") != nil)
        #expect(try driver.tree(in: Self.phone).find("notices") == nil)
        try driver.dispatch(.app(.closeView), in: Self.page)
        #expect(driver.state.notices.isEmpty, "nobody could read them")
    }

    // MARK: - Locking

    @Test func lockingEmptiesAllViewsAndUnlockingOpensAll() throws {
        var driver = try Self.twoViews()
        try driver.dispatch(.app(.setPassphrase(passphrase: "p", current: nil)), in: Self.page)
        try driver.event(
            .effectDone(effect: try driver.waiting { if case .setPassphrase = $0 { true } else { false } }))
        let room = try driver.roomThatTalks()
        try driver.dispatch(.rooms(.openRoom(room: room)), in: Self.phone)
        try driver.dispatch(.app(.lock), in: Self.page)
        for view in [Self.page, Self.phone] {
            #expect(try driver.tree(in: view).id == "lock")
            #expect(driver.state.views[view]?.screens == [Screen(.rooms)])
        }
        try driver.dispatch(.app(.unlock(passphrase: "p")), in: Self.phone)
        let unlock = try driver.waiting { if case .unlock = $0 { true } else { false } }
        try driver.event(.vaultUnlocked(effect: unlock, records: driver.records { !$0.isReadableWhileLocked }))
        for view in [Self.page, Self.phone] { #expect(try driver.tree(in: view).id == "rooms") }
    }

    @Test func autoLockWaitsForTheLastView() throws {
        var driver = try Self.twoViews()
        try driver.dispatch(.app(.setPassphrase(passphrase: "p", current: nil)), in: Self.page)
        try driver.event(
            .effectDone(effect: try driver.waiting { if case .setPassphrase = $0 { true } else { false } }))
        try driver.dispatch(.app(.setAutoLock(on: true)), in: Self.page)
        try driver.dispatch(.app(.becameInactive), in: Self.page)
        #expect(!driver.state.lock.isLocked)
        #expect(try driver.tree(in: Self.page).id == "cover.screen")
        try driver.dispatch(.app(.closeView), in: Self.phone)
        #expect(driver.state.lock.isLocked)
    }

    // MARK: - Notes and apps

    @Test func notesAreOpenAsLongAsAViewFollowsThem() throws {
        var driver = try Self.twoViews()
        for view in [Self.page, Self.phone] { try driver.dispatch(.notes(.openNotes), in: view) }
        #expect(driver.open.count { $0.kind == .openNotes } == 1)
        try driver.dispatch(.notes(.openNote(note: "groceries")), in: Self.page)
        try driver.dispatch(.notes(.openNote(note: "groceries")), in: Self.phone)
        #expect(driver.open.count { $0.kind == .readNote(note: "groceries") } == 1, "it is read once")
        try driver.dispatch(.notes(.closeNotes), in: Self.page)
        #expect(driver.effects.isEmpty, "the other view still reads it")
        try driver.dispatch(.app(.closeView), in: Self.phone)
        #expect(driver.effects == [.releaseNote(note: "groceries"), .closeNotes])
    }

    @Test func eachViewFiltersAndSearchesForItself() throws {
        var driver = try Self.twoViews()
        for view in [Self.page, Self.phone] { try driver.dispatch(.notes(.openNotes), in: view) }
        try driver.dispatch(.notes(.filterNotes(filter: NotebookFilter(.deleted))), in: Self.page)
        try driver.dispatch(.notes(.searchNotes(query: "melon")), in: Self.page)
        try driver.dispatch(.notes(.searchNotes(query: "plum")), in: Self.phone)
        let searches = driver.open.filter { if case .searchNotes = $0.kind { true } else { false } }
        #expect(searches.map(\.view) == [Self.page, Self.phone])
        let hit = NoteHit(note: "groceries", title: "Groceries", snippet: "a melon")
        try driver.event(.notesFound(effect: try #require(searches.first).id, results: [hit]))
        #expect(driver.state.views[Self.page]?.notes.search.results == [hit])
        #expect(driver.state.views[Self.phone]?.notes.search.results == nil)
        #expect(driver.state.views[Self.phone]?.notes.filter == NotebookFilter(.all))
    }
}
