import AppCore
import Scenarios
import Testing

/// The same core, in Swift and through C, byte for byte.
@Suite struct ScenarioTests {
    @Test(arguments: Scenario.names) func `is the same in Swift and in C`(name: String) throws {
        let performance = try Scenario.named(name).play()
        let core = performance.driver.core
        let state = String(decoding: try JSON.encode(core.state), as: UTF8.self)
        let tree = String(decoding: try JSON.encode(core.tree), as: UTF8.self)

        let loaded = try ForeignHost("\"\(name)\"")
        #expect(try loaded.state().bytes == state)
        #expect(try loaded.tree().bytes == tree)
        let open = String(decoding: try JSON.encode(performance.driver.openEffects), as: UTF8.self)
        #expect(try loaded.drain().bytes == open)

        let replayed = try ForeignHost()
        for input in performance.inputs {
            let report = try replayed.dispatch(JSON.encode(input))
            let rewritten = try JSON.encode(try #require(report.result))
            #expect(report.bytes == String(decoding: rewritten, as: UTF8.self))
        }
        #expect(try replayed.state().bytes == state)
        #expect(try replayed.tree().bytes == tree)
    }

    @Test func `goes on from a scenario as Swift does`() throws {
        let host = try ForeignHost(#"{"scenario":"verified_chat"}"#)
        var driver = try Scenario.named("verified_chat").play().driver
        let room = try #require(driver.state.rooms.first?.id)
        let report = try host.dispatch(#"{"type":"send_text","room":"\#(room)","text":"And you?"}"#)
        let step = driver.dispatch(.chat(.sendText(room: room, text: "And you?")))
        #expect(report.result?["effects"] == (try json(step.outcome.effects)))
        #expect(report.result?["records"] == (try json(step.saved)))
        #expect(try host.state().bytes == String(decoding: try JSON.encode(driver.state), as: UTF8.self))
    }

    @Test func `plays a scenario that is given as text`() throws {
        let file = #"{"about":"x","steps":[{"type":"reachability_changed","online":false}]}"#
        let host = try ForeignHost(#"{"scenario":\#(file)}"#)
        #expect(try host.state().result?["is_online"] == .bool(false))
    }

    private func json(_ value: some Encodable) throws -> JSONValue {
        try JSON.decode(JSONValue.self, from: JSON.encode(value))
    }
}
