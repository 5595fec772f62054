import AppCore
import Testing

/// Notes in a view that shows documents: the core only says which one.
@Suite struct DocumentTests {
    private static let (page, terminal): (ViewID, ViewID) = ("page", "terminal")

    private static func withPage() throws -> TestDriver {
        var driver = try TestDriver()
        try driver.dispatch(.app(.openView), in: page)
        try driver.dispatch(.app(.becameActive), in: page)
        try driver.dispatch(.app(.tellAbilities(can: [.documents])), in: page)
        try driver.listNotes()
        return driver
    }

    @Test func theTextIsNeverRead() throws {
        var driver = try Self.withPage()
        try driver.dispatch(.notes(.openNote(note: "groceries")), in: Self.page)
        #expect(!driver.open.contains { $0.kind.isReading })
        let editor = try #require(try driver.tree(in: Self.page).find("note.editor"))
        #expect(editor.role == .editor && editor.facts.doc == "groceries" && !editor.states.contains(.readonly))
        for id in ["note.draft", "note.save", "note.status"] {
            #expect(try driver.tree(in: Self.page).find(id) == nil, "\(id)")
        }
        #expect(driver.state.views[Self.page]?.document == "groceries")
        try driver.dispatch(.app(.navigate(to: Screen(.noteSettings, note: "groceries"))), in: Self.page)
        #expect(driver.state.views[Self.page]?.document == nil, "it is lent to the screen that shows it")
    }

    @Test func aTerminalBesideItReadsMarkdown() throws {
        var driver = try Self.withPage()
        try driver.dispatch(.notes(.openNote(note: "groceries")), in: Self.page)
        try driver.openGroceries()
        #expect(driver.tree.find("note.draft") != nil && driver.tree.find("note.editor") == nil)
        #expect(try driver.tree(in: Self.page).find("note.draft") == nil)
        try driver.notes(.closeNote)
        #expect(driver.effects == [.releaseNote(note: "groceries")])
        #expect(try driver.tree(in: Self.page).find("note.editor") != nil)
    }

    @Test func inTheTrashItIsReadOnly() throws {
        var driver = try Self.withPage()
        try driver.dispatch(.notes(.openNote(note: "groceries")), in: Self.page)
        try driver.changeNotes([.groceries.with { $0.deleted = true }])
        #expect(try driver.tree(in: Self.page).find("note.editor")?.states == .readonly)
        try driver.changeNotes(removed: ["groceries"])
        #expect(try driver.tree(in: Self.page).find("note.editor") == nil, "there is nothing to show")
    }

    @Test func whatIsLeftOfADraftStands() throws {
        var driver = try Self.withPage()
        try driver.writeGroceries("Groceries\n\nhalf")
        try driver.changeNotes([.groceries.with { $0.deleted = true }])
        try driver.notes(.closeNote)
        try driver.dispatch(.notes(.openNote(note: "groceries")), in: Self.page)
        #expect(try driver.tree(in: Self.page).find("note.written")?.value == .text("Groceries\n\nhalf"))
        #expect(try driver.tree(in: Self.page).find("note.keep")?.isEnabled == true)
    }

    @Test func aLockedViewShowsDocumentsAfterwards() throws {
        var driver = try Self.withPage()
        let before = driver.state.views[Self.page]?.can
        try driver.app(.lock)
        #expect(driver.state.views[Self.page]?.can == before)
    }
}
