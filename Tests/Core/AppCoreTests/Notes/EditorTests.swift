import AppCore
import Testing

/// One note on the screen: read, written, saved, and merged with what others write.
@Suite struct EditorTests {
    @Test func theScreenDecidesWhatIsRead() throws {
        var stage = try Stage()
        try stage.openGroceries()
        #expect(stage.state.notes.editor?.text?.string == "Groceries\n\nMilk")
        try stage.app(.navigate(to: Screen(.noteSettings, note: "groceries")))
        #expect(stage.effects.isEmpty)
        try stage.notes(.openNote(note: "plans"))
        #expect(stage.effects == [.releaseNote(note: "groceries"), .readNote(note: "plans")])
        try stage.app(.back)
        try stage.app(.back)
        #expect(stage.state.notes.editor?.note == "groceries")
        try stage.notes(.closeNote)
        #expect(stage.effects == [.releaseNote(note: "groceries")])
        #expect(stage.tree.id == "notes")
        #expect(!stage.open.contains { $0.kind.isReading })
    }

    @Test func aTextThatComesLateIsNotHeard() throws {
        var stage = try Stage()
        try stage.openGroceries()
        let old = try stage.waiting(\.isReading)
        try stage.notes(.openNote(note: "plans"))
        try stage.event(.noteText(effect: old, revision: "r2", spans: [NoteSpan(text: "late")]))
        #expect(stage.state.notes.editor?.text == nil)
    }

    @Test func aDraftIsOnDiskBeforeItIsSaved() throws {
        var stage = try Stage()
        try stage.writeGroceries()
        #expect(stage.effects.isEmpty)
        #expect(stage.disk["draft/groceries"]?.contains("bread") == true)
        try stage.notes(.saveNote)
        #expect(stage.effects == [.writeNote(note: "groceries", base: "r1", text: "Groceries\n\nMilk, bread")])
        try stage.notes(.saveNote)
        #expect(stage.effects.isEmpty)
        try stage.event(.noteWritten(effect: try stage.write().effect, revision: "r2"))
        #expect(stage.draft == nil)
        #expect(stage.disk["draft/groceries"] == nil)
    }

    @Test func whatIsWrittenDuringASaveGoesOnFromThere() throws {
        var stage = try Stage()
        try stage.writeGroceries()
        try stage.notes(.saveNote)
        try stage.notes(.editNote(text: "Groceries\n\nMilk, bread, eggs"))
        try stage.tellText("r2", NoteSpan(text: "Groceries\n\nMilk, bread"), NoteSpan(text: " and jam", author: "Ben"))
        try stage.event(.noteWritten(effect: try stage.write().effect, revision: "own-2"))
        #expect(stage.draft?.text == "Groceries\n\nMilk, bread, eggs")
        try stage.notes(.saveNote)
        // What Ben wrote is not in the base, so it is not taken out.
        #expect(try stage.write().base == "own-2")
    }

    @Test func backToWhatTheNoteSaysIsNoDraft() throws {
        var stage = try Stage()
        try stage.writeGroceries()
        try stage.notes(.editNote(text: "Groceries\n\nMilk"))
        #expect(stage.draft == nil)
        #expect(stage.disk["draft/groceries"] == nil)
    }

    @Test func aRemoteChangeIsShownBesideTheDraft() throws {
        var stage = try Stage()
        try stage.writeGroceries()
        try stage.tellText("r2", NoteSpan(text: "Groceries\n\nMilk"), NoteSpan(text: ", a melon", author: "Ben"))
        #expect(stage.draft?.base == "r1")
        #expect(stage.state.notes.editor?.remoteChanges == 1)
        #expect(stage.tree.find("note.draft")?.value == .text("Groceries\n\nMilk, bread"))
        #expect(stage.text.contains("Ben · , a melon"))
        try stage.tap("note.save")
        #expect(try stage.write().base == "r1")
        try stage.tellText("r3", NoteSpan(text: "Groceries\n\nMilk, bread"), NoteSpan(text: ", a melon", author: "Ben"))
        try stage.event(.noteWritten(effect: try stage.write().effect, revision: "own"))
        #expect(stage.text.contains("together with what others wrote"))
        #expect(stage.tree.find("note.draft")?.value == .text("Groceries\n\nMilk, bread, a melon"))
        try stage.notes(.editNote(text: "Groceries"))
        #expect(!stage.text.contains("together with what others wrote"))
    }

