import AgentProtocols
import Agents
import AppCore
import Testing

@testable import Host

/// What agents say, on its way into the core.
@Suite struct AgentBatchTests {
    @Test(arguments: [
        (Int.max, 1, nil as Int?, Int.max), (Int.max, Int.max, nil, Int.max), (3, 4, nil, 7), (Int.max, 1, 5, 5),
    ])
    func `numbers of tokens that are too large for a sum count as the largest`(
        input: Int, output: Int, used: Int?, tokens: Int
    ) {
        var batch = AgentBatch(turn: 1, name: "helper")
        batch.add(.usage(AgentUsage(input: input, output: output, used: used)))
        #expect(batch.finished().deltas == [.used(tokens: tokens, size: nil)])
    }
}
