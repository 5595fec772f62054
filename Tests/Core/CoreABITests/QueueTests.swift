import AppCore
import CAlcoveCore
import Testing

/// Effects come once, in order, and a host that takes none is stopped before harm is done.
@Suite struct QueueTests {
    @Test func `effects come once, in the order in which they were asked for`() throws {
        let host = try Self.started()
        var asked: [JSONValue] = []
        for _ in 0..<5 {
            let report = try host.dispatch(#"{"type":"create_room","expires_in":300}"#)
            asked += report.result?["effects"]?.array ?? []
        }
        #expect(asked.count == 5)
        #expect(try host.drain().result == .array(asked))
        #expect(try host.drain().result == .array([]))
    }

    @Test func `a full queue refuses before anything happens`() throws {
        let host = try ForeignHost("\"verified_chat\"")
        let links = try host.drain().result?.array?.filter { $0["type"] == .string("open_link") }
        let room = try #require(links?.first?["address"]?["room"]?.string)
        var waiting = 0
        var isOn = true
        while waiting < Int(ALCOVE_CORE_EFFECT_LIMIT) {
            let report = try host.dispatch(#"{"type":"set_typing","room":"\#(room)","on":\#(isOn)}"#)
            let effects = try #require(report.result?["effects"]?.array?.count)
            try #require(effects > 0)
            waiting += effects
            isOn.toggle()
        }
        let before = try host.state().text
        #expect(try host.dispatch(#"{"type":"back"}"#).code == "effects_not_drained")
        #expect(try host.event(#"{"type":"background"}"#).code == "effects_not_drained")
        #expect(try host.state().text == before)
        #expect(try host.drain().result?.array?.count == waiting)
        #expect(try host.dispatch(#"{"type":"back"}"#).isOK)
    }

    @Test func `what to save comes with the report, and what to remove as null`() throws {
        let host = try Self.started()
        let made = try host.dispatch(#"{"type":"create_room","expires_in":300}"#)
        let room = try #require(made.result?["effects"]?.array?.first?["address"]?["room"]?.string)
        let keys = made.result?["records"]?.array?.compactMap { $0["key"]?.string } ?? []
        #expect(keys.contains("room/\(room)"))
        let deleted = try host.dispatch(#"{"type":"delete_room","room":"\#(room)"}"#)
        let record = deleted.result?["records"]?.array?.first { $0["key"]?.string == "room/\(room)" }
        #expect(record?["json"] == .null)
    }

    @Test func `a saved core continues in another one`() throws {
        let host = try Self.started()
        let made = try host.dispatch(#"{"type":"create_room","name":"Ann","expires_in":300}"#)
        let records = try #require(made.result?["records"])
        let next = try ForeignHost()
        let started: JSONValue = .object(["type": .string("started"), "locked": .bool(false), "records": records])
        #expect(try next.dispatch(JSON.encode(started)).result?["unreadable"] == .array([]))
        #expect(try next.state().result?["rooms"] == (try host.state().result?["rooms"]))
    }

    private static func started() throws -> ForeignHost {
        let host = try ForeignHost()
        try host.dispatch(#"{"type":"started","locked":false,"records":[]}"#)
        return host
    }
}