    @Test func leavingSaves() throws {
        var stage = try Stage()
        try stage.writeGroceries()
        try stage.app(.back)
        #expect(stage.asked(\.isWriting))
        #expect(stage.text.contains("Saving"))
        try stage.event(.noteWritten(effect: try stage.write().effect, revision: "r2"))
        #expect(stage.state.notes.drafts.isEmpty)
    }

    @Test func aSaveThatFailsForNowIsAskedForAgainUnderItsId() throws {
        var stage = try Stage()
        try stage.writeGroceries()
        try stage.notes(.saveNote)
        let effect = try stage.write().effect
        try stage.fail(effect, Failure(.diskFull, retryable: true, retryAfter: 2000))
        #expect(stage.text.contains("The disk is full"))
        try stage.pass(seconds: 3)
        #expect(stage.outcome.effects.contains { $0.id == effect })
        try stage.event(.noteWritten(effect: effect, revision: "r2"))
        #expect(stage.draft == nil)
    }

    @Test(arguments: [Failure.Code.noteUnknown, .noteUnreadable, .other]) func aSaveThatFailsKeepsTheDraft(
        code: Failure.Code
    ) throws {
        var stage = try Stage()
        try stage.writeGroceries()
        try stage.notes(.saveNote)
        try stage.fail(try stage.write().effect, Failure(code))
        #expect(stage.draft?.saving == nil)
        #expect(stage.draft?.failure?.code == code)
        #expect(stage.disk["draft/groceries"]?.contains("bread") == true)
        try stage.tap("note.save")
        #expect(stage.asked(\.isWriting))
    }

    @Test func aSaveInFlightIsAskedForAgainAfterARestart() throws {
        var stage = try Stage()
        try stage.writeGroceries()
        try stage.notes(.saveNote)
        let write = try #require(stage.outcome.effects.first)
        try stage.notes(.editNote(text: "Groceries\n\nMilk, bread, eggs"))
        try stage.restart(active: false)
        #expect(stage.outcome.effects.contains(write))
        try stage.event(.noteWritten(effect: write.id, revision: "own"))
        #expect(stage.draft?.text == "Groceries\n\nMilk, bread, eggs")
        #expect(stage.draft?.base == "own")
        // New effects have new numbers.
        try stage.notes(.openNotes)
        #expect(stage.outcome.effects.allSatisfy { $0.id > write.id })
    }

    @Test func aNoteInTheTrashIsReadOnly() throws {
        var stage = try Stage()
        try stage.writeGroceries()
        try stage.changeNotes([.groceries.with { $0.deleted = true }])
        #expect(stage.tree.find("note.draft")?.isEnabled == false)
        for action in [NoteAction.saveNote, .editNote(text: "x"), .appendToNote(note: "groceries", text: "x")] {
            try stage.notes(action)
            #expect(stage.effects.isEmpty)
        }
        try stage.app(.back)
        #expect(!stage.asked(\.isWriting))
        #expect(stage.draft?.text == "Groceries\n\nMilk, bread")
        #expect(stage.text.contains("Not saved") == false)
        try stage.notes(.filterNotes(filter: NotebookFilter(.deleted)))
        #expect(stage.text.contains("Not saved"))
    }

