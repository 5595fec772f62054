import AppCore
import Simulator
import Testing

/// Steps at random; what must hold is in `Sources/Core/Simulator/Walk/Invariants.swift`. `make test` goes on from here to a
/// million of them, with the program as it is released.
@Suite struct RandomWalkTests {
    @Test(.timeLimit(.minutes(30)), arguments: [1, 2, 3, 4] as [UInt64])
    func nothingTrapsAndNothingIsLost(seed: UInt64) async throws {
        var walk = try RandomWalk(seed: seed)
        var finding: WalkFinding?
        while finding == nil, walk.steps < 10_000 {
            finding = try walk.run(steps: 1000)
            // There are tests that wait for their turn.
            await Task.yield()
        }
        #expect(walk.steps >= 10_000 || finding != nil)
        #expect(finding == nil, "\(finding?.description ?? "")")
    }

    @Test func theSameSeedWalksTheSameWay() throws {
        let steps = try (0..<2).map { _ in
            var walk = try RandomWalk(seed: 9)
            _ = try walk.run(steps: 2000)
            return walk.steps
        }
        #expect(steps[0] == steps[1])
    }

    @Test func aFaultIsFoundAndShrunk() throws {
        var walk = try RandomWalk(seed: 5) { CoreWithAFault() }
        let finding = try #require(try walk.run(steps: 100_000))
        #expect(finding.fault.contains("the id join.code is there twice"))
        #expect(finding.inputs.count <= 4, "\(finding)")
        #expect(finding.description.contains("seed 5"))
    }
}

/// Shows a node twice on one screen.
private struct CoreWithAFault: SimulatedCore {
    private var core = BuiltInCore()

    mutating func dispatch(_ input: Input) throws -> [Effect] { core.dispatch(input) }
    func tree(in view: ViewID) throws -> SemanticNode {
        var tree = try core.tree(in: view)
        if let field = tree.find("join.code") { tree.children.append(field) }
        return tree
    }
    var state: [UInt8] { get throws { try core.state } }
    func records(whileLocked: Bool) throws -> [Record] { core.records(whileLocked: whileLocked) }
    var openEffects: [Effect]? { core.openEffects }
    func another() throws -> any SimulatedCore { CoreWithAFault() }
    var copy: (any SimulatedCore)? { self }
}
