package import AppCore

/// A situation that the product can be in, and the way into it: a file that everybody can read, play and assert on.
///
/// `docs/simulator.md` describes the format. A scenario is pure data: it plays the same in unit tests, in the simulator,
/// through the C ABI and in a host.
package struct Scenario: Sendable, Hashable {
    /// The name of the file, in snake_case.
    package let name: String
    /// One sentence: what this situation is.
    package let about: String
    /// The scenario that this one continues.
    package let base: String?
    package let steps: [ScenarioStep]
    /// What must be true at the end.
    package let expectations: Expectations
    /// How the simulator's world behaves from then on: see `World` there. Other players do not look at it.
    package let world: JSONValue?

    /// Bytes of JSON in one scenario.
    static let sizeLimit = 1 << 20
    /// Scenarios that continue each other.
    static let depthLimit = 16

    /// Reads a scenario.
    /// - Throws: ``ScenarioError`` saying what is wrong and where.
    package init(name: String, json: some Sequence<UInt8>) throws {
        let bytes = Array(json)
        guard bytes.count <= Self.sizeLimit else { throw ScenarioError(name, "it is larger than 1 MiB") }
        do {
            let file = try JSON.decode(File.self, from: bytes)
            self.name = name
            about = file.about
            base = file.from
            steps = try file.steps?.map(ScenarioStep.init) ?? []
            expectations = file.expect ?? Expectations()
            world = file.world
        } catch let error as DecodingError {
            throw ScenarioError(name, error.explanation)
        } catch let error as ScenarioStep.Unreadable {
            throw ScenarioError(name, error.explanation)
        }
    }

    private struct File: Decodable {
        var about: String
        var from: String?
        var steps: [JSONValue]?
        var expect: Expectations?
        var world: JSONValue?
    }
}

extension Scenario {
    /// The names of all scenarios that came with the program, sorted.
    package static let names = embeddedFiles.map(\.name).sorted()

    /// A scenario that came with the program.
    /// - Throws: ``ScenarioError`` if there is none of this name.
    package static func named(_ name: String) throws -> Scenario {
        guard let file = embeddedFiles.first(where: { $0.name == name }) else {
            throw ScenarioError(name, "there is no such scenario; there are: \(names.joined(separator: ", "))")
        }
        return try Scenario(name: name, json: file.json.utf8)
    }
}

/// Why a scenario cannot be read or played.
package struct ScenarioError: Error, Hashable, CustomStringConvertible {
    package let scenario: String
    package let explanation: String

    init(_ scenario: String, _ explanation: String) {
        self.scenario = scenario
        self.explanation = explanation
    }

    package var description: String { "scenario \(scenario): \(explanation)" }
}
