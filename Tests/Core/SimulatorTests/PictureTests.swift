import AppCore
import Simulator
import Testing

@Suite struct PictureTests {
    private func centre(of id: String, _ client: Client) async throws -> [String: JSONValue] {
        let bounds = try #require(try await client.ask("find_node", ["node_id": .string(id)])["bounds"])
        let numbers = ["x", "y", "width", "height"].compactMap { bounds[$0]?.integer }
        return ["x": .integer(numbers[0] + numbers[2] / 2), "y": .integer(numbers[1] + numbers[3] / 2)]
    }

    @Test func aFingerHitsWhatItSees() async throws {
        let client = try Client()
        let place = try await centre(of: "rooms.create", client)
        try await client.ask("assert_hit", place.merging(["node_id": .string("rooms.create")]) { $1 })
        #expect(try await client.ask("hit_test", place)["tap_node_id"] == .string("rooms.create"))
        try await client.ask("tap_at", place)
        try await client.ask("assert_screen", ["screen": .string("create")])
        #expect(try await client.fail("tap_at", ["x": .integer(-5), "y": .integer(3)]).code == "unreachable_node")
        #expect(try await client.fail("tap_at", ["x": .number(1e300), "y": .integer(3)]).code == "bad_request")
    }

    @Test func whatCannotBeUsedSaysWhy() async throws {
        let client = try Client("verified_empty")
        #expect(try await client.fail("tap", ["node_id": .string("chat.send")]).code == "disabled_node")
        #expect(try await client.fail("tap", ["node_id": .string("chat.title")]).code == "wrong_input")
        let unknown = try await client.fail("tap", ["node_id": .string("chat.fly")])
        #expect(unknown.code == "unknown_node" && unknown.error.contains("chat.draft"))
        #expect(try await client.fail("tap").code == "bad_request")
    }

    @Test func scrollingReallyScrolls() async throws {
        let client = try Client("verified_chat")
        for number in 0..<30 {
            try await client.ask("peer", ["do": .string("say"), "text": .string("Line \(number)")])
        }
        let list: JSONValue = .string("chat.messages")
        let down = try await client.ask("screenshot")["hash"]
        let up = try await client.ask("scroll", ["node_id": list, "delta_y": .integer(-10_000)])
        #expect(up["offset"] == .integer(0))
        #expect(try await client.ask("screenshot")["hash"] != down)
        try await client.ask("scroll", ["node_id": list, "delta_y": .integer(10_000)])
        #expect(try await client.ask("screenshot")["hash"] == down)
        #expect(
            try await client.fail("scroll", ["node_id": .string("nowhere"), "delta_y": .integer(1)]).code
                == "unknown_node")
    }

    @Test func picturesAreComparedWithTheFirstDifference() async throws {
        let client = try Client()
        let snapshot = try await client.ask("screenshot")
        for key in ["format", "width", "height", "theme", "hash", "svg", "scene", "layout"] {
            #expect(snapshot[key] != nil)
        }
        try await client.ask("assert_screenshot", ["snapshot": snapshot])
        try await client.ask("assert_screenshot", ["snapshot": try #require(snapshot["hash"])])
        try await client.tap("rooms.create")
        let failure = try await client.fail("assert_screenshot", ["snapshot": snapshot])
        #expect(failure.code == "assertion_failed" && failure.error.contains("The first line that differs"))
        let mesh = try await client.ask("preview_mesh")
        let vertices = try #require(mesh["vertices"]?.array)
        #expect(vertices.count % 6 == 0 && !vertices.isEmpty)
        #expect(vertices.allSatisfy { abs($0["position"]?.array?.first?.number ?? 9) <= 1 })
    }

    @Test func keysGoWhereTheFocusIs() async throws {
        let client = try Client("verified_chat")
        for key in ["H", "i", "👩‍👩‍👧"] { try await client.ask("keypress", ["key": .string(key)]) }
        try await client.ask("keypress", ["key": .string("Backspace")])
        #expect(try await client.value(of: "chat.draft") == "Hi")
        #expect(try await client.ask("keypress", ["key": .string("F5")])["handled"] == .bool(false))
        try await client.ask("keypress", ["key": .string("Enter")])
        #expect(try await client.value(of: "chat.draft") == "")
        #expect(try await client.fail("keypress", ["key": .string("Enter")]).code == "disabled_node")
        try await client.ask("keypress", ["key": .string("Tab")])
        #expect(try await client.ask("find_node", ["node_id": .string("chat.draft")])["focused"] == .bool(false))
        try await client.ask("keypress", ["key": .string("Escape")])
        try await client.ask("assert_screen", ["screen": .string("rooms")])
    }

    @Test func theTreeHasTheShapeOfTheEarlierSimulator() async throws {
        let tree = try await Client().ask("tree")
        let root = try #require(tree["root"])
        #expect(tree["screen"] == .string("rooms"))
        for key in [
            "id", "role", "label", "value", "visible", "enabled", "focused", "accessibility_label",
            "accessibility_value", "supported_actions", "bounds", "children",
        ] { #expect(root[key] != nil, "\(key)") }
    }
}
