import AppCore
import Testing

/// What the person said about a note is corrected and deleted; what others said is not.
@Suite struct CorrectionTests {
    private static let past = Timestamp(milliseconds: 7)

    /// Ben began a thread, which Ann answered; Ann began another one.
    private func inspecting(deleted: Bool = false, edited: Timestamp? = nil) throws -> TestDriver {
        let answers = [
            NoteComment.Reply(id: "r1", author: "Ann", text: "Yes", at: Self.past, own: true, edited: edited),
            NoteComment.Reply(id: "r2", author: "Ben", text: "Good", at: Self.past),
        ]
        let comments = [
            NoteComment(id: "c1", author: "Ben", text: "Oat?", quote: "Milk", at: Self.past, replies: answers),
            NoteComment(
                id: "c2", author: "Ann", text: "Rye?", quote: "Bread", at: Self.past, own: true, edited: edited),
        ]
        var driver = try TestDriver()
        try driver.listNotes([.groceries.with { $0.deleted = deleted }, .plans])
        try driver.notes(.openNote(note: "groceries"))
        try driver.notes(.inspectNotes(on: true))
        let following = try driver.waiting { if case .followNote = $0 { true } else { false } }
        try driver.event(.noteDetails(effect: following, details: NoteDetails(comments: comments)))
        return driver
    }

    @Test func onlyOwnWordsAreOfferedForIt() throws {
        let tree = try inspecting().tree
        #expect(tree.find("comment.c1")?.uses == [.reply])
        #expect(tree.find("comment.c2")?.uses == [.reply, .edit])
        #expect(tree.find("reply.r1")?.uses == [.edit])
        #expect(tree.find("reply.r2")?.uses == [])
        #expect(tree.offer(.edit, at: "comment.c1") == nil && tree.offer(.edit, at: "reply.r2") == nil)
        #expect(tree.find("reply.r1.delete")?.offers.first?.isDestructive == true)
        #expect(tree.find("reply.r2.delete") == nil)
    }

    @Test func nothingIsOfferedForANoteInTheTrash() throws {
        let tree = try inspecting(deleted: true).tree
        #expect(tree.offer(.edit, at: "comment.c2") == nil && tree.offer(.edit, at: "reply.r1") == nil)
        #expect(tree.find("reply.r1.delete")?.isEnabled == false)
    }

    @Test(arguments: [
        ("comment.c2", NoteOperation.correct(comment: "c2", reply: nil, text: "Wheat?", base: ["Rye?"])),
        ("reply.r1", .correct(comment: "c1", reply: "r1", text: "Wheat?", base: ["Yes"])),
    ]) func theOfferNamesWhatIsCorrected(node: String, operation: NoteOperation) throws {
        var driver = try inspecting()
        let offer = try #require(driver.tree.offer(.edit, at: node))
        try driver.dispatch(try offer.action(filledWith: ["text": .string(" Wheat?\n")]))
        #expect(driver.effects == [.changeNote(note: "groceries", change: operation)])
    }

    @Test(arguments: [
        ("comment.c2", "Rye?"), ("comment.c2", " Rye? "), ("comment.c2", " \n"), ("reply.r1", "Yes"), ("reply.r1", ""),
        ("reply.r1", "Yes\r\n"),
    ]) func anEmptyOrUnchangedTextChangesNothing(node: String, text: String) throws {
        var driver = try inspecting()
        let offer = try #require(driver.tree.offer(.edit, at: node))
        try driver.dispatch(try offer.action(filledWith: ["text": .string(text)]))
        #expect(driver.effects.isEmpty)
    }

    @Test func anOlderCorrectionNeverComesAfterANewerOne() throws {
        var driver = try inspecting()
        func say(_ text: String) throws {
            try driver.notes(.correctComment(note: "groceries", comment: "c2", reply: nil, text: text))
        }
        func change(_ text: String, _ base: String...) -> [Effect.Kind] {
            [.changeNote(note: "groceries", change: .correct(comment: "c2", reply: nil, text: text, base: base))]
        }
        try say("Wheat?")
        let older = try #require(driver.outcome.effects.first?.id)
        try driver.fail(older, Failure(.diskFull, retryable: true))
        try say("Oats?")
        #expect(driver.effects == change("Oats?", "Rye?", "Wheat?"))
        let newer = try #require(driver.outcome.effects.first?.id)
        let waiting = try driver.waiting { if case .changeNote = $0 { true } else { false } }
        #expect(waiting == newer, "the older one is not repeated")
        // Back to what is shown yet: the first correction may be on the disk already.
        try say("Rye?")
        #expect(driver.effects == change("Rye?", "Rye?", "Wheat?", "Oats?"))
    }

