import AppCore
import Simulator
import Testing

@Suite struct WalkTests {
    @Test(.timeLimit(.minutes(30)), arguments: [1, 2] as [UInt64])
    func nothingTrapsAndNothingIsLost(seed: UInt64) throws {
        var walk = try Walk(seed: seed)
        let start = ContinuousClock.now
        let finding = try walk.run(steps: 20_000)
        print(walk.steps, ContinuousClock.now - start)
        #expect(finding == nil, "\(finding?.description ?? "")")
    }
}
