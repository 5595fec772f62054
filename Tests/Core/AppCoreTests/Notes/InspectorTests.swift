import AppCore
import Testing

/// What is around a note: asked for while somebody looks, bounded, and changed through the note.
@Suite struct InspectorTests {
    private static let past = Timestamp(milliseconds: 7)
    private static let comment = NoteComment(
        id: "c1", author: "Ben", text: "Oat?", quote: "Milk", at: .init(milliseconds: 3))

    private func inspecting(_ details: NoteDetails? = nil) throws -> TestDriver {
        var driver = try TestDriver()
        try driver.openGroceries()
        try driver.notes(.inspectNotes(on: true))
        if let details { try driver.event(.noteDetails(effect: driver.waiting(\.follows), details: details)) }
        return driver
    }

    @Test func itIsToldOnlyWhileSomebodyLooks() throws {
        var driver = try TestDriver()
        try driver.openGroceries()
        #expect(!driver.asked(\.follows))
        try driver.notes(.inspectNotes(on: true))
        #expect(driver.effects == [.followNote(note: "groceries")])
        try driver.app(.navigate(to: Screen(.noteSettings, note: "groceries")))
        #expect(driver.effects == [.unfollowNote(note: "groceries")])
        try driver.app(.back)
        #expect(driver.effects == [.followNote(note: "groceries")])
        // Another note is inspected like this one.
        try driver.notes(.openNote(note: "plans"))
        #expect(driver.asked { $0 == .followNote(note: "plans") })
        try driver.notes(.inspectNotes(on: false))
        #expect(driver.effects == [.unfollowNote(note: "plans")])
    }

    @Test func linksLeadToNotesThatAreHere() throws {
        let driver = try inspecting(NoteDetails(links: ["plans", "plans", "nowhere"], backlinks: ["plans"]))
        #expect(driver.tree.find("note.links")?.children.map(\.id) == ["link.plans"])
        #expect(driver.tree.find("backlink.plans")?.offers == [.tap(.notes(.openNote(note: "plans")))])
        #expect(driver.tree.find("note.links")?.region == .inspector)
    }

    @Test func whatOthersSayIsBounded() throws {
        var long = Self.comment
        long.text = String(repeating: "x", count: 100_000)
        long.replies = (0..<300).map { .init(id: ReplyID("r\($0)"), author: "", text: "y", at: Self.past) }
        let comments =
            [long, long]
            + (0..<500).map { number in
                NoteComment(id: CommentID("n\(number)"), author: "", text: "z", quote: "", at: Self.past)
            }
        let driver = try inspecting(NoteDetails(comments: comments))
        let kept = try #require(driver.state.notes.followed["groceries"]?.details?.comments)
        #expect(kept.count == NotebookLimits.comments - 1)
        #expect(kept[0].text.utf8.count == NotebookLimits.commentBytes)
        #expect(kept[0].replies.count == NotebookLimits.replies)
        #expect(kept[0].replies.last?.id == "r299")
        #expect(driver.tree.find("comment.n0")?.label == "note.somebody")
    }

    @Test(arguments: [
        (
            NoteAction.resolveComment(note: "groceries", comment: "c1", on: true),
            NoteOperation.resolve(comment: "c1", on: true)
        ),
        (.deleteComment(note: "groceries", comment: "c1"), .deleteComment(comment: "c1")),
        (
            .correctComment(note: "groceries", comment: "c2", reply: nil, text: " Soy? "),
            .correct(comment: "c2", reply: nil, text: "Soy?")
        ),
        (
            .deleteReply(note: "groceries", comment: "c1", reply: "r1"),
            .deleteReply(comment: "c1", reply: "r1")
        ),
        (.restoreVersion(note: "groceries", at: past), .restoreVersion(at: past)),
    ]) func aChangeSurvivesARestart(action: NoteAction, operation: NoteOperation) throws {
        var driver = try inspecting(NoteDetails(comments: [Self.comment]))
        try driver.notes(action)
        #expect(driver.effects == [.changeNote(note: "groceries", change: operation)])
        let effect = try #require(driver.outcome.effects.first)
        try driver.restart(active: false)
        #expect(driver.outcome.effects.contains(effect))
    }

    @Test func commentsAndAnswersHaveIdsOfTheirOwn() throws {
        var driver = try inspecting(NoteDetails(comments: [Self.comment]))
        try driver.notes(.editComment(quote: " Milk\u{0} ", text: " Oat milk? "))
        let offer = try #require(driver.tree.find("note.comment.submit")?.offers.first)
        try driver.dispatch(offer.action)
        guard case .changeNote("groceries", .comment(let first, "Milk", nil, "Oat milk?"))? = driver.effects.first
        else {
            Issue.record("no comment is made")
            return
        }
        #expect(first.text.utf8.count == 22)
        #expect(driver.tree.find("note.comment.submit")?.isEnabled == false)
        let reply = try #require(driver.tree.offer(.reply, at: "comment.c1"))
        try driver.dispatch(try reply.action(filledWith: ["text": .string("Yes")]))
        guard case .changeNote("groceries", .reply("c1", let second, "Yes"))? = driver.effects.first else {
            Issue.record("no answer is made")
            return
        }
        #expect(second.text != first.text)
        try driver.dispatch(try reply.action(filledWith: ["text": .string(" \n")]))
        #expect(driver.effects.isEmpty)
    }

