import AppCore
import Layout
import Testing

@Suite struct TreeTests {
    private func read(_ json: String) throws -> ViewNode { try ViewNode(json: json.utf8) }

    @Test func aTreeOfTheCoreReadsFromItsJSONAsItIs() throws {
        var core = Core()
        let fresh = Fresh(1, 2, 3, 4)
        for action in [Action.event(.started(locked: false, records: [])), .app(.becameActive)] {
            _ = core.dispatch(Input(at: Timestamp(milliseconds: 1), fresh: fresh, action: action))
        }
        let (direct, read) = (try ViewNode(core.tree), try ViewNode(json: try JSON.encode(core.tree)))
        #expect(direct == read)
    }

    @Test func aTreeOfTheEarlierSimulatorReads() throws {
        let tree = try read(
            """
            {"screen":"chat","root":{"id":"root","role":"screen","label":"jcode","value":null,"visible":true,
            "enabled":true,"focused":false,"accessibility_label":"jcode","accessibility_value":null,
            "supported_actions":[],"bounds":{"x":0,"y":0,"width":390,"height":844},"children":[
            {"id":"chat.messages","role":"message_list","label":"Messages","children":[
            {"id":"message.0","role":"message","label":"user","value":"Hi"}]},
            {"id":"chat.draft","role":"composer","label":"Draft","value":"","supported_actions":["set_text"]},
            {"id":"chat.send","role":"button","label":"Send","enabled":false,"supported_actions":[]}]}}
            """)
        #expect(tree.role == "screen")
        #expect(tree.find("chat.send")?.isEnabled == false)
        #expect(tree.find("chat.draft")?.actions == ["set_text", "type_text"])
        let layout = Layout(of: tree)
        #expect(layout.hit(x: 40, y: layout["chat.draft"]?.bounds.maxY ?? 0, action: "tap") == nil)
        let back = try ViewNode(json: try JSON.encode(layout.tree))
        #expect(back.find("message.0")?.value == "Hi")
    }

    @Test func valuesHaveOneFormEverywhere() throws {
        func shown(_ value: SemanticNode.Value) throws -> String? {
            try ViewNode(SemanticNode(.text, "x", "X", value: value)).value
        }
        #expect(try shown(.secret("words-1")) == "•••")
        #expect(try shown(.progress(done: 1, total: 3)) == "33 %")
        #expect(try shown(.progress(done: .max - 1, total: .max)) == "99 %")
        #expect(try shown(.progress(done: 5, total: 0)) == "0 %")
        #expect(try shown(.time(Timestamp(milliseconds: 1_700_000_000_000))) == "2023-11-14 22:13 UTC")
        #expect(try shown(.time(Timestamp(milliseconds: 0))) == "1970-01-01 00:00 UTC")
        #expect(try shown(.time(Timestamp(milliseconds: 951_782_400_000))) == "2000-02-29 00:00 UTC")
        #expect(try shown(.time(Timestamp(milliseconds: .max))) == "9999-12-31 23:59 UTC")
    }

    @Test(arguments: [
        ("", LayoutError.Code.unreadable), ("{", .unreadable), ("[]", .unreadable), ("{}", .unreadable),
        (#"{"id":1,"role":"x"}"#, .unreadable), (#"{"id":"a"}"#, .unreadable),
        (#"{"id":"a","role":"x","children":{}}"#, .unreadable),
        (#"{"id":"a","role":"x","children":[null]}"#, .unreadable),
        (#"{"id":"a","role":"x","value":true}"#, .unreadable),
        (#"{"id":"a","role":"x","at":1e99}"#, .unreadable),
        (String(repeating: "[", count: 100_000), .unreadable),
        (#"{"id":"a","role":"x","label":"\#(String(repeating: "x", count: 200_000))"}"#, .textTooLong),
        (#"{"id":"\#(String(repeating: "x", count: 2000))","role":"x"}"#, .textTooLong),
    ]) func whatIsNoTreeIsAnError(json: String, code: LayoutError.Code) throws {
        let error = try #require(throws: LayoutError.self) { try read(json) }
        #expect(error.code == code)
        #expect(!error.message.isEmpty)
    }

    private func nested(_ depth: Int) -> String {
        String(repeating: #"{"id":"a","role":"section","children":["#, count: depth - 1) + #"{"id":"a","role":"text"}"#
            + String(repeating: "]}", count: depth - 1)
    }

    @Test func asManyActionsAsMayBeAreWrittenAndReadBack() throws {
        let names = (["set_text"] + (1..<64).map { "action_\($0)" }).map { "\"\($0)\"" }.joined(separator: ",")
        let tree = try read(#"{"id":"a","role":"x","supported_actions":[\#(names)]}"#)
        let back = try ViewNode(json: try JSON.encode(Layout(of: tree).tree))
        #expect(back.actions.count == 65)
        #expect(throws: LayoutError.self) { try read(#"{"id":"a","role":"x","supported_actions":[\#(names),"b"]}"#) }
    }

    @Test func depthHasALimit() throws {
        #expect(Layout(of: try read(nested(64))).frames.count == 64)
        for depth in [65, 200, 300, 100_000] {
            let error = try #require(throws: LayoutError.self) { try read(nested(depth)) }
            #expect(error.code == .tooDeep || error.code == .unreadable)
        }
        var node = SemanticNode(.section, "a")
        for _ in 0..<64 { node = SemanticNode(.section, "a", "", [node]) }
        let error = try #require(throws: LayoutError.self) { try ViewNode(node) }
        #expect(error.code == .tooDeep)
    }

    @Test func theNumberOfNodesHasALimit() throws {
        let leaf = SemanticNode(.text, "a")
        let inner = SemanticNode(.section, "b", "", Array(repeating: leaf, count: 999))
        #expect(try ViewNode(SemanticNode(.screen, "c", "", Array(repeating: inner, count: 99))).children.count == 99)
        let error = try #require(throws: LayoutError.self) {
            try ViewNode(SemanticNode(.screen, "c", "", Array(repeating: inner, count: 1000)))
        }
        #expect(error.code == .tooManyNodes)
    }

    @Test func aMillionNodesOfJSONAreAClearError() throws {
        let leaf = #"{"id":"a","role":"text"},"#
        let json = #"{"id":"a","role":"screen","children":["# + String(repeating: leaf, count: 1_000_000) + "null]}"
        let error = try #require(throws: LayoutError.self) { try read(json) }
        #expect(error.code == .tooManyNodes)
    }

    @Test func aViewportHasLimits() throws {
        #expect(throws: LayoutError.self) { try Viewport(width: 0, height: 844) }
        #expect(throws: LayoutError.self) { try Viewport(width: 390, height: .max) }
        #expect(try Viewport(width: 120, height: 4096).height == 4096)
        #expect(throws: (any Error).self) { try JSON.decode(Viewport.self, from: #"{"width":1,"height":1}"#.utf8) }
    }
}
