import DataChannels
import Peers
import Testing

/// Two of our connections that may use nothing but a TURN server.
@Suite("Relay only, through coturn", .serialized, .timeLimit(.minutes(5)))
struct RelayTests {
    @Test("over UDP and TCP", arguments: ["udp", "tcp"])
    func relay(transport: String) async throws {
        let server = try TURNServer()
        try await server.ready()
        let one = try PeerConnection(configuration: server.configuration(transport: transport))
        let two = try PeerConnection(configuration: server.configuration(transport: transport))
        let channels = forward(two, to: one)
        _ = forward(one, to: two)
        let channel = try one.createDataChannel(label: "relayed")
        let (messages, sink) = AsyncStream<DataChannelMessage>.makeStream()
        channel.setHandlers(onMessage: { sink.yield($0) })

        try await one.setLocalDescription(one.createOffer())
        #expect(try await !#require(one.localDescription).sdp.contains("raddr 127."))
        try await two.setRemoteDescription(#require(await one.localDescription))
        try await two.setLocalDescription(two.createAnswer())
        try await one.setRemoteDescription(#require(await two.localDescription))

        for await theirs in channels {
            theirs.setHandlers(onMessage: { try? theirs.send($0) })
            break
        }
        let expected = [1, 1000, 65_536, 1 << 20].map { DataChannelMessage.binary([UInt8](repeating: 9, count: $0)) }
        for message in expected { try channel.send(message) }
        var index = 0
        for await message in messages {
            #expect(message == expected[index])
            index += 1
            if index == expected.count { break }
        }
        let statistics = await one.statistics()
        #expect(statistics.path == .relayed)
        #expect(statistics.localCandidate == .relayed)
        await one.close()
        await two.close()
        _ = server
    }

    /// Hands the candidates of one to the other, and gives its channels.
    private func forward(_ one: PeerConnection, to other: PeerConnection) -> AsyncStream<DataChannel> {
        let (channels, sink) = AsyncStream<DataChannel>.makeStream()
        Task { [events = one.events] in
            for await event in events {
                if case .localCandidate(let candidate) = event {
                    // The relay knows where it was asked from; the peer must not.
                    #expect(candidate.kind == .relayed)
                    #expect(["0.0.0.0", "::"].contains(candidate.relatedAddress))
                    #expect(candidate.relatedPort == 9)
                    try await other.addICECandidate(candidate)
                }
                if case .dataChannel(let channel) = event { sink.yield(channel) }
            }
            sink.finish()
        }
        return channels
    }
}

extension TURNServer {
    /// A configuration that may use nothing but this server, which is found by name.
    fileprivate func configuration(transport: String) throws -> PeerConnectionConfiguration {
        try PeerConnectionConfiguration(
            iceServers: [
                ICEServer(
                    urls: ["turn:localhost:\(port)?transport=\(transport)"], username: Self.username,
                    credential: Self.password)
            ],
            iceTransportPolicy: .relay, bindAddresses: ["127.0.0.1"])
    }
}
