import AppCore
import Testing

/// What the platform says, and only that.
@Suite struct PlatformEventTests {
    @Test(arguments: [
        (#"{"type":"foreground"}"#, #"{"type":"became_active"}"#),
        (#"{"type":"background"}"#, #"{"type":"became_inactive"}"#),
        (#"{"type":"reachability","online":false}"#, #"{"online":false,"type":"reachability_changed"}"#),
        (#"{"online":false,"type":"reachability_changed"}"#, #"{"online":false,"type":"reachability_changed"}"#),
        (#"{"type":"became_active"}"#, #"{"type":"became_active"}"#),
        (#"{"type":"tick"}"#, #"{"type":"tick"}"#),
    ])
    func `happens`(event: String, action: String) throws {
        let host = try ForeignHost()
        let other = try ForeignHost()
        #expect(try host.event(event).bytes == other.dispatch(action).bytes)
        #expect(try host.state().bytes == other.state().bytes)
        #expect(try host.logs(1).bytes == other.logs(1).bytes)
    }

    @Test func `may bring its time and ids`() throws {
        let host = try ForeignHost()
        let fresh = String(repeating: "0", count: 64)
        let event = #"{"at":1800000000000,"fresh":"\#(fresh)","action":{"type":"foreground"}}"#
        #expect(try host.event(event).isOK)
        #expect(try host.state().result?["views"]?.array?.first?["is_front"] == .bool(true))
        // Logical time goes on from there.
        try host.event(#"{"type":"tick"}"#)
        #expect(try host.logs(1).result?.array?.first?["timestamp_ms"] == .integer(1_800_000_000_001))
    }

    @Test(arguments: [
        #"{"type":"back"}"#, #"{"type":"lock"}"#, #"{"type":"create_room","expires_in":300}"#,
        #"{"type":"set_draft","room":"r","text":""}"#,
    ])
    func `refuses what a person does`(action: String) throws {
        let host = try ForeignHost()
        #expect(try host.event(action).code == "not_an_event")
        let fresh = String(repeating: "0", count: 64)
        #expect(try host.event(#"{"at":1,"fresh":"\#(fresh)","action":\#(action)}"#).code == "not_an_event")
        #expect(try host.logs(1).result == .array([]))
    }
}
