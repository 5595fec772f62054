import CRDTBridge
import RichText
import Testing

@Suite struct OpenDocumentTests {
    @Test func theLeastRecentlyUsedGoes() async throws {
        var limits = CRDTLimits()
        limits.openDocuments = 3
        let bridge = try await CRDTBridge(limits: limits)
        let first = try await bridge.createNote("0", in: "sd", created: 1)
        for number in 1..<3 { _ = try await bridge.createNote("\(number)", in: "sd", created: 1) }
        _ = try await bridge.tree(of: "0")
        _ = try await bridge.createNote("3", in: "sd", created: 1)
        #expect(await bridge.isLoaded("0"))
        #expect(await !bridge.isLoaded("1"))
        let error = await #expect(throws: CRDTError.self) { try await bridge.state(of: "1") }
        #expect(error?.code == .notLoaded)
        await bridge.releaseMemory(keeping: 1)
        #expect(await bridge.isLoaded("3"))
        #expect(await !bridge.isLoaded("0"))
        try await bridge.load("0", [first])
        #expect(try await bridge.state(of: "0") == first)
    }

    @Test func bytesAreCountedToo() async throws {
        var limits = CRDTLimits()
        limits.openBytes = 10_000
        let bridge = try await CRDTBridge(limits: limits)
        for note in ["a", "b"] {
            _ = try await bridge.createNote(note, in: "sd", created: 1)
            _ = try await bridge.edit(
                note, [.insert([.text([.init(String(repeating: "x", count: 6_000))])], at: [0, 0])])
        }
        _ = try await bridge.createNote("c", in: "sd", created: 1)
        #expect(await !bridge.isLoaded("a"))
        #expect(await bridge.isLoaded("c"))
    }

    /// The engine keeps it for long on a machine with much memory: an import of a large file took twice as much as it needs.
    @Test func `the garbage of a large call is collected at once`() async throws {
        let bridge = try await CRDTBridge()
        let first = try await bridge.createNote("n", in: "sd", created: 1)
        let blocks = (0..<40_000).map { paragraph(.init("Paragraph \($0)")) }
        let second = try #require(try await bridge.edit("n", [.insert(blocks, at: [1])]))
        let edited = try await bridge.heap
        #expect(edited.capacity < edited.size * 3 / 2)
        _ = try await bridge.merge([first, second])
        let merged = try await bridge.heap
        #expect(merged.capacity < merged.size * 3 / 2)
    }

    /// What a whole log was made from is replaced by a state from time to time, and a bad update still changes nothing.
    @Test func manyEditsAreFolded() async throws {
        let bridge = try await CRDTBridge()
        _ = try await bridge.createNote("n", in: "sd", created: 1)
        _ = try await bridge.edit("n", [.insert([.text([])], at: [0, 0])])
        let text = String(repeating: "long ", count: 20_000)
        for _ in 0..<4 { _ = try await bridge.edit("n", [.changeText([.insert(.init(text))], at: [0, 0])]) }
        _ = try await bridge.edit("n", [.changeText([.retain(7, marks: [:]), .delete(399_000)], at: [0, 0])])
        let tree = try await bridge.tree(of: "n")
        await #expect(throws: CRDTError.self) { try await bridge.edit("n", [.remove(1, at: [9])]) }
        #expect(try await bridge.tree(of: "n") == tree)
        #expect(try await bridge.tree(of: [bridge.state(of: "n")]) == tree)
    }

    @Test func metadata() async throws {
        let bridge = try await CRDTBridge()
        _ = try await bridge.createNote("n", in: "sd", folder: "f", created: 1_700_000_000_000)
        let update = try await bridge.setMetadata(
            of: "n", [.modified(1_800_000_000_001), .deleted(true), .pinned(true), .folder(nil)])
        let metadata = try await bridge.metadata(of: "n")
        #expect(
            metadata.modified == 1_800_000_000_001 && metadata.isDeleted && metadata.isPinned && metadata.folder == nil)
        #expect(update != nil)
        let same = try await bridge.setMetadata(of: "n", [.deleted(true)])
        #expect(same == nil)
        try await bridge.load("empty", [])
        let nothing = try await bridge.metadata(of: "empty")
        #expect(nothing.created == nil && nothing.id == nil && !nothing.isDeleted)
    }

    @Test func changesSayWhatTheyAreOf() async throws {
        let bridge = try await CRDTBridge()
        let note = try await bridge.createNote("n", in: "sd", created: 1)
        try await bridge.load("m", [])
        #expect(try await bridge.apply(note, to: "m") == [.content, .metadata])
        #expect(try await bridge.apply(note, to: "m") == [])
        let edit = try await bridge.edit("n", [.insert([.text([.init("x")])], at: [0, 0])])
        #expect(try await bridge.apply(edit ?? [], to: "m") == .content)
        let pin = try await bridge.setMetadata(of: "n", [.pinned(true)])
        #expect(try await bridge.apply(pin ?? [], to: "m") == .metadata)
    }

    @Test func authorsOfText() async throws {
        let bridge = try await CRDTBridge()
        let note = try await bridge.createNote("n", in: "sd", created: 1)
        let mine = try await bridge.edit("n", [.insert([.text([.init("Hello")])], at: [0, 0])]) ?? []
        try await bridge.load("m", [note, mine])
        let theirs =
            try await bridge.edit("m", [.changeText([.retain(2, marks: [:]), .insert(.init("😀"))], at: [0, 0])]) ?? []
        let authors = try await bridge.authors(of: "m")
        let (me, they) = (try CRDTBridge.clients(in: mine).first, try CRDTBridge.clients(in: theirs).first)
        #expect(authors.map(\.client) == [me, they, me])
        #expect(authors.map(\.range) == [0..<2, 2..<4, 4..<7])
        #expect(authors.allSatisfy { $0.path == [0, 0] })
        let merged = try await bridge.merge([theirs, mine])
        #expect(try CRDTBridge.clients(in: merged).count == 2)
    }

    /// Notes of the earliest days have their text in `default`.
    @Test func oldRoot() async throws {
        let bridge = try await CRDTBridge()
        let update: [UInt8] = [1, 1, 1, 0, 7, 1, 7] + "default".utf8 + [3, 9] + "paragraph".utf8 + [0]
        try await bridge.load("n", [update])
        #expect(try await bridge.tree(of: "n") == RichText([paragraph()]))
        #expect(try await bridge.edit("n", [.insert([.text([.init("x")])], at: [0, 0])]) != nil)
        #expect(try await bridge.tree(of: "n") == RichText([paragraph(.init("x"))]))
    }
}
