import NoteIndex
import RichText
import Testing

@Suite struct StateTests {
    @Test func foldersAreReplacedAsAWhole() throws {
        let index = try makeIndex()
        let all = [
            IndexedFolder(id: "folder-1", name: "Work"), IndexedFolder(id: "b", name: "ideas", order: 1),
            IndexedFolder(id: "c", name: "Recipes", parent: "missing", order: 1, isDeleted: true),
        ]
        try index.write { try $0.setFolders(all.reversed()) }
        #expect(try index.read { try $0.folders() } == all)
        try index.write { try $0.setFolders([all[1]]) }
        #expect(try index.read { try $0.folders() } == [all[1]])
    }

    @Test func progressIsKeptForEachFile() throws {
        let index = try makeIndex()
        let one = IndexedProgress(path: "notes/a/logs/1", document: "a", size: 9, offset: 5, modified: 7, inode: 8)
        let two = IndexedProgress(path: "notes/a/logs/2", document: "a", size: .max, offset: 0)
        let folders = IndexedProgress(path: "folders/logs/1", document: "folders", size: 1, offset: 1)
        try index.write { for progress in [one, two, folders] { try $0.setProgress(progress) } }
        #expect(try index.read { try $0.progress(ofDocument: "a") } == [one, two])
        #expect(try index.read { try $0.progress() } == [folders, one, two])
        try index.write { try $0.removeProgress(ofFile: one.path) }
        #expect(try index.read { try $0.progress(of: one.path) } == nil)
        try index.write { try $0.removeProgress(of: "a") }
        #expect(try index.read { try $0.progress() } == [folders])
    }

    @Test func statesAreKeptForEachDocument() throws {
        let index = try makeIndex()
        let state = SyncState(vectorClock: "{\"i\":{\"sequence\":1}}", document: [0, 255], updated: 5)
        try index.write { writer in
            try writer.setState(state, of: "a")
            try writer.setFolderState(SyncState(document: [], updated: 6))
            try writer.setProblem("torn", of: "b")
        }
        #expect(try index.read { try $0.state(of: "a") } == state)
        #expect(try index.read { try $0.state(of: "b") } == nil)
        #expect(try index.read { try $0.folderState() } == SyncState(document: [], updated: 6))
        #expect(try index.read { try $0.problems() } == ["b": "torn"])
        try index.write { writer in
            try writer.setState(nil, of: "a")
            try writer.setProblem(nil, of: "b")
        }
        #expect(try index.read { try $0.state(of: "a") } == nil)
        #expect(try index.read { try $0.problem(of: "b") } == nil)
    }

    @Test func devicesPicturesAndSettingsAreKept() throws {
        let index = try makeIndex()
        let ada = IndexedPresence(
            profile: "p", instance: "i", profileName: "Main", handle: "@ada", personName: "Ada", host: "box",
            platform: "linux", appVersion: "1", updated: 5)
        let image = IndexedImage(
            id: "m", file: "m.png", mimeType: "image/png", width: 3, height: nil, size: 9, created: 1)
        try index.write { writer in
            try writer.upsert(IndexedPresence(profile: "p"))
            try writer.upsert(ada)
            try writer.upsert(image)
            try writer.setAppState("lastOpenedNote", "a")
        }
        #expect(try index.read { try $0.presences() } == [ada])
        #expect(try index.read { try $0.presence(of: "q") } == nil)
        #expect(try index.read { try $0.image("m") } == image)
        #expect(try index.read { try $0.appState("lastOpenedNote") } == "a")
        try index.write { writer in
            try writer.removeImage("m")
            try writer.setAppState("lastOpenedNote", nil)
        }
        #expect(try index.read { try $0.image("m") } == nil)
        #expect(try index.read { try $0.appState("lastOpenedNote") } == nil)
    }

    /// Whatever happened to the notes, the index is the same as one that saw only how they ended.
    @Test(arguments: 0..<8) func theWayDoesNotMatter(seed: Int) throws {
        let (long, short) = (try makeIndex(), try makeIndex())
        var last: [String: IndexedNote] = [:]
        for _ in 0..<300 {
            let id = "n\(Int.random(in: 0..<12))"
            if Int.random(in: 0..<5) == 0 {
                last[id] = nil
                try long.write { try $0.remove(id) }
            } else {
                let new = randomNote(id)
                last[id] = new
                try long.add(new)
            }
        }
        for new in last.values.sorted(by: { $0.id < $1.id }) { try short.add(new) }
        for look in [lists, relations, searches] { #expect(try look(long) == look(short)) }
    }

    private func randomNote(_ id: String) -> IndexedNote {
        func some(_ prefix: String) -> [String] {
            (0..<6).filter { _ in Bool.random() }.map { "\(prefix)\($0)" }
        }
        let words = (0..<6).map { _ in "word\(Int.random(in: 0..<20))" }.joined(separator: " ")
        var note = note(
            id, "\(words)\n\(words)", folder: some("f").first, modified: Int64.random(in: 0..<20_000),
            isDeleted: Int.random(in: 0..<4) == 0, isPinned: .random(), tags: some("t"), links: some("n"))
        note.tasks = some("task").map { IndexedTask(.checked, $0) }
        note.threads = some("c").map { thread("\(id)-\($0)") }
        return note
    }

    private func lists(_ index: NoteIndex) throws -> [String] {
        try index.read { reader in
            try reader.noteIDs().map { "\(try reader.note($0).debugDescription)" }
                + [NoteFilter(), NoteFilter(.deleted), NoteFilter(.folder("f0"), tags: ["t1"], withoutTags: ["t2"])]
                .flatMap { try reader.notes($0).map(\.id) }
        }
    }

    private func relations(_ index: NoteIndex) throws -> [String] {
        try index.read { reader in
            try reader.tags().map { "\($0)" } + reader.tasks().map { "\($0)" }
                + (0..<12).map { "\(try reader.links(to: "n\($0)").map(\.id)) \(try reader.links(from: "n\($0)"))" }
        }
    }

    /// Notes of one second have no order among them.
    private func searches(_ index: NoteIndex) throws -> [String] {
        try index.read { reader in
            try (0..<20).map { "\(try reader.search("word\($0)").map { $0.id + $0.snippet }.sorted())" }
        }
    }
}
