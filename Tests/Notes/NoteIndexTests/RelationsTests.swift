import NoteIndex
import RichText
import Testing

@Suite struct RelationsTests {
    @Test func aLinkIsFoundWheneverItsTargetComes() throws {
        let index = try makeIndex()
        try index.add(note("a", "A", modified: 1, links: ["late", "a"]), note("b", "B", modified: 2, links: ["late"]))
        #expect(try backlinks("late", index) == ["b", "a"])
        #expect(try backlinks("a", index) == ["a"])
        try index.add(note("late", "Late", links: ["b"]))
        #expect(try backlinks("late", index) == ["b", "a"])
        #expect(try links("a", index) == ["a", "late"])
        // It goes, and comes again.
        try index.write { try $0.remove("late") }
        #expect(try backlinks("late", index) == ["b", "a"])
        #expect(try links("a", index) == ["a", "late"])
        #expect(try backlinks("b", index).isEmpty)
        try index.add(note("late", "Late"))
        try index.add(note("a", "A", isDeleted: true, links: ["late"]))
        #expect(try backlinks("late", index) == ["b"])
        try index.add(note("b", "B"))
        #expect(try backlinks("late", index).isEmpty)
    }

    private func backlinks(_ id: String, _ index: NoteIndex) throws -> [String] {
        try index.read { try $0.links(to: id).map(\.id) }
    }

    private func links(_ id: String, _ index: NoteIndex) throws -> [String] {
        try index.read { try $0.links(from: id) }
    }

    @Test func tagsAreCounted() throws {
        let index = try makeIndex()
        try index.add(
            note("a", "A", tags: ["work", "Home", "work"]), note("b", "B", tags: ["work"]),
            note("c", "C", isDeleted: true, tags: ["work", "old"]))
        let tags = try index.read { try $0.tags().map { "\($0.name) \($0.count)" } }
        #expect(tags == ["home 1", "work 2"])
        #expect(try index.read { try $0.tags(of: "a") } == ["work", "home"])
    }

    @Test func titlesOfLinksAreThoseThatAPersonMaySee() throws {
        let index = try makeIndex()
        try index.add(note("a", "First"), note("b", "Second", isDeleted: true))
        #expect(try index.read { try $0.titles(of: ["a", "b", "c", "a"]) } == ["a": "First"])
    }

    @Test(arguments: [
        ("Xy1", ["Xy1"]), ("xy1", []), ("Xy", ["Xy2", "Xy1"]), ("groceries", ["Xy2"]), ("GROC", ["Xy2", "Xy1"]),
        ("Groceries (2)", ["Xy1"]), ("%", []), ("_", []), ("", []), ("Übung", ["u"]), ("\u{10ffff}", []),
        ("plan", ["p", "q"]),
    ])
    func aPersonNamesANoteByIdOrTitle(reference: String, expected: [String]) throws {
        let index = try makeIndex()
        try index.add(
            note("Xy1", "Groceries (2)", modified: 1), note("Xy2", "Groceries", modified: 2), note("u", "Übung"),
            note("p", "Plan", modified: 3), note("q", "Plan", modified: 4, isDeleted: true), note("r", "Planning"))
        #expect(try index.read { try $0.resolve(reference).map(\.id) } == expected)
    }

    @Test func tasksOfAllNotesComeWithTheirNotes() throws {
        let index = try makeIndex()
        var one = note("a", "A", modified: 1)
        one.tasks = [IndexedTask(.unchecked, "x"), IndexedTask(.checked, "y")]
        var two = note("b", "B", modified: 2)
        two.tasks = [IndexedTask(.nope, "z")]
        var gone = note("c", "C", isDeleted: true)
        gone.tasks = [IndexedTask(.unchecked, "w")]
        try index.add(one, two, gone)
        #expect(try index.read { try $0.tasks().map { $0.note + $0.task.text } } == ["bz", "ax", "ay"])
        #expect(try index.read { try $0.tasks(of: "a") } == one.tasks)
    }

    @Test func commentsWithTheIdsOfAnotherNoteStealNothing() throws {
        let index = try makeIndex()
        var mine = note("a", "A")
        mine.threads = [thread("t")]
        var copy = note("b", "B")
        copy.threads = [thread("t"), thread("u")]
        copy.threads[1].replies[0].id = "t-r1"
        try index.add(mine, copy)
        #expect(try index.read { try $0.threads(of: "a") } == mine.threads)
        #expect(try index.read { try $0.threads(of: "b").map(\.id) } == ["u"])
        try index.write { try $0.remove("b") }
        #expect(try index.read { try $0.threads(of: "a") } == mine.threads)
    }
}
