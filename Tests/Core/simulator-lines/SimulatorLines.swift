import AppCore
import Foundation
import Scenarios
import Simulator

/// Answers requests to the simulator from standard input, a line each. It is what `alcove sim serve` does without the rest of Alcove, so a build with
/// optimisation takes a tenth of the time.
@main struct SimulatorLines {
    static func main() async throws {
        let simulator = try Simulator(scenario: try Scenario.named("first_run"))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        while let line = readLine() {
            let response = await simulator.answer(line: line.utf8)
            print(String(decoding: try encoder.encode(response), as: UTF8.self))
            guard response.ok else { exit(1) }
        }
    }
}
