import AppCore
import Scenarios
import Simulator
import Testing

@Suite struct SetupTests {
    @Test(arguments: Scenario.names) func everyScenarioCanBeLoadedAndGoesOn(name: String) async throws {
        let client = try Client()
        let performance = try Scenario.named(name).play()
        let loaded = try await client.ask("load_scenario", ["scenario": .string(name)])
        #expect(loaded["screen"]?.string == performance.driver.core.tree.id)
        let state = try await client.ask("state")
        #expect(try JSON.encode(state) == JSON.encode(performance.driver.state), "the world waits to be asked")
        try await client.ask("advance", ["ms": .integer(3_600_000)])
        #expect(try await client.ask("status")["lost_effects"] == .array([]))
    }

    @Test func theSameSeedGivesTheSameBytes() async throws {
        let states = try await ([1, 1, 2] as [UInt64]).asyncMap { seed in
            let client = try Client(seed: seed)
            try await client.tap("rooms.create")
            try await client.tap("create.submit")
            try await client.ask("peer", ["do": .string("come")])
            return try JSON.encode(try await client.ask("state"))
        }
        #expect(states[0] == states[1])
        #expect(states[0] != states[2], "codes come from the seed")
    }

    @Test(arguments: ["connection_failed", "server_unreachable"])
    func theOldFaultsStillHold(kind: String) async throws {
        let client = try Client()
        try await client.ask("inject_fault", ["kind": .string(kind)])
        try await client.tap("rooms.create")
        try await client.tap("create.submit")
        try await client.see("The server cannot be reached")
        try await client.tap("chat.retry")
        try await client.see("Waiting for the other person")
    }

    @Test func rulesDelayRepeatAndFail() async throws {
        let client = try Client()
        try await client.ask(
            "inject_fault",
            ["effect": .string("create_room"), "outcome": .string("delay"), "delay_ms": .integer(5000)])
        try await client.tap("rooms.create")
        try await client.tap("create.submit")
        try await client.see("Making the room")
        try await client.ask("advance", ["ms": .integer(5000)])
        try await client.see("Waiting for the other person")
    }
}

extension Array {
    fileprivate func asyncMap<Result>(_ change: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await change(element)) }
        return results
    }
}
