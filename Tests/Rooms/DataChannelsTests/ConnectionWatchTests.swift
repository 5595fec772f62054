import Testing

@testable import DataChannels

@Suite("Connection watch")
struct ConnectionWatchTests {
    private let watch = ConnectionWatch(
        loop: EventLoop.next(), limits: ConnectionLimits(connect: 4, silence: 3, loss: 6))

    private func look(_ packets: [UInt64], isConnected: Bool = true) -> [ConnectionWatch.Finding] {
        packets.map { watch.look(isConnected: isConnected, packetsReceived: $0) }
    }

    @Test("a connection that fails is reported once")
    func tookTooLong() {
        #expect(
            look([1, 2, 3, 4, 5, 6], isConnected: false) == [
                .nothing, .nothing, .nothing, .tookTooLong, .nothing, .nothing,
            ])
    }

    @Test("being connected begins the wait anew")
    func reconnecting() {
        #expect(look([1, 2, 3], isConnected: false) == [.nothing, .nothing, .nothing])
        #expect(look([4]) == [.nothing])
        #expect(look([5, 6, 7, 8], isConnected: false) == [.nothing, .nothing, .nothing, .tookTooLong])
    }

    @Test("with packets nothing is reported; silence is reported once, then the loss once")
    func silence() {
        #expect(look([1, 2, 2, 2, 3]) == [.nothing, .nothing, .nothing, .nothing, .nothing])
        #expect(look([3, 3, 3, 3, 3]) == [.nothing, .nothing, .silent, .nothing, .nothing])
        #expect(look([3, 3, 3]) == [.lost, .nothing, .nothing])
    }

    @Test("a sign of life is reported, after silence and after loss")
    func heardAgain() {
        #expect(look([1, 1, 1, 1, 2, 2]) == [.nothing, .nothing, .nothing, .silent, .heardAgain, .nothing])
        #expect(look([2, 2, 2, 2, 2, 3]) == [.nothing, .silent, .nothing, .nothing, .lost, .heardAgain])
    }
}
