import AppCore
import Testing

/// One note on the screen: read, written, saved, and merged with what others write.
@Suite struct EditorTests {
    @Test func theScreenDecidesWhatIsRead() throws {
        var driver = try TestDriver()
        try driver.openGroceries()
        #expect(driver.state.notes.editors.first?.text?.string == "Groceries\n\nMilk")
        try driver.app(.navigate(to: Screen(.noteSettings, note: "groceries")))
        #expect(driver.effects.isEmpty)
        try driver.notes(.openNote(note: "plans"))
        #expect(driver.effects == [.releaseNote(note: "groceries"), .readNote(note: "plans")])
        try driver.app(.back)
        try driver.app(.back)
        #expect(driver.state.notes.editors.first?.note == "groceries")
        try driver.notes(.closeNote)
        #expect(driver.effects == [.releaseNote(note: "groceries")])
        #expect(driver.tree.id == "notes")
        #expect(!driver.open.contains { $0.kind.isReading })
    }

    @Test func aTextThatComesLateIsNotHeard() throws {
        var driver = try TestDriver()
        try driver.openGroceries()
        let old = try driver.waiting(\.isReading)
        try driver.notes(.openNote(note: "plans"))
        try driver.event(.noteText(effect: old, revision: "r2", spans: [NoteSpan(text: "late")]))
        #expect(driver.state.notes.editors.first?.text == nil)
    }

    @Test func aDraftIsOnDiskBeforeItIsSaved() throws {
        var driver = try TestDriver()
        try driver.writeGroceries()
        #expect(driver.effects.isEmpty)
        #expect(driver.disk["draft/groceries"]?.contains("bread") == true)
        try driver.notes(.saveNote)
        #expect(driver.effects == [.writeNote(note: "groceries", base: "r1", text: "Groceries\n\nMilk, bread")])
        try driver.notes(.saveNote)
        #expect(driver.effects.isEmpty)
        try driver.event(.noteWritten(effect: try driver.write().effect, revision: "r2"))
        #expect(driver.draft == nil)
        #expect(driver.disk["draft/groceries"] == nil)
    }

    @Test func whatIsWrittenDuringASaveGoesOnFromThere() throws {
        var driver = try TestDriver()
        try driver.writeGroceries()
        try driver.notes(.saveNote)
        try driver.notes(.editNote(text: "Groceries\n\nMilk, bread, eggs"))
        try driver.tellText("r2", NoteSpan(text: "Groceries\n\nMilk, bread"), NoteSpan(text: " and jam", author: "Ben"))
        try driver.event(.noteWritten(effect: try driver.write().effect, revision: "own-2"))
        #expect(driver.draft?.text == "Groceries\n\nMilk, bread, eggs")
        try driver.notes(.saveNote)
        // What Ben wrote is not in the base, so it is not taken out.
        #expect(try driver.write().base == "own-2")
    }

    @Test func backToWhatTheNoteSaysIsNoDraft() throws {
        var driver = try TestDriver()
        try driver.writeGroceries()
        try driver.notes(.editNote(text: "Groceries\n\nMilk"))
        #expect(driver.draft == nil)
        #expect(driver.disk["draft/groceries"] == nil)
    }

    @Test func aRemoteChangeIsShownBesideTheDraft() throws {
        var driver = try TestDriver()
        try driver.writeGroceries()
        try driver.tellText("r2", NoteSpan(text: "Groceries\n\nMilk"), NoteSpan(text: ", a melon", author: "Ben"))
        #expect(driver.draft?.base == "r1")
        #expect(driver.state.notes.editors.first?.remoteChanges == 1)
        #expect(driver.tree.find("note.draft")?.value == .text("Groceries\n\nMilk, bread"))
        #expect(driver.text.contains("Ben · , a melon"))
        try driver.tap("note.save")
        #expect(try driver.write().base == "r1")
        try driver.tellText(
            "r3", NoteSpan(text: "Groceries\n\nMilk, bread"), NoteSpan(text: ", a melon", author: "Ben"))
        try driver.event(.noteWritten(effect: try driver.write().effect, revision: "own"))
        #expect(driver.text.contains("together with what others wrote"))
        #expect(driver.tree.find("note.draft")?.value == .text("Groceries\n\nMilk, bread, a melon"))
        try driver.notes(.editNote(text: "Groceries"))
        #expect(!driver.text.contains("together with what others wrote"))
    }

