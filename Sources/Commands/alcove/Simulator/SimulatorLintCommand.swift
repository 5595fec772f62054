import AppCore
import Layout
import Scenarios

/// `alcove sim lint`
struct SimulatorLintCommand: Command {
    static let reference = CommandReference(
        "sim lint", "[SCENARIO…|live]",
        "find what shuts people out: missing labels, small targets, unreachable nodes, poor contrast",
        takes: .some(0...1000, "scenarios"),
        options: SimulatorConnection.options,
        examples: ["alcove sim lint", "alcove sim lint verified_chat locked", "alcove sim lint live"])

    private let arguments: Arguments
    private let names: [String]

    init(arguments: Arguments) throws {
        let operands = arguments.operands
        names = operands.isEmpty ? Scenario.names : operands
        self.arguments = arguments
    }

    private struct Result: Encodable {
        var scenario: String
        var findings: [Finding]
    }

    func run() async throws {
        var results: [Result] = []
        for name in names {
            let findings = Lint.findings(in: Layout(of: try await node(name)))
            results.append(Result(scenario: name, findings: findings))
        }
        let count = results.reduce(0) { $0 + $1.findings.count }
        if arguments.has("json") {
            try Terminal.print(json: results)
        } else {
            for result in results {
                for finding in result.findings {
                    Terminal.print(
                        "\(result.scenario): \(finding.id): \(finding.rule.rawValue): \(finding.explanation)")
                }
            }
            Terminal.print("\(results.count) screens, \(count) findings")
        }
        guard count == 0 else { throw CommandFailure("the lint found something", .dataError) }
    }

    private func node(_ name: String) async throws -> ViewNode {
        do {
            guard name == "live" else {
                return try ViewNode(try SimulatorOptions.scenario(name).play().driver.core.tree)
            }
            return try ViewNode(json: try JSON.encode(try await SimulatorAsker(running: arguments).ask("tree")))
        } catch let error as LayoutError {
            throw CommandFailure("\(name): \(error.message)", .dataError)
        }
    }
}
