import AppCore
import Layout
package import Scenarios

/// A model-based test: takes random actions in a world with random faults, until an invariant breaks.
///
/// A walk is a row of runs: each begins with a scenario, goes on at random, and ends with checks that take time. The
/// same seed walks the same way.
package struct RandomWalk: Sendable {
    /// Inputs that the core took so far.
    package private(set) var steps = 0
    package let seed: UInt64
    /// A digest of the final states of the runs. Equal walks have equal fingerprints in every build.
    package private(set) var fingerprint = ""
    private var runs = 0
    var random: SplitMix64
    private let beginnings: [Beginning]
    private let newCore: @Sendable () throws -> any SimulatedCore

    /// Inputs of one run.
    static let runLength = 400

    /// A scenario, played once.
    private struct Beginning: Sendable {
        let name: String
        let setup: [Input]
    }

    /// - Parameters:
    ///   - scenarios: where runs begin; by default everywhere.
    package init(
        seed: UInt64, scenarios: [Scenario]? = nil,
        core newCore: @escaping @Sendable () throws -> any SimulatedCore = { BuiltInCore() }
    ) throws {
        self.seed = seed
        self.newCore = newCore
        random = SplitMix64(seed: seed)
        beginnings = try (scenarios ?? Scenario.names.map(Scenario.named)).map {
            Beginning(name: $0.name, setup: try $0.perform().inputs)
        }
    }

    /// Walks until the core has taken at least so many inputs.
    /// - Returns: the first fault that was found; `nil` if there was none.
    package mutating func run(steps limit: Int) throws -> WalkFinding? {
        let end = steps + limit
        while steps < end {
            guard let beginning = beginnings.randomElement(using: &random) else { return nil }
            var simulation = try Simulation(
                core: try newCore(), setup: beginning.setup, scenario: beginning.name, settings: moods(),
                seed: random.next())
            simulation.takeOver()
            var run = try WalkRun(simulation, seed: random.next())
            let fault = try run.run(steps: Self.runLength, throughJSON: runs % 4 == 0)
            runs += 1
            steps += run.simulation.transitions
            let state = String(decoding: try run.simulation.core.state, as: UTF8.self)
            fingerprint = Snapshot.fingerprint(of: fingerprint + state)
            if let fault { return try WalkFinding(fault, in: run, of: self, core: newCore) }
        }
        return nil
    }

    /// A world that is kind, or has moods.
    private mutating func moods() -> WorldSettings {
        var settings = WorldSettings()
        settings.codes = ["123456": WalkRun.words, "482913": WalkRun.words]
        settings.pushes = Bool.random(using: &random)
        settings.peer.comesAfterMs = Bool.random(using: &random) ? 2000 : nil
        settings.peer.words = [.right, .right, .none, .wrong].randomElement(using: &random) ?? .right
        settings.peer.echoes = Bool.random(using: &random)
        settings.peer.sees = Bool.random(using: &random)
        settings.peer.files = [.accept, .decline, .ignore].randomElement(using: &random) ?? .accept
        settings.peer.lifetimes = [.accept, .decline, .ignore].randomElement(using: &random) ?? .accept
        settings.peer.trusts = Bool.random(using: &random) ? .accept : .ignore
        settings.peer.meets = Bool.random(using: &random)
        settings.peer.pool = [0, 3, 1000].randomElement(using: &random) ?? 1000
        settings.notes.texts = ["Groceries\n\nMilk #shop", "Plans"]
        settings.notes.folder = [.writable, .writable, .readOnly, .missing].randomElement(using: &random) ?? .writable
        settings.apps.installed = ["apps/checklist"]
        settings.apps.library = [.writable, .writable, .busy, .missing].randomElement(using: &random) ?? .writable
        settings.apps.behaves = Bool.random(using: &random) ? .well : .crashes
        settings.apps.hasSandbox = Int.random(in: 0..<5, using: &random) > 0
        settings.apps.installMs = Bool.random(using: &random) ? 700 : 0
        settings.peer.shares = Bool.random(using: &random) ? .accept : .ignore
        settings.vaultDelayMs = Bool.random(using: &random) ? 500 : 0
        if Bool.random(using: &random) {
            settings.rules = Rule.Outcome.allCases.map { Rule("*", $0, delayMs: 700, chance: 0.05) }
        }
        return settings
    }
}

/// A broken invariant.
struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
    let description: String
    /// Whether it can be seen without the world, after the last input.
    var isOfCore = true

    init(_ description: String, isOfCore: Bool = true) {
        self.description = description
        self.isOfCore = isOfCore
    }
}
