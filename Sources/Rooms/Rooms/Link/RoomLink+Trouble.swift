import DataChannels

/// Reports why two sides do not connect, as far as this side can know: the server, or a missing path between two
/// present sides.
extension RoomLink {
    /// Reports why the two do not connect. The link keeps trying.
    func trouble(_ failure: RoomsFailure) { report(.trouble(room: setting.address.room, failure)) }

    /// Looks for the reason while the link keeps trying.
    func explainNoPath() {
        let (network, servers, kinds) = (setting.network, iceServers, candidateKinds)
        explanation?.cancel()
        explanation = Task {
            let failure = await Self.reason(network, servers, found: kinds)
            if !Task.isCancelled { trouble(failure) }
        }
    }

    private static func reason(
        _ network: RoomsNetwork, _ servers: [ICEServer], found kinds: Set<ICECandidate.Kind>
    ) async -> RoomsFailure {
        if !network.bindAddresses.isEmpty, !network.relayOnly, kinds.isEmpty {
            return RoomsFailure(.addressUnusable, place: network.bindAddresses.joined(separator: ", "))
        }
        let relays = servers.flatMap(\.urls).filter { $0.lowercased().hasPrefix("turn") }
        guard !kinds.contains(.relayed) else { return RoomsFailure(.noPath, place: relays.joined(separator: ", ")) }
        // A working relay would have given a path.
        for relay in relays where await !RelayProbe.isAnswering(relay) {
            return RoomsFailure(.relayUnreachable, place: relay)
        }
        return relays.first.map { RoomsFailure(.relayRefused, place: $0) } ?? RoomsFailure(.noPath)
    }
}
