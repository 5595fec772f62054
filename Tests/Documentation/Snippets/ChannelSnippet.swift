import DataChannels

/// The first block of docs/protocols/data-channel.md. Examples/data-channel-echo runs.
private enum ChannelSnippet {
    // swift-format-ignore
    static func call(_ send: (String) -> Void) async throws {
        let connection = try PeerConnection(configuration: PeerConnectionConfiguration())
        let channel = try connection.createDataChannel(label: "chat")
        channel.setHandlers(onMessage: { print($0) })
        try channel.send("waits until the channel is open")

        let offer = try await connection.createOffer()
        try await connection.setLocalDescription(offer)
        send(offer.sdp)                                   // over any signaling of yours
        for await event in connection.events {
            if case .localCandidate(let candidate) = event { send(candidate.line) }
        }
    }
}
