import AppCore
import CAlcoveCore
import Scenarios
import Testing

/// What a core can be made from.
@Suite struct ConfigurationTests {
    @Test(arguments: [nil, "", "{}", #"{"seed":0}"#] as [String?]) func `a new core`(config: String?) throws {
        let new = String(decoding: try JSON.encode(Core().state), as: UTF8.self)
        #expect(try ForeignHost(config).state().bytes == new)
    }

    @Test func `a seed decides the ids of bare actions`() throws {
        let one = try room(seed: 1)
        #expect(try room(seed: 1) == one)
        #expect(try room(seed: 2) != one)
        #expect(try room(seed: -1) != one)
    }

    @Test(arguments: [
        (#""nowhere""#, "unknown_scenario"), (#"{"scenario":"nowhere"}"#, "unknown_scenario"),
        (#"{"scenario":{}}"#, "bad_scenario"), (#"{"scenario":7}"#, "bad_scenario"),
        (#"{"scenario":{"about":"x","steps":[{"type":"fly"}]}}"#, "bad_scenario"),
        (#"{"scenario":{"about":"x","from":"nowhere"}}"#, "bad_scenario"),
        (#"{"seed":"x"}"#, "bad_config"), (#"{"seed":1.5}"#, "bad_config"), (#"{"sede":1}"#, "bad_config"),
        (#"{"scenario":"verified_chat","seed":1}"#, "bad_config"), ("[]", "bad_config"), ("7", "bad_config"),
        ("null", "bad_config"), ("{", "not_json"),
        (#"{"state":{}}"#, "bad_config"), (#"{"state":7}"#, "bad_config"), (#"{"state":{"rooms":7}}"#, "bad_config"),
    ])
    func `is refused`(config: String, code: String) throws {
        #expect(alcove_core_new(config) == nil)
        #expect(try Answer(alcove_core_last_error(nil)).result?["code"] == .string(code))
    }

    @Test(arguments: ["verified_chat", "first_run", "circle_member"].filter(Scenario.names.contains))
    func `a core goes on from the state of another one`(scenario: String) throws {
        let first = try ForeignHost(#"{"scenario":"\#(scenario)"}"#)
        let state = try first.state().bytes
        let second = try ForeignHost(#"{"state":\#(state)}"#)
        #expect(try second.state().bytes == first.state().bytes)
        #expect(try second.drain().result == first.drain().result)
        let active =
            #"{"at":1900000000000,"fresh":"\#(String(repeating: "07", count: 32))","action":{"type":"became_active"}}"#
        try first.dispatch(active)
        try second.dispatch(active)
        #expect(try second.state().bytes == first.state().bytes)
    }

    private func room(seed: Int) throws -> String? {
        let host = try ForeignHost(#"{"seed":\#(seed)}"#)
        try host.dispatch(#"{"type":"started","locked":false,"records":[]}"#)
        try host.dispatch(#"{"type":"create_room","expires_in":300}"#)
        return try host.drain().result?.array?.first?["address"]?["room"]?.string
    }
}
