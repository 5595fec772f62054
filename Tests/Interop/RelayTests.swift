import Cryptography
import DataChannels
import Foundation
import Peers
import Testing
import Wire

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

    /// The names and passwords that `alcove serve --turn-secret-file` hands out. A connection whose credentials have
    /// expired gets no path until it has fresh ones and restarts ICE.
    @Test func `credentials with an end`() async throws {
        let secret = "the secret of the relay"
        let server = try TURNServer(secret: secret)
        try await server.ready()
        func servers(_ name: String, secret: String) -> [ICEServer] {
            let code = HMAC.code(Array(name.utf8), key: SecretBytes(copying: Array(secret.utf8)), function: .sha1)
            return [
                ICEServer(urls: ["turn:127.0.0.1:\(server.port)"], username: name, credential: Base64.encode(code))
            ]
        }
        let now = Int(Date().timeIntervalSince1970)
        for refused in [servers("\(now - 10):x", secret: secret), servers("\(now + 600):x", secret: secret + "?")] {
            let peer = try PeerConnection(
                configuration: PeerConnectionConfiguration(
                    iceServers: refused, iceTransportPolicy: .relay, bindAddresses: ["127.0.0.1"]))
            _ = try peer.createDataChannel(label: "relayed")
            try await peer.setLocalDescription(peer.createOffer())
            #expect(await findsRelay(peer) == false)
            try await peer.setICEServers(servers("\(now + 600):x", secret: secret))
            try await peer.setLocalDescription(peer.createOffer(iceRestart: true))
            // The end of the gathering before may still be reported.
            var isFound = await findsRelay(peer)
            if !isFound { isFound = await findsRelay(peer) }
            #expect(isFound)
            await peer.close()
        }
        _ = server
    }

    /// Whether there is a path through the relay, once all are known.
    private func findsRelay(_ peer: PeerConnection) async -> Bool {
        for await event in peer.events {
            if case .localCandidate(let candidate) = event, candidate.kind == .relayed { return true }
            if case .gatheringStateChanged(.complete) = event { return false }
        }
        return false
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
