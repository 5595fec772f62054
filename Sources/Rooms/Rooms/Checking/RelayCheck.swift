import DataChannels

/// Connects two peers of this process that may use nothing but one TURN server.
struct RelayCheck: Sendable {
    /// With one address.
    let server: ICEServer
    let network: RoomsNetwork

    /// The longest wait for a path at the TURN server, and for a connection through it.
    static let patience = Duration.seconds(15)

    /// Nil if the two connected.
    func problem() async -> ServerFinding.Problem? {
        guard let one = try? peer(), let two = try? peer() else { return .refused }
        let problem = await problem(one, two)
        await one.close()
        await two.close()
        return problem
    }

    private func peer() throws -> PeerConnection {
        try PeerConnection(
            configuration: PeerConnectionConfiguration(
                iceServers: [server], iceTransportPolicy: .relay, bindAddresses: network.bindAddresses))
    }

    private func problem(_ one: PeerConnection, _ two: PeerConnection) async -> ServerFinding.Problem? {
        guard (try? one.createDataChannel(label: "check")) != nil,
            let offer = try? await one.createOffer(), await gather(one, offer), let offered = await one.localDescription
        else { return await RelayProbe.isAnswering(server.urls[0]) ? .refused : .silent }
        do {
            try await two.setRemoteDescription(offered)
            guard await gather(two, try await two.createAnswer()), let answered = await two.localDescription else {
                return .refused
            }
            try await one.setRemoteDescription(answered)
        } catch {
            return .noData
        }
        return await wait(one) { event in
            switch event {
            case .connectionStateChanged(.connected, _): true
            case .connectionStateChanged(.failed, _), .connectionStateChanged(.closed, _): false
            default: nil
            }
        } ? nil : .noData
    }

    /// Whether the server gave a path.
    private func gather(_ peer: PeerConnection, _ description: SessionDescription) async -> Bool {
        guard (try? await peer.setLocalDescription(description)) != nil else { return false }
        return await wait(peer) { event in
            switch event {
            case .localCandidate(let candidate) where candidate.kind == .relayed: true
            case .gatheringStateChanged(.complete): false
            default: nil
            }
        }
    }

    /// Waits until an event decides. After the time the peer is closed, which is its last event.
    private func wait(_ peer: PeerConnection, _ judge: (PeerConnectionEvent) -> Bool?) async -> Bool {
        let timer = Task {
            guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
            await peer.close()
        }
        defer { timer.cancel() }
        for await event in peer.events {
            if let result = judge(event) { return result }
        }
        return false
    }
}
