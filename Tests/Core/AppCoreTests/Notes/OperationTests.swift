import AppCore
import Testing

/// What is done to notes and folders as a whole.
@Suite struct OperationTests {
    @Test func aNewNoteHasAnIdOfItsOwn() throws {
        var stage = try Stage()
        try stage.listNotes()
        var ids: Set<NoteID> = []
        for _ in 0..<50 {
            try stage.notes(.createNote(title: " A\u{0}b ", folder: "nowhere"))
            guard case .createNote(let note, "Ab", nil, nil)? = stage.effects.first else {
                Issue.record("no note is made")
                return
            }
            // A random UUID in base64url: 22 digits of 6 bits, of which 4 say the version and 2 the variant.
            #expect(note.text.utf8.count == 22)
            let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
            let bits = try note.text.flatMap { digit in
                let value = try #require(digits.firstIndex(of: digit)).utf16Offset(in: digits)
                return (0..<6).map { value >> (5 - $0) & 1 }
            }
            #expect(Array(bits[48..<52]) == [0, 1, 0, 0])
            #expect(Array(bits[64..<66]) == [1, 0])
            ids.insert(note)
        }
        #expect(ids.count == 50)
    }

    @Test func aNewNoteIsShownWhereSomebodyWaits() throws {
        var stage = try Stage()
        try stage.listNotes()
        try stage.notes(.createNote(title: "New", folder: "home"))
        let effect = try #require(stage.outcome.effects.first)
        #expect(stage.tree.find("notes.create")?.isBusy == true)
        try stage.event(.effectDone(effect: effect.id))
        #expect(stage.tree.id == "note")
        try stage.app(.back)
        try stage.notes(.createNote(title: "Other", folder: nil))
        let other = try #require(stage.outcome.effects.first)
        try stage.app(.navigate(to: Screen(.settings)))
        try stage.event(.effectDone(effect: other.id))
        #expect(stage.tree.id == "settings")
    }

    @Test(arguments: [
        (NoteAction.pinNote(note: "groceries", on: true), NoteOperation.pin(on: true)),
        (.renameNote(note: "groceries", title: " Food\n"), .rename(title: "Food")),
        (.moveNote(note: "groceries", folder: "cellar"), .move(folder: "cellar")),
        (.moveNote(note: "groceries", folder: nil), .move(folder: nil)),
        (.deleteNote(note: "groceries"), .delete),
    ]) func aChangeIsAskedForAndSurvivesARestart(action: NoteAction, operation: NoteOperation) throws {
        var stage = try Stage()
        try stage.listNotes()
        try stage.notes(action)
        #expect(stage.effects == [.changeNote(note: "groceries", change: operation)])
        let effect = try #require(stage.outcome.effects.first)
        try stage.restart(active: false)
        #expect(stage.outcome.effects.contains(effect))
        try stage.event(.effectDone(effect: effect.id))
        #expect(stage.disk["effect/\(effect.id.number)"] == nil)
    }

    @Test(arguments: [
        NoteAction.pinNote(note: "groceries", on: false), .renameNote(note: "groceries", title: "Groceries"),
        .moveNote(note: "groceries", folder: "nowhere"), .restoreNote(note: "groceries"),
        .purgeNote(note: "groceries"), .deleteNote(note: "nothing"), .appendToNote(note: "nothing", text: "x"),
        .appendToNote(note: "groceries", text: " \n"), .renameFolder(folder: "home", name: ""),
        .renameFolder(folder: "home", name: "Household"), .moveFolder(folder: "home", parent: "cellar"),
        .moveFolder(folder: "home", parent: "home"), .moveFolder(folder: "cellar", parent: "home"),
        .moveFolder(folder: "cellar", parent: "nowhere"), .deleteFolder(folder: "nowhere", mode: .simple),
        .createFolder(name: " ", parent: nil), .createFolder(name: "x", parent: "nowhere"),
        .shareNote(room: "nobody", note: "groceries"), .stopSharingNote(room: "nobody", note: "groceries"),
        .discardDraft(note: "groceries"), .keepDraft(note: "groceries"), .saveNote, .closeNote, .showMoreNotes,
    ]) func whatMakesNoSenseChangesNothing(action: NoteAction) throws {
        var stage = try Stage()
        try stage.listNotes()
        let before = stage.state
        try stage.notes(action)
        #expect(stage.effects.isEmpty)
        #expect(stage.state == before)
    }

