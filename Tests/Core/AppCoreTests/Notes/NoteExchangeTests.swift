import AppCore
import Testing

/// Notes written out as files, and made of files; and the list during a search.
@Suite struct NoteExchangeTests {
    @Test func whatIsExportedIsShown() throws {
        var driver = try TestDriver()
        try driver.notes(.openNotes)
        #expect(driver.tree.find("notes.export")?.isEnabled == false)
        try driver.listNotes()
        try driver.notes(.exportNotes(note: "nowhere"))
        #expect(driver.effects.isEmpty)
        let export = try #require(driver.tree.offer(.export, at: "note.plans"))
        try driver.dispatch(export.action)
        #expect(driver.effects == [.exportNotes(note: "plans")])
        let effect = try #require(driver.outcome.effects.first?.id)
        try driver.event(.notesExported(effect: effect, path: "Files/Exported", count: 1))
        #expect(driver.effects == [.openFile(path: "Files/Exported")])
        try driver.event(.notesExported(effect: effect, path: "twice", count: 1))
        #expect(driver.effects.isEmpty)
    }

    @Test func aViewThatSavesFilesGetsOne() throws {
        var driver = try TestDriver()
        try driver.listNotes()
        try driver.app(.tellAbilities(can: [.downloads]))
        let export = try #require(driver.tree.offer(.export, at: "note.plans"))
        try driver.dispatch(export.action)
        #expect(driver.effects == [.packNotes(note: "plans")])
        let effect = try #require(driver.outcome.effects.first?.id)
        #expect(driver.tree.find("notes.export")?.isBusy == true)
        #expect(driver.tree.find("note.plans")?.uses.contains(.export) == false, "nothing is offered that does nothing")
        try driver.dispatch(export.action)
        #expect(driver.effects.isEmpty, "one file is made at a time")
        try driver.event(.notesPacked(effect: effect, handle: "h", name: "../Plans\u{202E}.zip", bytes: 7))
        let packed = try #require(driver.tree.find("notes.packed")?.facts.archive)
        #expect(packed.handle == "h" && packed.name == "Plans.zip" && driver.effects.isEmpty)
        try driver.dispatch(export.action)
        #expect(driver.tree.find("notes.packed") == nil)
        try driver.fail(try #require(driver.outcome.effects.first?.id), Failure(.diskFull))
        #expect(driver.state.notices.last?.kind == .problem)
    }

    @Test func aFileIsTakenIntoTheFolderThatIsShown() throws {
        var driver = try TestDriver()
        try driver.listNotes()
        try driver.notes(.filterNotes(filter: NotebookFilter(.folder, folder: "cellar")))
        let offer = try #require(driver.tree.find("notes.import")?.offers.first)
        func give(_ bytes: Int64) throws -> Action {
            try offer.action(filledWith: ["name": .string("Wine.md"), "bytes": .integer(bytes), "handle": .string("h")])
        }
        try driver.dispatch(give(NotebookLimits.importedBytes + 1))
        #expect(driver.effects.isEmpty && driver.state.notices.last?.kind == .problem)
        try driver.dispatch(give(10))
        #expect(driver.effects == [.importNote(name: "Wine.md", handle: "h", folder: "cellar")])
        // It is unknown whether it was done: the person looks.
        try driver.restart()
        #expect(!driver.open.contains { if case .importNote = $0.kind { true } else { false } })
    }

    @Test func aFolderThatIsChosenEndsTheSearch() throws {
        var driver = try TestDriver()
        try driver.listNotes()
        #expect(driver.tree.find("notes.filter.all")?.isSelected == true)
        try driver.notes(.searchNotes(query: "milk"))
        let all = try #require(driver.tree.find("notes.filter.all"))
        #expect(!all.isSelected)
        try driver.dispatch(try #require(all.offers.first).action)
        #expect(driver.state.views.main.notes.search.query.isEmpty)
        #expect(driver.tree.find("notes.list") != nil)
    }
}
