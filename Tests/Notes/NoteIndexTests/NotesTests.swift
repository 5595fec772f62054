import NoteIndex
import RichText
import Testing

@Suite struct NotesTests {
    @Test func aNoteIsReadBackWhole() throws {
        let index = try makeIndex()
        var whole = note(
            "a", "Plan\nbuy milk", folder: "f", isPinned: true, tags: ["work", "home"], links: ["b", "c"])
        whole.tasks = [IndexedTask(.unchecked, "milk"), IndexedTask(.nope, "bread"), IndexedTask(.checked, "")]
        whole.threads = [thread("t1"), thread("t2")]
        try index.write { [whole] in try $0.upsert(whole) }
        #expect(try index.read { try $0.note("a") } == whole)
        #expect(try index.read { try $0.note("A") } == nil)
    }

    @Test func aChangedNoteReplacesAllOfTheOld() throws {
        let index = try makeIndex()
        var old = note("a", "Old\nwords", tags: ["x", "y"], links: ["b"])
        old.tasks = [IndexedTask(.unchecked, "one")]
        old.threads = [thread("t1")]
        let new = note("a", "New\nletters", modified: 1_800_000_000_000, tags: ["y"])
        try index.add(old)
        try index.add(new)
        #expect(try index.read { try $0.note("a") } == new)
        #expect(try index.found("words").isEmpty)
        #expect(try index.found("letters") == ["a"])
        #expect(try index.read { try $0.tags().map(\.name) } == ["y"])
        #expect(try index.read { try $0.links(to: "b") }.isEmpty)
    }

    @Test func aRemovedNoteLeavesNothingBehind() throws {
        let index = try makeIndex()
        var gone = note("a", "Gone\nwords", tags: ["x"], links: ["b"])
        gone.threads = [thread("t")]
        try index.write { [gone] writer in
            try writer.upsert(gone)
            try writer.setState(SyncState(document: [1, 2], updated: 3), of: "a")
            try writer.setProgress(IndexedProgress(path: "notes/a/logs/1", document: "a", size: 1, offset: 1))
            try writer.setProblem("torn", of: "a")
            try writer.remove("a")
        }
        #expect(try index.read { try $0.note("a") } == nil)
        #expect(try index.found("words").isEmpty)
        #expect(try index.read { try $0.tags().isEmpty })
        #expect(try index.read { try $0.threads(of: "a").isEmpty })
        #expect(try index.read { try $0.state(of: "a") } == nil)
        #expect(try index.read { try $0.progress().isEmpty })
        #expect(try index.read { try $0.problems().isEmpty })
        try index.write { [gone] in try $0.upsert(gone) }
        #expect(try index.read { try $0.note("a") } == gone)
    }

    @Test func whatFailsInAWriteTakesBackAllOfIt() throws {
        struct Stop: Error {}
        let index = try makeIndex()
        #expect(throws: Stop.self) {
            try index.write { writer in
                try writer.upsert(note("a", "A"))
                throw Stop()
            }
        }
        #expect(try index.read { try $0.noteIDs() }.isEmpty)
    }

    @Test(arguments: [
        (NoteFilter(), ["pinned", "new", "old"]),
        (NoteFilter(.folder("f")), ["old"]),
        (NoteFilter(.folder(nil)), ["pinned", "new"]),
        (NoteFilter(.folder("missing")), []),
        (NoteFilter(.deleted), ["gone"]),
        (NoteFilter(tags: ["x"]), ["pinned", "new"]),
        (NoteFilter(tags: ["x", "Y"]), ["new"]),
        (NoteFilter(tags: ["x"], withoutTags: ["y"]), ["pinned"]),
        (NoteFilter(withoutTags: ["x"]), ["old"]),
    ])
    func listsShowPinnedNotesFirstAndThenTheNewest(filter: NoteFilter, expected: [String]) throws {
        let index = try makeIndex()
        try index.add(
            note("old", "Old", folder: "f", modified: 1), note("new", "New", modified: 3, tags: ["x", "y"]),
            note("pinned", "Pinned", modified: 2, isPinned: true, tags: ["x"]),
            note("gone", "Gone", modified: 4, isDeleted: true, tags: ["x"]))
        #expect(try index.read { try $0.notes(filter).map(\.id) } == expected)
        #expect(try index.read { try $0.noteCount(filter) } == expected.count)
        #expect(
            try index.read { try $0.notes(filter, limit: 1, offset: 1).map(\.id) }
                == Array(expected.dropFirst().prefix(1)))
    }

    @Test func hugeCommentsAreCutAndFoundTheSameAgain() throws {
        let index = try makeIndex()
        var huge = note("a", "A")
        huge.threads = [thread("t")]
        huge.threads[0].comment.text = String(repeating: "é", count: 1_000_000)
        huge.threads[0].replies = (0..<2000).map { IndexedReply(id: "r\($0)", comment: thread("t").comment) }
        try index.add(huge)
        let kept = try #require(try index.read { try $0.note("a") })
        #expect(kept.threads[0].comment.text.count == 20_000)
        #expect(kept.threads[0].replies.count == 1000)
    }

    @Test func hugeNotesAreCut() throws {
        let index = try makeIndex()
        try index.add(
            note("a", String(repeating: "t", count: 2000) + "\n" + String(repeating: "word ", count: 1_000_000)))
        let kept = try #require(try index.read { try $0.note("a") })
        #expect(kept.title.count == 1000)
        #expect(kept.text.utf8.count == 4 << 20)
        #expect(try index.found("word") == ["a"])
    }
}

func thread(_ id: String) -> IndexedThread {
    let comment = IndexedComment(
        author: "p1", authorName: "Ada", authorHandle: "@ada", text: "Is this so?", created: 1, modified: 2)
    let reaction = { (id: String) in
        IndexedReaction(id: id, emoji: "👍🏽", author: "p2", authorName: "Bob", created: 5)
    }
    return IndexedThread(
        id: id, comment: comment, quoted: "milk", anchorStart: [3, 0, 0, 0], anchorEnd: [7, 0, 0, 0], isResolved: true,
        resolvedBy: "p2", resolvedAt: 9, reactions: [reaction(id + "-x1")],
        replies: [
            IndexedReply(id: id + "-r1", comment: comment, reactions: [reaction(id + "-x2"), reaction(id + "-x3")])
        ])
}
