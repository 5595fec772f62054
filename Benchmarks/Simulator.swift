import AppCore
import Scenarios
import Simulator

extension Suite {
    static let simulator = Suite(name: "simulator", about: "walks, replays and methods of the simulator") { recorder in
        try await recorder.rate("steps of a random walk", unit: "steps/s", count: 20_000, rounds: 3) {
            var walk = try RandomWalk(seed: 1)
            while walk.steps < 20_000 {
                if let finding = try walk.run(steps: 1000) { throw Broken(explanation: finding.description) }
            }
        }
        let trace = try talk(inputs: 100_000)
        await recorder.time("replay of 100 000 inputs", aim: 5000, rounds: 3) {
            blackHole((try? Simulation(core: BuiltInCore(), playing: trace))?.transitions ?? 0)
        }
        let simulator = try Simulator(scenario: Scenario.named("verified_chat"))
        for (name, requests) in methods {
            let samples = try await (0..<5).asyncMap { _ in
                let clock = ContinuousClock()
                let start = clock.now
                for _ in 0..<200 { for request in requests { try await insist(simulator.answer(request)) } }
                return Double(200 * requests.count) / seconds(clock.now - start)
            }
            await recorder.record("\(name)", samples, unit: "requests/s", better: .higher)
        }
    }
}

private struct Broken: Error { let explanation: String }

private func insist(_ response: Response) throws {
    guard response.ok else { throw Broken(explanation: response.error ?? "") }
}

private let methods: [(String, [Request])] = [
    ("find_node", [request("find_node", ["node_id": .string("chat.draft")])]),
    ("assert_text", [request("assert_text", ["contains": .string("Is anybody there?")])]),
    ("screenshot", [request("screenshot")]),
    (
        "set_text and tap",
        [
            request("set_text", ["node_id": .string("chat.draft"), "text": .string("Hello")]),
            request("tap", ["node_id": .string("chat.send")]),
        ]
    ),
]

private func request(_ method: String, _ params: [String: JSONValue] = [:]) -> Request {
    Request(method: method, params: .object(params))
}

/// Two people who write to each other, as a recorded run.
private func talk(inputs count: Int) throws -> Trace {
    let performance = try Scenario.named("verified_chat").play()
    var driver = performance.driver
    var inputs = performance.inputs
    guard let room = driver.state.rooms.last?.id else { throw Broken(explanation: "there is no room") }
    while inputs.count < count {
        let step = driver.dispatch(.chat(.sendText(room: room, text: "The quick brown fox jumps over the lazy dog")))
        inputs.append(step.input)
        guard let delivery = step.outcome.effects.first else { throw Broken(explanation: "nothing was delivered") }
        inputs.append(driver.dispatch(.event(.acknowledged(effect: delivery.id))).input)
    }
    return Trace(name: "talk", inputs: inputs)
}

extension Range<Int> {
    fileprivate func asyncMap<Value>(_ change: (Int) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for number in self { values.append(try await change(number)) }
        return values
    }
}

/// Keeps the optimiser from leaving out what nobody looks at.
@inline(never) private func blackHole(_ value: Int) {}
