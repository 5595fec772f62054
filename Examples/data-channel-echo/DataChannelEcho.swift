// Two WebRTC peers in one process: one asks, the other echoes.
//   swift run data-channel-echo
import DataChannels

@main
struct DataChannelEcho {
    static func main() async throws {
        let configuration = try PeerConnectionConfiguration(bindAddresses: ["127.0.0.1"])
        let alice = try PeerConnection(configuration: configuration)
        let bob = try PeerConnection(configuration: PeerConnectionConfiguration(bindAddresses: ["127.0.0.1"]))

        // Signaling: here it is a function call, elsewhere a server carries it.
        forward(alice.events, to: bob)
        forward(bob.events, to: alice) { channel in
            channel.setHandlers(onMessage: { message in try? channel.send(message) })
        }

        let channel = try alice.createDataChannel(label: "echo")
        let (echoes, sink) = AsyncStream<DataChannelMessage>.makeStream()
        channel.setHandlers(onMessage: { sink.yield($0) }, onClose: { sink.finish() })

        let offer = try await alice.createOffer()
        try await alice.setLocalDescription(offer)
        try await bob.setRemoteDescription(offer)
        let answer = try await bob.createAnswer()
        try await bob.setLocalDescription(answer)
        try await alice.setRemoteDescription(answer)

        try channel.send("Is anybody there?")
        for await echo in echoes {
            print("echo:", echo)
            break
        }
        await alice.close()
    }

    /// Hands the candidates of one peer to the other, and its channels to `opened`.
    static func forward(
        _ events: AsyncStream<PeerConnectionEvent>, to other: PeerConnection,
        opened: @escaping @Sendable (DataChannel) -> Void = { _ in }
    ) {
        Task {
            for await event in events {
                if case .localCandidate(let candidate) = event { try await other.addICECandidate(candidate) }
                if case .dataChannel(let channel) = event { opened(channel) }
            }
        }
    }
}