    /// The host tells what is around the note some time after it has made a correction.
    @Test func theNextCorrectionIsBasedOnTheLast() throws {
        var driver = try inspecting()
        for (text, base) in [("Wheat?", "Rye?"), ("Oats?", "Wheat?")] {
            try driver.notes(.correctComment(note: "groceries", comment: "c2", reply: nil, text: text))
            let change = NoteOperation.correct(comment: "c2", reply: nil, text: text, base: [base])
            #expect(driver.effects == [.changeNote(note: "groceries", change: change)])
            try driver.event(.effectDone(effect: try #require(driver.outcome.effects.first?.id)))
        }
    }

    @Test func whatALineEndsWithMakesNoOtherText() throws {
        var driver = try inspecting()
        let following = try driver.waiting { if case .followNote = $0 { true } else { false } }
        let comment = NoteComment(
            id: "c2", author: "Ann", text: " Rye?\r\nOats?\r\n", quote: "Bread", at: Self.past, own: true)
        try driver.event(.noteDetails(effect: following, details: NoteDetails(comments: [comment])))
        try driver.notes(.correctComment(note: "groceries", comment: "c2", reply: nil, text: "Rye?\nOats? "))
        #expect(driver.effects.isEmpty && driver.state.notices.isEmpty)
    }

    @Test(arguments: [
        NoteAction.correctComment(note: "groceries", comment: "c1", reply: nil, text: "No"),
        .correctComment(note: "groceries", comment: "c1", reply: "r2", text: "No"),
        .deleteReply(note: "groceries", comment: "c1", reply: "r2"),
    ]) func theWordsOfOthersStayAsTheyAre(action: NoteAction) throws {
        var driver = try inspecting()
        try driver.notes(action)
        #expect(driver.effects.isEmpty)
        #expect(driver.text.contains("Only who said this can change or delete it."))
    }

    @Test func whatIsNotShownTheServiceDecidesAbout() throws {
        var driver = try inspecting()
        try driver.notes(.correctComment(note: "groceries", comment: "c9", reply: nil, text: "No"))
        #expect(
            driver.asked {
                $0 == .changeNote(note: "groceries", change: .correct(comment: "c9", reply: nil, text: "No"))
            })
    }

    @Test func anAnswerIsDeleted() throws {
        var driver = try inspecting()
        let offer = try #require(driver.tree.find("reply.r1.delete")?.offers.first)
        try driver.dispatch(offer.action)
        #expect(driver.effects == [.changeNote(note: "groceries", change: .deleteReply(comment: "c1", reply: "r1"))])
    }

    @Test func itSaysThatItWasCorrected() throws {
        let tree = try inspecting(edited: Self.past).tree
        #expect(tree.find("reply.r1")?.detail == "comment.edited")
        #expect(tree.find("reply.r2")?.detail == nil)
        let about = Words.key("comment.about", ["quote": .said("Bread")])
        #expect(tree.find("comment.c2")?.detail == .all([about, "comment.edited"]))
    }

    @Test func aServiceMaySayNeither() throws {
        let json =
            #"{"id":"c1","author":"Ben","text":"Oat?","quote":"Milk","at":7,"resolved":false,"#
            + #""replies":[{"id":"r1","author":"Ann","text":"Yes","at":7}]}"#
        let comment = try JSON.decode(NoteComment.self, from: Array(json.utf8))
        #expect(comment.own == nil && comment.edited == nil && comment.replies.first?.own == nil)
        #expect(try JSON.decode(NoteComment.self, from: JSON.encode(comment)) == comment)
    }

    @Test func aCommentOfTheLongestKindIsShownWhole() throws {
        let long = String(repeating: "語", count: 10_000)
        var driver = try inspecting()
        try driver.notes(.correctComment(note: "groceries", comment: "c2", reply: nil, text: long))
        #expect(
            driver.effects == [
                .changeNote(
                    note: "groceries", change: .correct(comment: "c2", reply: nil, text: long, base: ["Rye?"]))
            ])
    }
}
