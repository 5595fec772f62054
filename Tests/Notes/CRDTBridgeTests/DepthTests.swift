import CRDTBridge
import RichText
import Testing

/// Documents that nest as deep as may be written, and those of other programs that nest deeper.
@Suite struct DepthTests {
    private static func quotes(_ count: Int, around inner: [RichText.Node]) -> RichText.Node {
        (0..<count).reduce(inner) { inner, _ in [.element(.init("blockquote", [:], inner))] }[0]
    }

    /// An update as another program may write it: `names.count` elements, each in the one before, with a text in the last one.
    private static func update(_ names: [String], text: String) -> [UInt8] {
        func item(_ parent: [UInt8], _ name: String) -> [UInt8] {
            [7] + parent + [3, UInt8(name.utf8.count)] + name.utf8
        }
        var update: [UInt8] = [1] + varint(names.count + 2) + [1, 0] + item([1, 7] + "content".utf8, names[0])
        for (depth, name) in names.enumerated().dropFirst() { update += item([0, 1] + varint(depth - 1), name) }
        update += [7, 0, 1] + varint(names.count - 1) + [6]
        update += [4, 0, 1] + varint(names.count) + [UInt8(text.utf8.count)] + text.utf8
        return update + [0]
    }

    private static func texts(_ nodes: [RichText.Node]) -> [String] {
        nodes.flatMap { node -> [String] in
            switch node {
            case .text(let runs): runs.map { if case .text(let text) = $0.content { text } else { "" } }
            case .element(let element): texts(element.children)
            }
        }
    }

    @Test func whatIsWrittenAtTheLimitIsRead() async throws {
        let bridge = try await CRDTBridge()
        _ = try await bridge.createNote("n", in: "sd", created: 1)
        let deep = Self.quotes(RichText.depthLimit - 1, around: [paragraph(.init("down here"))])
        _ = try await bridge.edit("n", [.insert([deep], at: [0])])
        #expect(try await bridge.tree(of: "n").blocks.first == deep)

        let state = try await bridge.state(of: "n")
        let deeper = Self.quotes(RichText.depthLimit, around: [paragraph(.init("too far"))])
        let edits = [
            RichText.Edit.insert([deeper], at: [0]),
            .insert([Self.quotes(2, around: [paragraph()])], at: Array(repeating: 0, count: RichText.depthLimit - 1)),
        ]
        for edit in edits {
            let error = await #expect(throws: CRDTError.self) { try await bridge.edit("n", [edit]) }
            #expect(error?.code == .tooDeep)
            let other = await #expect(throws: CRDTError.self) { try await bridge.edit("n", from: state, [edit]) }
            #expect(other?.code == .tooDeep)
        }
        #expect(try await bridge.state(of: "n") == state)
    }

    @Test(arguments: [137, 200, 1_000, 20_000])
    func whatOthersNestedDeeperIsShownFlat(depth: Int) async throws {
        let names = (0..<depth).map { $0 == depth - 1 ? "paragraph" : $0 % 2 == 0 ? "bulletList" : "listItem" }
        let bridge = try await CRDTBridge()
        try await bridge.load("n", [Self.update(names, text: "down here")])
        let tree = try await bridge.tree(of: "n")
        #expect(Self.texts(tree.blocks) == ["down here"])

        // It can be edited where it stands, and its author is known by the same path.
        let author = try #require(try await bridge.authors(of: "n").first)
        _ = try await bridge.edit(
            "n", [.changeText([.retain(4, marks: [:]), .insert(.init(" in"))], at: author.path)])
        let blockPath = Array(author.path.dropLast())
        let next = Array(blockPath.dropLast()) + [(blockPath.last ?? 0) + 1]
        _ = try await bridge.edit("n", [.insert([paragraph(.init("after"))], at: next)])
        _ = try await bridge.edit("n", [.insert([paragraph(.init("before"))], at: blockPath)])
        #expect(Self.texts(try await bridge.tree(of: "n").blocks) == ["before", "down in here", "after"])
        _ = try await bridge.edit("n", [.remove(2, at: blockPath)])
        #expect(Self.texts(try await bridge.tree(of: "n").blocks) == ["after"])
    }

    @Test func deepElementsWithTextOnEachLevelAreShownOnce() async throws {
        // Every element is unknown and has a text before the next one.
        let count = 400
        var update: [UInt8] = [1] + varint(count * 3) + [1, 0]
        for level in 0..<count {
            let parent: [UInt8] = level == 0 ? [1, 7] + Array("content".utf8) : [0, 1] + varint((level - 1) * 3)
            // In Yjs what follows in the same parent names the one before it; only the first names the parent.
            update +=
                level == 0 ? [7] + parent + [3, 1, 0x61] : [0x87, 1] + varint((level - 1) * 3 + 1) + [3, 1, 0x61]
            update += [7, 0, 1] + varint(level * 3) + [6]
            update += [4, 0, 1] + varint(level * 3 + 1) + [1, 0x78]
        }
        let bridge = try await CRDTBridge()
        try await bridge.load("n", [update + [0]])
        #expect(try await !bridge.isMissingUpdates("n"))
        #expect(Self.texts(try await bridge.tree(of: "n").blocks).joined() == String(repeating: "x", count: count))
    }
}