    @Test func whatWasWrittenInANoteThatIsGoneBecomesANewOne() throws {
        var stage = try Stage()
        try stage.writeGroceries()
        try stage.changeNotes(removed: ["groceries"])
        #expect(stage.tree.find("note.save")?.isEnabled == false)
        try stage.app(.back)
        #expect(!stage.asked(\.isWriting))
        try stage.tap("draft.groceries")
        try stage.fail(try stage.waiting(\.isReading), Failure(.noteUnknown))
        try stage.tap("note.keep")
        guard case .createNote(_, "", nil, "Groceries\n\nMilk, bread")? = stage.effects.first else {
            Issue.record("no note is made of the draft")
            return
        }
        #expect(stage.draft == nil)
    }

    @Test func discardingForgetsAlsoWhatIsBeingSaved() throws {
        var stage = try Stage()
        try stage.writeGroceries()
        try stage.tap("note.discard")
        #expect(stage.draft == nil)
        try stage.notes(.editNote(text: "other"))
        try stage.notes(.saveNote)
        let effect = try stage.write().effect
        try stage.notes(.discardDraft(note: "groceries"))
        try stage.event(.noteWritten(effect: effect, revision: "r2"))
        #expect(stage.state.notes.drafts.isEmpty)
        #expect(stage.disk["draft/groceries"] == nil)
    }

    @Test func aLongNoteIsShownInPartAndNotEdited() throws {
        var stage = try Stage()
        try stage.listNotes()
        try stage.notes(.openNote(note: "groceries"))
        let text = String(repeating: "é", count: NotebookLimits.textBytes)
        try stage.tellText("r1", NoteSpan(text: text), NoteSpan(text: "never seen", author: "Ben"))
        let shown = try #require(stage.state.notes.editor?.text)
        #expect(shown.isCut)
        #expect(shown.string.utf8.count == NotebookLimits.textBytes)
        #expect(shown.spans.count == 1)
        try stage.notes(.editNote(text: "short"))
        #expect(stage.state.notes.drafts.isEmpty)
    }

    @Test func aDraftHasAnEnd() throws {
        var stage = try Stage()
        try stage.openGroceries()
        try stage.notes(.editNote(text: String(repeating: "x", count: NotebookLimits.textBytes + 1)))
        #expect(stage.draft == nil)
        #expect(stage.text.contains("too large"))
    }

    @Test func thereIsAnEndToDrafts() throws {
        var stage = try Stage()
        stage.keepsStates = false
        let many = (0...NotebookLimits.drafts).map { ListedNote.plans.renamed("n\($0)") }
        try stage.listNotes(many)
        for note in many {
            try stage.notes(.openNote(note: note.id))
            try stage.tellText("r1", NoteSpan(text: "a"))
            try stage.notes(.editNote(text: "b"))
        }
        #expect(stage.state.notes.drafts.count == NotebookLimits.drafts)
        #expect(stage.text.contains("not saved"))
        try stage.restart()
        #expect(stage.state.notes.drafts.count == NotebookLimits.drafts)
    }

    @Test func partsByTheSameAuthorAreOne() throws {
        var stage = try Stage()
        try stage.listNotes()
        try stage.notes(.openNote(note: "groceries"))
        try stage.tellText(
            "r1", NoteSpan(text: "a"), NoteSpan(text: ""), NoteSpan(text: "b"), NoteSpan(text: "c", author: "Ben"),
            NoteSpan(text: "d", author: "B\u{202E}en"))
        #expect(
            stage.state.notes.editor?.text?.spans == [
                NoteSpan(text: "ab"), NoteSpan(text: "cd", author: "Ben"),
            ])
    }

    @Test func unreadableIsTriedAgainWhenAsked() throws {
        var stage = try Stage()
        try stage.listNotes()
        try stage.notes(.openNote(note: "groceries"))
        try stage.fail(try stage.waiting(\.isReading), Failure(.noteUnreadable, retryable: true))
        #expect(stage.text.contains("damaged, or have not come completely"))
        try stage.tap("note.retry")
        #expect(stage.effects == [.readNote(note: "groceries")])
    }
}

extension ListedNote {
    fileprivate func renamed(_ id: String) -> ListedNote {
        ListedNote(id: NoteID(id), title: id, created: created, modified: modified)
    }
}
