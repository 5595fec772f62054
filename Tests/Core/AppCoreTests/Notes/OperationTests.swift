import AppCore
import Testing

/// What is done to notes and folders as a whole.
@Suite struct OperationTests {
    @Test func aNewNoteHasAnIdOfItsOwn() throws {
        var driver = try TestDriver()
        try driver.listNotes()
        var ids: Set<NoteID> = []
        for _ in 0..<50 {
            try driver.notes(.createNote(title: " A\u{0}b ", folder: "nowhere"))
            guard case .createNote(let note, "Ab", nil, nil)? = driver.effects.first else {
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
        var driver = try TestDriver()
        try driver.listNotes()
        try driver.notes(.createNote(title: "New", folder: "home"))
        let effect = try #require(driver.outcome.effects.first)
        #expect(driver.tree.find("notes.create")?.isBusy == true)
        try driver.event(.effectDone(effect: effect.id))
        #expect(driver.tree.id == "note")
        try driver.app(.back)
        try driver.notes(.createNote(title: "Other", folder: nil))
        let other = try #require(driver.outcome.effects.first)
        try driver.app(.navigate(to: Screen(.settings)))
        try driver.event(.effectDone(effect: other.id))
        #expect(driver.tree.id == "settings")
    }

    @Test func aNewNoteTakesNobodyAwayFromAnother() throws {
        var driver = try TestDriver()
        try driver.listNotes()
        try driver.notes(.createNote(title: "New", folder: nil))
        let effect = try #require(driver.outcome.effects.first)
        try driver.notes(.openNote(note: "groceries"))
        try driver.event(.effectDone(effect: effect.id))
        #expect(driver.tree.id == "note" && driver.state.views.main.note == "groceries")
    }

    @Test(arguments: [
        (NoteAction.pinNote(note: "groceries", on: true), NoteOperation.pin(on: true)),
        (.renameNote(note: "groceries", title: " Food\n"), .rename(title: "Food")),
        (.moveNote(note: "groceries", folder: "cellar"), .move(folder: "cellar")),
        (.moveNote(note: "groceries", folder: nil), .move(folder: nil)),
        (.deleteNote(note: "groceries"), .delete),
    ]) func aChangeIsAskedForAndSurvivesARestart(action: NoteAction, operation: NoteOperation) throws {
        var driver = try TestDriver()
        try driver.listNotes()
        try driver.notes(action)
        #expect(driver.effects == [.changeNote(note: "groceries", change: operation)])
        let effect = try #require(driver.outcome.effects.first)
        try driver.restart(active: false)
        #expect(driver.outcome.effects.contains(effect))
        try driver.event(.effectDone(effect: effect.id))
        #expect(driver.disk["effect/\(effect.id.number)"] == nil)
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
        var driver = try TestDriver()
        try driver.listNotes()
        let before = driver.state
        try driver.notes(action)
        #expect(driver.effects.isEmpty)
        #expect(driver.state == before)
    }

    @Test func aChangeThatFailsIsTold() throws {
        var driver = try TestDriver()
        try driver.listNotes()
        try driver.notes(.pinNote(note: "groceries", on: true))
        let effect = try #require(driver.outcome.effects.first).id
        try driver.fail(effect, Failure(.folderUnwritable, retryable: true, retryAfter: 2000))
        #expect(driver.text.contains("not written"))
        try driver.pass(seconds: 3)
        #expect(driver.outcome.effects.contains { $0.id == effect })
        try driver.fail(effect, Failure(.noteUnknown))
        #expect(driver.text.contains("somebody deleted it for good"))
        #expect(!driver.open.contains { $0.id == effect })
    }

    @Test func deletingWhatIsGoneIsNoProblem() throws {
        var driver = try TestDriver()
        try driver.listNotes()
        try driver.notes(.deleteNote(note: "groceries"))
        try driver.fail(try #require(driver.outcome.effects.first).id, Failure(.noteUnknown))
        #expect(driver.state.notices.isEmpty)
    }

    @Test func aPurgeEndsEverythingAboutTheNote() throws {
        var driver = try TestDriver()
        try driver.writeGroceries()
        try driver.changeNotes([.groceries.with { $0.deleted = true }])
        try driver.app(.navigate(to: Screen(.purgeNote, note: "groceries")))
        try driver.tap("purge_note.confirm")
        #expect(driver.asked { $0 == .changeNote(note: "groceries", change: .purge) })
        #expect(driver.asked { $0 == .releaseNote(note: "groceries") })
        #expect(driver.draft == nil)
        #expect(driver.tree.id == "notes")
    }

    @Test func aParagraphIsNeverAddedTwice() throws {
        var driver = try TestDriver()
        try driver.listNotes()
        try driver.notes(.appendToNote(note: "groceries", text: "And a lemon"))
        let effect = try driver.waiting(\.isAppend)
        #expect(driver.disk["effect/\(effect.number)"] != nil)
        // The host says that it has done nothing: it is asked again.
        try driver.fail(effect, Failure(.diskFull, retryable: true, retryAfter: 1000))
        try driver.pass(seconds: 2)
        #expect(driver.outcome.effects.contains { $0.id == effect })
        // Nobody says what it has done: it is not.
        try driver.restart()
        #expect(!driver.asked(\.isAppend))
        #expect(driver.text.contains("Look whether it is there"))
        #expect(driver.disk["effect/\(effect.number)"] == nil)
        try driver.restart()
        #expect(!driver.text.contains("Look whether it is there"))
    }

    @Test func foldersAreMadeMovedAndDeleted() throws {
        var driver = try TestDriver()
        try driver.listNotes()
        try driver.app(.navigate(to: Screen(.folders)))
        try driver.notes(.editFolder(name: "Travels"))
        try driver.tap("folders.submit")
        guard case .changeFolder(let folder, .create(name: "Travels", parent: nil))? = driver.effects.first else {
            Issue.record("no folder is made")
            return
        }
        #expect(driver.state.views.main.notes.folderForm.isEmpty)
        let travels = ListedFolder(id: folder, name: "Travels")
        try driver.event(.foldersChanged(effect: try driver.waiting(\.opensNotes), folders: .some + [travels]))
        try driver.tap("folder.\(folder)")
        try driver.tap("folder.in.home")
        #expect(driver.effects == [.changeFolder(folder: folder, change: .move(parent: "home"))])
        try driver.tap("folder.delete.cascade")
        #expect(driver.effects == [.changeFolder(folder: folder, change: .delete(mode: .cascade))])
        #expect(driver.tree.id == "folders")
    }
}
