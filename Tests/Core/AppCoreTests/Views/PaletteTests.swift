import AppCore
import Testing

/// The command palette names what is on no list of the screen.
@Suite struct PaletteTests {
    private func tree(_ driver: TestDriver, _ view: ViewID = .main) throws -> SemanticNode {
        try #require(driver.core.tree(for: view, windows: ["beside": .init()]))
    }

    private func names(_ tree: SemanticNode) -> [String] {
        (tree.find("palette")?.children ?? []).map(\.id)
    }

    @Test func whoeverOpensItFollowsNotesAndApps() throws {
        var driver = try TestDriver()
        #expect(try names(tree(driver)).isEmpty)
        #expect(driver.tree.find("palette") == nil)
        try driver.app(.setPalette(on: true))
        #expect(driver.asked(\.opensApps) && driver.effects.contains(.openNotes))
        #expect(try names(tree(driver)) == ["palette.close"])
        try driver.app(.setPalette(on: true))
        #expect(driver.effects.isEmpty)
    }

    @Test func everyThingLeadsToItself() throws {
        var driver = try TestDriver()
        try driver.listNotes([.groceries, .plans.with { $0.deleted = true }])
        try driver.listApps([.checklist])
        try driver.app(.navigate(to: Screen(.settings)))
        try driver.app(.setPalette(on: true))
        let found = try tree(driver)
        #expect(names(found) == ["palette.close", "found.app.checklist.example", "found.note.groceries"])
        #expect(found.offer(.tap, at: "found.note.groceries")?.action == .notes(.openNote(note: "groceries")))
        #expect(
            found.offer(.tap, at: "found.app.checklist.example")?.action == .apps(.showApp(app: "checklist.example")))
        try driver.dispatch(try #require(found.offer(.tap, at: "palette.close")).action)
        #expect(try names(tree(driver)).isEmpty)
    }

    @Test func itIsOfOneWindow() throws {
        var driver = try TestDriver()
        try driver.dispatch(.app(.openView), in: "page")
        try driver.dispatch(.app(.becameActive), in: "page")
        try driver.dispatch(.app(.setPalette(on: true)), in: "page")
        #expect(try names(tree(driver, "page")) == ["palette.close"])
        #expect(try names(tree(driver)).isEmpty)
    }
}
