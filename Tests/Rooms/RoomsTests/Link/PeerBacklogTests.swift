import DataChannels
import Testing

@testable import Rooms

struct PeerBacklogTests {
    @Test(arguments: [0, 65_536])
    func `a side that is not kept up with loses the connection once`(size: Int) {
        let backlog = PeerBacklog()
        let message = DataChannelMessage.binary(Array(repeating: 0, count: size))
        var taken = 0
        while case .taken = backlog.add(message) { taken += 1 }
        #expect(taken == PeerBacklog.limit / (size + PeerBacklog.overhead))
        #expect(backlog.add(message) == .dropped)
    }

    @Test func `what is handled makes room`() {
        let backlog = PeerBacklog()
        let message = DataChannelMessage.binary(Array(repeating: 0, count: 1 << 20))
        for _ in 0..<200 {
            #expect(backlog.add(message) == .taken)
            backlog.took(message)
        }
    }
}
