import CRDTBridge
import RichText
import Testing

@Suite struct EditTests {
    /// What the bridge does to the CRDT is what the same edits do to a value.
    @Test(arguments: 0..<10)
    func editsDoWhatTheySay(seed: Int) async throws {
        let bridge = try await CRDTBridge()
        try await bridge.together { bridge in
            _ = try bridge.createNote("n", in: "sd", created: 1)
            var edits = RandomEdits(dice: Dice(seed: UInt64(seed)))
            var model = try bridge.tree(of: "n")
            for step in 0..<60 {
                var batch: [RichText.Edit] = []
                for _ in 0...edits.dice.below(3) {
                    let edit = edits.edit(of: model)
                    model = try model.applying([edit])
                    batch.append(edit)
                }
                _ = try bridge.edit("n", batch)
                #expect(try bridge.tree(of: "n") == model.normalized, "seed \(seed), step \(step)")
                model = model.normalized
            }
            #expect(try bridge.tree(of: [bridge.state(of: "n")]) == model)
        }
    }

    /// The edits that turn one document into another do so here.
    @Test(arguments: 0..<10)
    func differencesArrive(seed: Int) async throws {
        let bridge = try await CRDTBridge()
        try await bridge.together { bridge in
            _ = try bridge.createNote("n", in: "sd", created: 1)
            var edits = RandomEdits(dice: Dice(seed: UInt64(seed + 100)))
            for _ in 0..<12 {
                let old = try bridge.tree(of: "n")
                var new = old
                for _ in 0..<6 { new = try new.applying([edits.edit(of: new)]) }
                new = new.normalized
                _ = try bridge.edit("n", RichText.difference(from: old, to: new))
                #expect(try bridge.tree(of: "n") == new)
            }
        }
    }

    @Test func editsForAnOlderStateMerge() async throws {
        let bridge = try await CRDTBridge()
        _ = try await bridge.createNote("n", in: "sd", created: 1)
        _ = try await bridge.edit("n", [.insert([.text([.init("Hello world")])], at: [0, 0])])
        let older = try await bridge.state(of: "n")
        _ = try await bridge.edit("n", [.insert([paragraph(.init("new"))], at: [0])])
        _ = try await bridge.edit("n", [.changeText([.insert(.init("Oh! "))], at: [1, 0])])
        let update = try await bridge.edit(
            "n", from: older, [.changeText([.retain(5, marks: [:]), .insert(.init(", big"))], at: [0, 0])])
        #expect(update != nil)
        let expected = RichText([paragraph(.init("new")), paragraph(.init("Oh! Hello, big world"))])
        #expect(try await bridge.tree(of: "n") == expected)
    }

    @Test(
        arguments: [
            [.remove(1, at: [5])],
            [.remove(2, at: [0])],
            [.insert([], at: []), .insert([paragraph()], at: [3])],
            [.insert([paragraph()], at: [0, 0, 0])],
            [.setAttribute("level", 1, at: [0, 0])],
            [.changeText([.delete(1)], at: [0])],
            // Two good edits before one that splits a pair: none of them happens.
            [
                .setAttribute("level", 1, at: [0]), .changeText([.delete(1)], at: [0, 0]),
                .changeText([.delete(1)], at: [0, 0]),
            ],
            [.changeText([.retain(2, marks: [:]), .insert(.init("x"))], at: [0, 0])],
            [.changeText([.retain(2, marks: ["bold": [:]])], at: [0, 0])],
            [.changeText([.retain(4, marks: [:]), .insert(.init("x"))], at: [0, 0])],
            [.changeText([.delete(4)], at: [0, 0])],
            [.changeText([.insert(.init(content: .embed("text")))], at: [0, 0])],
        ] as [[RichText.Edit]])
    func editsThatDoNotFitChangeNothing(edits: [RichText.Edit]) async throws {
        let bridge = try await CRDTBridge()
        _ = try await bridge.createNote("n", in: "sd", created: 1)
        _ = try await bridge.edit("n", [.insert([.text([.init("a😀")])], at: [0, 0])])
        let state = try await bridge.state(of: "n")
        let error = await #expect(throws: CRDTError.self) { try await bridge.edit("n", edits) }
        #expect(error?.code == .misfit)
        #expect(try await bridge.state(of: "n") == state)
        let same = try await bridge.edit("n", [])
        #expect(same == nil)
    }

    @Test func attributesKeepTheirTypes() async throws {
        let bridge = try await CRDTBridge()
        _ = try await bridge.createNote("n", in: "sd", created: 1)
        let values: [String: RichText.Value] = [
            "int": 3, "big": .number(1_700_000_000_000), "half": .number(0.5), "text": "3", "yes": true,
            "list": .array([1, "a", .null, false]), "map": ["__proto__": 1, "b": ["c": .array([])]], "__proto__": "x",
        ]
        let node = RichText.Node.element(.init("strange", values))
        let update = try #require(try await bridge.edit("n", [.insert([node], at: [0])]))
        #expect(try await bridge.tree(of: "n").blocks[0] == node)
        // The integer is one for Yjs too: tag 125.
        #expect(update.indices.contains { update[$0...].starts(with: Array("int".utf8) + [1, 125, 3]) })
        _ = try await bridge.edit("n", [.setAttribute("int", .null, at: [0]), .setAttribute("yes", nil, at: [0])])
        var left = values
        left["int"] = nil
        left["yes"] = nil
        #expect(try await bridge.tree(of: "n").blocks[0] == .element(.init("strange", left)))
    }

    @Test func embedsCountOne() async throws {
        let bridge = try await CRDTBridge()
        _ = try await bridge.createNote("n", in: "sd", created: 1)
        let runs: [RichText.Run] = [
            .init("a"), .init(content: .embed(["image": "x"]), marks: ["bold": [:]]), .init("b"),
        ]
        _ = try await bridge.edit("n", [.insert([.text(runs)], at: [0, 0])])
        _ = try await bridge.edit("n", [.changeText([.retain(2, marks: [:]), .delete(1)], at: [0, 0])])
        #expect(
            try await bridge.tree(of: "n").blocks == [.element(.init("paragraph", [:], [.text(Array(runs[..<2]))]))])
    }
}
