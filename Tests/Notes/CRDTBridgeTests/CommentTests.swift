import CRDTBridge
import RichText
import Testing

@Suite struct CommentTests {
    private let ann = CommentAuthor(id: "a", name: "Ann", handle: "ann")
    private let range = TextRange(from: .init([0, 0], 2), to: .init([1, 0], 3))

    /// Two paragraphs, `one` and `two`, and the bridge that has them.
    private func note() async throws -> CRDTBridge {
        let bridge = try await CRDTBridge()
        _ = try await bridge.createNote("n", in: "sd", created: 1)
        _ = try await bridge.edit(
            "n", [.remove(1, at: [0]), .insert([paragraph(.init("one")), paragraph(.init("two"))], at: [0])])
        return bridge
    }

    @Test func aThreadFromItsBeginningToItsEnd() async throws {
        let bridge = try await note()
        let before = try await bridge.tree(of: "n")
        let copy = try await bridge.state(of: "n")
        var updates: [[UInt8]?] = []
        updates.append(try await bridge.addComment("t", "Why?", on: range, by: ann, at: 5, to: "n"))
        let marked = try await bridge.tree(of: "n")
        #expect(marked != before && marked.contentText == before.contentText)
        var thread = try #require(try await bridge.comments(of: "n").first)
        #expect(thread.quoted == "e\ntwo" && thread.text == "Why?" && thread.author == ann && thread.created == 5)
        #expect(thread.edited == nil)
        // Each paragraph has two ends, and the document's first position is 0.
        #expect(thread.anchor == 3..<9)

        updates.append(try await bridge.addReply("r", "So.", by: ann, at: 6, to: "t", in: "n"))
        updates.append(try await bridge.editComment("t", reply: "r", "Because.", at: 7, in: "n"))
        updates.append(try await bridge.editComment("t", "Why not?", at: 8, in: "n"))
        updates.append(try await bridge.addReaction("x", "👍", by: ann, at: 9, to: "t", reply: "r", in: "n"))
        updates.append(try await bridge.resolveComment("t", by: "a", at: 10, in: "n"))
        thread = try #require(try await bridge.comments(of: "n").first)
        #expect(thread.text == "Why not?" && thread.modified == 10 && thread.isResolved && thread.resolvedBy == "a")
        #expect(thread.edited == 8 && thread.replies.map(\.edited) == [7])
        #expect(thread.replies.map(\.text) == ["Because."] && thread.reactions.map(\.emoji) == ["👍"])
        #expect(thread.reactions.first?.reply == "r")
        // Every step's update carries it to others.
        try await bridge.load("m", [copy] + updates.compactMap(\.self))
        #expect(try await bridge.comments(of: "m") == [thread])

        _ = try await bridge.resolveComment("t", false, by: "a", at: 11, in: "n")
        _ = try await bridge.deleteReply("r", from: "t", in: "n")
        thread = try #require(try await bridge.comments(of: "n").first)
        #expect(!thread.isResolved && thread.resolvedBy == nil && thread.replies.isEmpty && thread.reactions.isEmpty)
        _ = try await bridge.deleteComment("t", in: "n")
        #expect(try await bridge.comments(of: "n") == [])
        #expect(try await bridge.tree(of: "n") == before)
    }

    @Test func threadsMayOverlap() async throws {
        let bridge = try await note()
        _ = try await bridge.addComment("t", "1", on: range, by: ann, at: 1, to: "n")
        let later = TextRange(from: .init([0, 0], 0), to: .init([0, 0], 3))
        _ = try await bridge.addComment("u", "2", on: later, by: ann, at: 2, to: "n")
        #expect(try await bridge.comments(of: "n").map(\.id) == ["u", "t"])
        _ = try await bridge.deleteComment("u", in: "n")
        _ = try await bridge.deleteComment("t", in: "n")
        #expect(try await bridge.tree(of: "n").blocks.first == paragraph(.init("one")))
    }

    @Test func whatIsNotThereIsAnError() async throws {
        let bridge = try await note()
        let reply = await #expect(throws: CRDTError.self) {
            try await bridge.addReply("r", "", by: ann, at: 1, to: "gone", in: "n")
        }
        #expect(reply?.code == .notFound)
        let nowhere = TextRange(from: .init([7, 0], 0), to: .init([7, 0], 1))
        for place in [
            nowhere, TextRange(from: .init([0, 0], 1), to: .init([0, 0], 1)),
            TextRange(from: range.end, to: range.start),
        ] {
            let error = await #expect(throws: CRDTError.self) {
                try await bridge.addComment("t", "", on: place, by: ann, at: 1, to: "n")
            }
            #expect(error?.code == .misfit)
        }
        let long = String(repeating: "x", count: CRDTBridge.commentLengthLimit + 1)
        let error = await #expect(throws: CRDTError.self) {
            try await bridge.addComment("t", long, on: range, by: ann, at: 1, to: "n")
        }
        #expect(error?.code == .tooLarge)
    }
}