    @Test func leavingSaves() throws {
        var driver = try TestDriver()
        try driver.writeGroceries()
        try driver.app(.back)
        #expect(driver.asked(\.isWriting))
        #expect(driver.text.contains("Saving"))
        try driver.event(.noteWritten(effect: try driver.write().effect, revision: "r2"))
        #expect(driver.state.notes.drafts.isEmpty)
    }

    @Test func aSaveThatFailsForNowIsAskedForAgainUnderItsId() throws {
        var driver = try TestDriver()
        try driver.writeGroceries()
        try driver.notes(.saveNote)
        let effect = try driver.write().effect
        try driver.fail(effect, Failure(.diskFull, retryable: true, retryAfter: 2000))
        #expect(driver.text.contains("The disk is full"))
        try driver.pass(seconds: 3)
        #expect(driver.outcome.effects.contains { $0.id == effect })
        try driver.event(.noteWritten(effect: effect, revision: "r2"))
        #expect(driver.draft == nil)
    }

    @Test(arguments: [Failure.Code.noteUnknown, .noteUnreadable, .other]) func aSaveThatFailsKeepsTheDraft(
        code: Failure.Code
    ) throws {
        var driver = try TestDriver()
        try driver.writeGroceries()
        try driver.notes(.saveNote)
        try driver.fail(try driver.write().effect, Failure(code))
        #expect(driver.draft?.saving == nil)
        #expect(driver.draft?.failure?.code == code)
        #expect(driver.disk["draft/groceries"]?.contains("bread") == true)
        try driver.tap("note.save")
        #expect(driver.asked(\.isWriting))
    }

    @Test func aSaveInFlightIsAskedForAgainAfterARestart() throws {
        var driver = try TestDriver()
        try driver.writeGroceries()
        try driver.notes(.saveNote)
        let write = try #require(driver.outcome.effects.first)
        try driver.notes(.editNote(text: "Groceries\n\nMilk, bread, eggs"))
        try driver.restart(active: false)
        #expect(driver.outcome.effects.contains(write))
        try driver.event(.noteWritten(effect: write.id, revision: "own"))
        #expect(driver.draft?.text == "Groceries\n\nMilk, bread, eggs")
        #expect(driver.draft?.base == "own")
        // New effects have new numbers.
        try driver.notes(.openNotes)
        #expect(driver.outcome.effects.allSatisfy { $0.id > write.id })
    }

    @Test func aNoteInTheTrashIsReadOnly() throws {
        var driver = try TestDriver()
        try driver.writeGroceries()
        try driver.changeNotes([.groceries.with { $0.deleted = true }])
        #expect(driver.tree.find("note.draft")?.isEnabled == false)
        for action in [NoteAction.saveNote, .editNote(text: "x"), .appendToNote(note: "groceries", text: "x")] {
            try driver.notes(action)
            #expect(driver.effects.isEmpty)
        }
        try driver.app(.back)
        #expect(!driver.asked(\.isWriting))
        #expect(driver.draft?.text == "Groceries\n\nMilk, bread")
        #expect(driver.text.contains("Not saved") == false)
        try driver.notes(.filterNotes(filter: NotebookFilter(.deleted)))
        #expect(driver.text.contains("Not saved"))
    }

