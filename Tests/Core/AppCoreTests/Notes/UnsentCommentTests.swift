import AppCore
import Testing

/// What could not be said about a note is not lost.
@Suite struct UnsentCommentTests {
    private static let past = Timestamp(milliseconds: 7)

    private func inspecting() throws -> TestDriver {
        let reply = NoteComment.Reply(id: "r1", author: "Ann", text: "Yes", at: Self.past, own: true)
        let comment = NoteComment(
            id: "c1", author: "Ann", text: "Oat?", quote: "Milk", at: Self.past, own: true, replies: [reply])
        var driver = try TestDriver()
        try driver.openGroceries()
        try driver.notes(.inspectNotes(on: true))
        let following = try driver.waiting { if case .followNote = $0 { true } else { false } }
        try driver.event(.noteDetails(effect: following, details: NoteDetails(comments: [comment])))
        return driver
    }

    private static let said = [
        NoteAction.commentNote(note: "groceries", quote: "Milk", text: "Soy?"),
        .replyToComment(note: "groceries", comment: "c1", text: "Soy?"),
        .correctComment(note: "groceries", comment: "c1", reply: nil, text: "Soy?"),
        .correctComment(note: "groceries", comment: "c1", reply: "r1", text: "Soy?"),
    ]

    private func form(_ driver: TestDriver) -> [String] {
        let inspector = driver.state.views.main.notes.inspector
        return [inspector.quoteForm, inspector.commentForm]
    }

    @Test(arguments: said) func itStandsInTheFormAgain(action: NoteAction) throws {
        var driver = try inspecting()
        try driver.notes(action)
        #expect(form(driver) == ["", ""])
        try driver.fail(try #require(driver.outcome.effects.first).id, Failure(.commentUnknown))
        #expect(form(driver) == ["Milk", "Soy?"])
        #expect(driver.text.contains("Somebody deleted this comment."))
        let field = try #require(driver.tree.find("note.comment.text"))
        #expect(field.detail == .all(["failure.comment_unknown", "note.comment.returned"]))
        // It can be sent again as it is, and then the form is empty.
        let offer = try #require(driver.tree.find("note.comment.submit")?.offers.first)
        try driver.dispatch(offer.action)
        guard case .changeNote("groceries", .comment(_, "Milk", nil, "Soy?"))? = driver.effects.first else {
            Issue.record("it is not sent again")
            return
        }
        #expect(form(driver) == ["", ""] && driver.tree.find("note.comment.text")?.detail == nil)
    }

    @Test func itComesBeforeWhatIsBeingWritten() throws {
        var driver = try inspecting()
        try driver.notes(Self.said[1])
        let effect = try #require(driver.outcome.effects.first).id
        try driver.notes(.editComment(quote: "bread", text: "Rye?"))
        try driver.fail(effect, Failure(.commentUnknown))
        #expect(form(driver) == ["bread", "Soy?\n\nRye?"])
        try driver.notes(.editComment(quote: nil, text: "Soy?"))
        #expect(driver.tree.find("note.comment.text")?.detail == nil)
    }

    @Test func bothWouldBeTooLong() throws {
        var driver = try inspecting()
        try driver.notes(Self.said[1])
        let effect = try #require(driver.outcome.effects.first).id
        let long = String(repeating: "x", count: 9_999)
        try driver.notes(.editComment(quote: "bread", text: long))
        try driver.fail(effect, Failure(.commentUnknown))
        #expect(form(driver) == ["bread", long])
        #expect(driver.text.contains("This was not sent: “Soy?”"))
    }

    @Test func aNoticeSaysItWhereTheNoteIsNotShown() throws {
        for isGone in [false, true] {
            var driver = try inspecting()
            try driver.notes(Self.said[3])
            let effect = try #require(driver.outcome.effects.first).id
            if isGone { try driver.restart() } else { try driver.app(.back) }
            try driver.fail(effect, Failure(.commentChanged))
            #expect(driver.text.contains("changed this comment meanwhile"))
            #expect(driver.text.contains("This was not sent: “Soy?”"))
        }
    }

    @Test(
        arguments: said + [
            .deleteReply(note: "groceries", comment: "c1", reply: "r1"),
            .deleteComment(note: "groceries", comment: "c1"),
            .resolveComment(note: "groceries", comment: "c1", on: true),
        ]) func itSaysWhenThatIsNotPossibleAnyMore(action: NoteAction) throws
    {
        for isGone in [false, true] {
            var driver = try inspecting()
            if isGone {
                try driver.changeNotes(removed: ["groceries"])
            } else {
                try driver.changeNotes([.groceries.with { $0.deleted = true }])
            }
            try driver.notes(action)
            #expect(driver.effects.isEmpty)
            let reason = isGone ? "somebody deleted it for good" : "in the trash"
            #expect(driver.state.notices.count == 1)
            #expect(driver.text.contains(reason))
            if Self.said.contains(action) {
                #expect(driver.text.contains("This was not sent: “Soy?”"))
            }
        }
    }

    @Test(arguments: said) func whatIsTooLongIsRefusedAtOnce(action: NoteAction) throws {
        var driver = try inspecting()
        let long = String(repeating: "語", count: 10_001)
        let action: NoteAction =
            switch action {
            case .commentNote(let note, let quote, _, _): .commentNote(note: note, quote: quote, text: long)
            case .correctComment(let note, let comment, let reply, _):
                .correctComment(note: note, comment: comment, reply: reply, text: long)
            default: .replyToComment(note: "groceries", comment: "c1", text: long)
            }
        try driver.notes(action)
        #expect(driver.effects.isEmpty)
        #expect(driver.text.contains("at most 10000 characters"))
        #expect(driver.state.views.main.notes.inspector.commentForm == long)
    }
}
