import AppCore
import CAlcoveCore
import Testing

/// The newest transitions.
@Suite struct LogTests {
    @Test func `the newest come last, at most as many as asked for`() throws {
        let host = try ForeignHost()
        for _ in 0..<5 { try host.dispatch(#"{"type":"tick"}"#) }
        #expect(try numbers(host, 2) == [4, 5])
        #expect(try numbers(host, 0) == [])
        #expect(try numbers(host, .max) == [1, 2, 3, 4, 5])
    }

    @Test func `a transition says what happened, when, and what it asked for`() throws {
        let host = try ForeignHost()
        try host.dispatch(#"{"type":"started","locked":false,"records":[]}"#)
        let fresh = String(repeating: "0f", count: 32)
        let action = #"{"expires_in":300,"type":"create_room"}"#
        let report = try host.dispatch(#"{"at":1800000000000,"fresh":"\#(fresh)","action":\#(action)}"#)
        let entry = try host.logs(1).result?.array?.first
        #expect(entry?["timestamp_ms"] == .integer(1_800_000_000_000))
        #expect(entry?["action"] == (try JSON.decode(JSONValue.self, from: action.utf8)))
        #expect(entry?["effects"] == report.result?["effects"])
        #expect(entry?["seq"] == report.result?["seq"])
    }

    @Test func `only so many are remembered`() throws {
        let host = try ForeignHost()
        let limit = Int64(ALCOVE_CORE_LOG_LIMIT)
        for _ in 0..<(limit + 3) { try host.dispatch(#"{"type":"tick"}"#) }
        #expect(try numbers(host, .max) == Array(4...(limit + 3)))
    }

    @Test func `large ones push others out`() throws {
        let host = try ForeignHost()
        let note = String(repeating: "x", count: 6 << 20)
        for _ in 0..<4 { try host.dispatch(#"{"type":"tick","note":"\#(note)"}"#) }
        #expect(try numbers(host, .max) == [3, 4])
    }

    @Test func `a failure is no transition`() throws {
        let host = try ForeignHost()
        try host.dispatch(#"{"type":"fly"}"#)
        try host.dispatch(#"{"type":"tick"}"#)
        #expect(try numbers(host, .max) == [1])
    }

    @Test func `what was said is forgotten when the core locks`() throws {
        let host = try ForeignHost("\"unlocked\"")
        try host.dispatch(#"{"type":"set_server","address":"http://127.0.0.1:9"}"#)
        #expect(try host.logs(.max).result?.array?.isEmpty == false)
        try host.dispatch(#"{"type":"lock"}"#)
        #expect(try host.state().result?["lock"]?["is_locked"] == .bool(true))
        #expect(try host.logs(.max).result?.array?.count == 1)
    }

    private func numbers(_ host: borrowing ForeignHost, _ limit: UInt32) throws -> [Int64] {
        try host.logs(limit).result?.array?.compactMap { $0["seq"]?.integer } ?? []
    }
}
