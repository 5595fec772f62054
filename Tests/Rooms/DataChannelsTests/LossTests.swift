import Testing

@testable import DataChannels

/// What happens to messages when packets get lost between the two sides.
@Suite("Lost packets", .timeLimit(.minutes(5)))
struct LossTests {
    /// An association that does not see some of the packets that come.
    private final class Lossy: SCTPTransport {
        private let inner: any SCTPTransport
        var loses: (Int) -> Bool
        private var count = 0

        init(_ inner: any SCTPTransport, loses: @escaping (Int) -> Bool) {
            self.inner = inner
            self.loses = loses
        }

        func receive(_ packet: UnsafeRawBufferPointer) {
            count += 1
            if !loses(count) { inner.receive(packet) }
        }

        var state: SCTPState { inner.state }
        var streams: UInt16 { inner.streams }
        var roundTripTime: Double? { inner.roundTripTime }
        var congestionWindow: Int? { inner.congestionWindow }
        func connect() { inner.connect() }
        func attend() { inner.attend() }
        func deliver() { inner.deliver() }
        func flush() { inner.flush() }
        func send(_ bytes: [UInt8], stream: UInt16, identifier: UInt32, policy: SCTPPolicy) -> SCTPSendResult {
            inner.send(bytes, stream: stream, identifier: identifier, policy: policy)
        }
        func discardUnsent(_ stream: UInt16) { inner.discardUnsent(stream) }
        func reset(_ streams: [UInt16]) { inner.reset(streams) }
        func close() { inner.close() }
    }

    /// From now on these packets do not come in at the connection's association.
    private func lose(_ connection: PeerConnection, _ loses: @escaping @Sendable (Int) -> Bool) async {
        await withCheckedContinuation { continuation in
            connection.peer.onLoop { peer in
                if let lossy = peer.sctp as? Lossy {
                    lossy.loses = loses
                } else {
                    peer.sctp = peer.sctp.map { Lossy($0, loses: loses) }
                }
                continuation.resume()
            }
        }
    }

    @Test(
        "reliable messages arrive whole, in order and once, also when every eighth packet is lost")
    func reliable() async throws {
        let pair = try TransportTests.pair()
        let channel = try pair.offerer.createDataChannel(label: "x")
        let ours = Inbox(channel)
        try await pair.connect()
        let theirs = try await pair.answererLog.channel()
        let inbox = Inbox(theirs)
        for side in [pair.offerer, pair.answerer] { await lose(side) { $0 % 8 == 5 } }
        for index in 0..<40 {
            try channel.send([UInt8](repeating: UInt8(index), count: index * 501))
            try theirs.send([UInt8](repeating: UInt8(index), count: index * 301))
        }
        #expect(await inbox.next(40) == (0..<40).map { .binary([UInt8](repeating: UInt8($0), count: $0 * 501)) })
        #expect(await ours.next(40) == (0..<40).map { .binary([UInt8](repeating: UInt8($0), count: $0 * 301)) })
        await pair.close()
    }

    @Test(
        "messages that may get lost do not hold up later ones, and what arrives is whole and in order",
        arguments: [
            DataChannelConfiguration(reliability: .maxRetransmits(0)),
            DataChannelConfiguration(reliability: .maxPacketLifeTime(milliseconds: 1)),
            DataChannelConfiguration(isOrdered: false, reliability: .maxRetransmits(0)),
        ])
    func givenUp(_ configuration: DataChannelConfiguration) async throws {
        let pair = try TransportTests.pair()
        let channel = try pair.offerer.createDataChannel(label: "x", configuration: configuration)
        let last = try pair.offerer.createDataChannel(label: "last")
        try await pair.connect()
        var theirs: [String: Inbox] = [:]
        for _ in 0..<2 {
            let next = try await pair.answererLog.channel()
            theirs[next.label] = Inbox(next)
        }
        let (inbox, lastInbox) = (try #require(theirs["x"]), try #require(theirs["last"]))
        await lose(pair.answerer) { $0 % 4 == 1 }
        let count = 120
        for index in 0..<count {
            try channel.send([UInt8](repeating: UInt8(index), count: 1 + index % 3 * 1500))
            // Not all in one packet.
            try await Task.sleep(for: .milliseconds(1))
        }
        await lose(pair.answerer) { _ in false }
        // The association goes on, and the channel with it.
        try last.send("the end")
        #expect(await lastInbox.next() == .text("the end"))
        // Also that may be given up, for example because it waited for too long.
        let ending = Task {
            while true {
                try channel.send("the end")
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        var received: [DataChannelMessage] = []
        repeat { received += await inbox.next(1) } while received.last != .text("the end")
        ending.cancel()
        let numbers = received.dropLast().compactMap { message -> Int? in
            guard case .binary(let bytes) = message, let first = bytes.first else { return nil }
            #expect(bytes == [UInt8](repeating: first, count: 1 + Int(first) % 3 * 1500))
            return Int(first)
        }
        #expect(numbers.count == Set(numbers).count, "none arrives twice")
        if configuration.isOrdered { #expect(numbers == numbers.sorted()) }
        await pair.close()
    }
}