    @Test func whatWasWrittenInANoteThatIsGoneBecomesANewOne() throws {
        var driver = try TestDriver()
        try driver.writeGroceries()
        try driver.changeNotes(removed: ["groceries"])
        #expect(driver.tree.find("note.save")?.isEnabled == false)
        try driver.app(.back)
        #expect(!driver.asked(\.isWriting))
        try driver.tap("draft.groceries")
        try driver.fail(try driver.waiting(\.isReading), Failure(.noteUnknown))
        try driver.tap("note.keep")
        guard case .createNote(_, "", nil, "Groceries\n\nMilk, bread")? = driver.effects.first else {
            Issue.record("no note is made of the draft")
            return
        }
        #expect(driver.draft == nil)
    }

    @Test func discardingForgetsAlsoWhatIsBeingSaved() throws {
        var driver = try TestDriver()
        try driver.writeGroceries()
        try driver.tap("note.discard")
        #expect(driver.draft == nil)
        try driver.notes(.editNote(text: "other"))
        try driver.notes(.saveNote)
        let effect = try driver.write().effect
        try driver.notes(.discardDraft(note: "groceries"))
        try driver.event(.noteWritten(effect: effect, revision: "r2"))
        #expect(driver.state.notes.drafts.isEmpty)
        #expect(driver.disk["draft/groceries"] == nil)
    }

    @Test func aLongNoteIsShownInPartAndNotEdited() throws {
        var driver = try TestDriver()
        try driver.listNotes()
        try driver.notes(.openNote(note: "groceries"))
        let text = String(repeating: "é", count: NotebookLimits.textBytes)
        try driver.tellText("r1", NoteSpan(text: text), NoteSpan(text: "never seen", author: "Ben"))
        let shown = try #require(driver.state.notes.editors.first?.text)
        #expect(shown.isCut)
        #expect(shown.string.utf8.count == NotebookLimits.textBytes)
        #expect(shown.spans.count == 1)
        try driver.notes(.editNote(text: "short"))
        #expect(driver.state.notes.drafts.isEmpty)
    }

    @Test func aDraftHasAnEnd() throws {
        var driver = try TestDriver()
        try driver.openGroceries()
        try driver.notes(.editNote(text: String(repeating: "x", count: NotebookLimits.textBytes + 1)))
        #expect(driver.draft == nil)
        #expect(driver.text.contains("too large"))
    }

    @Test func thereIsAnEndToDrafts() throws {
        var driver = try TestDriver()
        driver.keepsStates = false
        let many = (0...NotebookLimits.drafts).map { ListedNote.plans.renamed("n\($0)") }
        try driver.listNotes(many)
        for note in many {
            try driver.notes(.openNote(note: note.id))
            try driver.tellText("r1", NoteSpan(text: "a"))
            try driver.notes(.editNote(text: "b"))
        }
        #expect(driver.state.notes.drafts.count == NotebookLimits.drafts)
        #expect(driver.text.contains("not saved"))
        try driver.restart()
        #expect(driver.state.notes.drafts.count == NotebookLimits.drafts)
    }

    @Test func partsByTheSameAuthorAreOne() throws {
        var driver = try TestDriver()
        try driver.listNotes()
        try driver.notes(.openNote(note: "groceries"))
        try driver.tellText(
            "r1", NoteSpan(text: "a"), NoteSpan(text: ""), NoteSpan(text: "b"), NoteSpan(text: "c", author: "Ben"),
            NoteSpan(text: "d", author: "B\u{202E}en"))
        #expect(
            driver.state.notes.editors.first?.text?.spans == [
                NoteSpan(text: "ab"), NoteSpan(text: "cd", author: "Ben"),
            ])
    }

    @Test func unreadableIsTriedAgainWhenAsked() throws {
        var driver = try TestDriver()
        try driver.listNotes()
        try driver.notes(.openNote(note: "groceries"))
        try driver.fail(try driver.waiting(\.isReading), Failure(.noteUnreadable, retryable: true))
        #expect(driver.text.contains("damaged, or have not come completely"))
        try driver.tap("note.retry")
        #expect(driver.effects == [.readNote(note: "groceries")])
    }
}

extension ListedNote {
    fileprivate func renamed(_ id: String) -> ListedNote {
        ListedNote(id: NoteID(id), title: id, created: created, modified: modified)
    }
}