    @Test func aChangeThatFailsIsTold() throws {
        var stage = try Stage()
        try stage.listNotes()
        try stage.notes(.pinNote(note: "groceries", on: true))
        let effect = try #require(stage.outcome.effects.first).id
        try stage.fail(effect, Failure(.folderUnwritable, retryable: true, retryAfter: 2000))
        #expect(stage.text.contains("not written"))
        try stage.pass(seconds: 3)
        #expect(stage.outcome.effects.contains { $0.id == effect })
        try stage.fail(effect, Failure(.noteUnknown))
        #expect(stage.text.contains("somebody deleted it for good"))
        #expect(!stage.open.contains { $0.id == effect })
    }

    @Test func deletingWhatIsGoneIsNoProblem() throws {
        var stage = try Stage()
        try stage.listNotes()
        try stage.notes(.deleteNote(note: "groceries"))
        try stage.fail(try #require(stage.outcome.effects.first).id, Failure(.noteUnknown))
        #expect(stage.state.notices.isEmpty)
    }

    @Test func aPurgeEndsEverythingAboutTheNote() throws {
        var stage = try Stage()
        try stage.writeGroceries()
        try stage.changeNotes([.groceries.with { $0.deleted = true }])
        try stage.app(.navigate(to: Screen(.purgeNote, note: "groceries")))
        try stage.tap("purge_note.confirm")
        #expect(stage.asked { $0 == .changeNote(note: "groceries", change: .purge) })
        #expect(stage.asked { $0 == .releaseNote(note: "groceries") })
        #expect(stage.draft == nil)
        #expect(stage.tree.id == "notes")
    }

    @Test func aParagraphIsNeverAddedTwice() throws {
        var stage = try Stage()
        try stage.listNotes()
        try stage.notes(.appendToNote(note: "groceries", text: "And a lemon"))
        let effect = try stage.waiting(\.isAppend)
        #expect(stage.disk["effect/\(effect.number)"] != nil)
        // The wing says that it has done nothing: it is asked again.
        try stage.fail(effect, Failure(.diskFull, retryable: true, retryAfter: 1000))
        try stage.pass(seconds: 2)
        #expect(stage.outcome.effects.contains { $0.id == effect })
        // Nobody says what it has done: it is not.
        try stage.restart()
        #expect(!stage.asked(\.isAppend))
        #expect(stage.text.contains("Look whether it is there"))
        #expect(stage.disk["effect/\(effect.number)"] == nil)
        try stage.restart()
        #expect(!stage.text.contains("Look whether it is there"))
    }

    @Test func foldersAreMadeMovedAndDeleted() throws {
        var stage = try Stage()
        try stage.listNotes()
        try stage.app(.navigate(to: Screen(.folders)))
        try stage.notes(.editFolder(name: "Travels"))
        try stage.tap("folders.submit")
        guard case .changeFolder(let folder, .create(name: "Travels", parent: nil))? = stage.effects.first else {
            Issue.record("no folder is made")
            return
        }
        #expect(stage.state.notes.folderForm.isEmpty)
        let travels = ListedFolder(id: folder, name: "Travels")
        try stage.event(.foldersChanged(effect: try stage.waiting(\.opensNotes), folders: .some + [travels]))
        try stage.tap("folder.\(folder)")
        try stage.tap("folder.in.home")
        #expect(stage.effects == [.changeFolder(folder: folder, change: .move(parent: "home"))])
        try stage.tap("folder.delete.cascade")
        #expect(stage.effects == [.changeFolder(folder: folder, change: .delete(mode: .cascade))])
        #expect(stage.tree.id == "folders")
    }
}