    @Test func wordsThatWereSelectedHaveAPlace() throws {
        var driver = try inspecting(NoteDetails())
        let quote = try #require(driver.tree.find("note.comment.quote")?.offers.first)
        try driver.dispatch(try quote.action(filledWith: ["quote": .string("Milk"), "nth": .integer(2)]))
        try driver.notes(.editComment(quote: nil, text: "Oat milk?"))
        func comments() throws -> [NoteOperation] {
            let offer = try #require(driver.tree.find("note.comment.submit")?.offers.first)
            try driver.dispatch(offer.action)
            return driver.effects.compactMap { if case .changeNote(_, let change) = $0 { change } else { nil } }
        }
        guard case .comment(_, "Milk", 2, "Oat milk?")? = try comments().first else {
            Issue.record("the place is lost")
            return
        }
        // Other words that are typed are meant wherever they come first.
        try driver.dispatch(try quote.action(filledWith: ["quote": .string("Milk"), "nth": .integer(2)]))
        try driver.dispatch(try quote.action(filledWith: ["quote": .string("Bread")]))
        try driver.notes(.editComment(quote: nil, text: "Rye?"))
        guard case .comment(_, "Bread", nil, "Rye?")? = try comments().first else {
            Issue.record("the place of other words is kept")
            return
        }
    }

    @Test func historyBelongsToTheNoteOnTheScreen() throws {
        var driver = try inspecting(NoteDetails())
        try driver.notes(.listVersions)
        let listing = try driver.waiting(\.listsVersions)
        try driver.notes(.listVersions)
        #expect(driver.effects.isEmpty)
        let version = NoteVersion(start: Self.past, end: Self.past, changes: 0, authors: ["Ben"])
        try driver.event(.versionsListed(effect: listing, versions: [version, version]))
        #expect(driver.tree.find("note.versions")?.children.map(\.id) == ["version.7"])
        try driver.notes(.showVersion(at: .init(milliseconds: 8)))
        #expect(driver.effects.isEmpty)
        try driver.notes(.showVersion(at: Self.past))
        #expect(driver.effects == [.readVersion(note: "groceries", at: Self.past)])
        let reading = try driver.waiting(\.readsVersion)
        try driver.notes(.openNote(note: "plans"))
        try driver.event(.versionRead(effect: reading, text: "late"))
        #expect(driver.state.views.main.notes.inspector.shown == nil)
        #expect(driver.state.views.main.notes.inspector.versions == nil)
    }

    @Test func aVersionIsRestoredAfterAQuestionAndNotOverADraft() throws {
        var driver = try inspecting(NoteDetails())
        try driver.notes(.listVersions)
        let version = NoteVersion(start: Self.past, end: Self.past, changes: 1, authors: [])
        try driver.event(.versionsListed(effect: driver.waiting(\.listsVersions), versions: [version]))
        try driver.notes(.showVersion(at: Self.past))
        #expect(driver.tree.find("note.version.restore") == nil)
        let text = String(repeating: "é", count: NotebookLimits.textBytes)
        try driver.event(.versionRead(effect: driver.waiting(\.readsVersion), text: text))
        #expect(driver.tree.find("note.version.cut") != nil)
        #expect(driver.tree.find("note.version.yes") == nil)
        try driver.notes(.askToRestoreVersion(on: true))
        try driver.notes(.editNote(text: "unsaved"))
        let yes = try #require(driver.tree.find("note.version.yes")?.offers.first)
        try driver.dispatch(yes.action)
        #expect(driver.effects.isEmpty)
        try driver.notes(.discardDraft(note: "groceries"))
        try driver.dispatch(yes.action)
        let effect = try #require(driver.outcome.effects.first)
        try driver.event(.effectDone(effect: effect.id))
        #expect(driver.effects == [.listVersions(note: "groceries")])
    }

    @Test func theListIsThereBesideANote() throws {
        var driver = try TestDriver()
        try driver.listNotes([.groceries, .plans.with { $0.pinned = true }])
        try driver.notes(.openNote(note: "groceries"))
        let tree = try #require(driver.core.tree(for: .main, windows: ["beside": .init()]))
        #expect(tree.id == "note")
        #expect(tree.find("note.groceries")?.isSelected == true)
        #expect(tree.find("notes.filter.pinned")?.value == .count(1))
        #expect(tree.find("place.home")?.value == .count(1))
        #expect(tree.find("place.cellar")?.facts.level == 1)
        let move = try #require(tree.offer(.move, at: "note.groceries"))
        #expect(
            try move.action(filledWith: ["folder": .string("cellar")])
                == .notes(.moveNote(note: "groceries", folder: "cellar")))
        #expect(try move.action(filledWith: ["folder": .null]) == .notes(.moveNote(note: "groceries", folder: nil)))
        #expect(tree.offer(.unpin, at: "note.plans")?.action == .notes(.pinNote(note: "plans", on: false)))
        #expect(tree.offer(.pin, at: "note.plans") == nil)
    }
}

extension Effect.Kind {
    fileprivate var follows: Bool { if case .followNote = self { true } else { false } }
    fileprivate var listsVersions: Bool { if case .listVersions = self { true } else { false } }
    fileprivate var readsVersion: Bool { if case .readVersion = self { true } else { false } }
}
