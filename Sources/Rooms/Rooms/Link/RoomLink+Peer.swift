import DataChannels

/// The link's peer connection: made for each pair of instances, negotiated over the socket.
extension RoomLink {
    func makePeer() {
        peerNumber += 1
        candidateKinds = []
        let number = peerNumber
        let happen = happen
        do {
            let made = try PeerConnection(
                configuration: setting.network.peerConfiguration(
                    certificate: certificate, iceServers: iceServers))
            peer = made
            let backlog = PeerBacklog()
            for channel in Channel.allCases { channels[channel] = try makeChannel(channel, on: made, number, backlog) }
            peerTask = Task {
                for await event in made.events { happen.yield(.peer(number, .connection(event))) }
            }
        } catch {
            happen.yield(.link(.peerFailed))
        }
    }

    private func makeChannel(
        _ channel: Channel, on peer: PeerConnection, _ number: Int, _ backlog: PeerBacklog
    ) throws -> DataChannel {
        let made = try peer.createDataChannel(
            label: channel.label,
            configuration: DataChannelConfiguration(
                subprotocol: "alcove.1", negotiatedID: channel.rawValue, priority: channel.priority))
        made.setHandlers(
            onOpen: { [happen] in happen.yield(.peer(number, .opened(channel))) },
            onMessage: { [happen] message in
                switch backlog.add(message) {
                case .taken: happen.yield(.peer(number, .message(channel, message, backlog)))
                case .overflow: happen.yield(.peer(number, .closed(channel)))
                case .dropped: break
                }
            },
            onBufferedAmountLow: { [happen] in happen.yield(.peer(number, .drained(channel))) },
            onClose: { [happen] in happen.yield(.peer(number, .closed(channel))) })
        return made
    }

    /// Servers from the rendezvous server count for the next path; the present one stays.
    func use(_ offered: OfferedICEServers) async {
        offeredServers = offered.servers
        if setting.usesOfferedServers { try? await peer?.setICEServers(offered.servers) }
    }

    func makeOffer(iceRestart: Bool) async {
        await negotiate { peer in
            let offer = try await peer.createOffer(iceRestart: iceRestart)
            try await peer.setLocalDescription(offer)
            return .localOffer(sdp: offer.sdp)
        }
    }

    func acceptOffer(_ sdp: String) async {
        await negotiate { peer in
            try await peer.setRemoteDescription(SessionDescription(kind: .offer, sdp: sdp))
            let answer = try await peer.createAnswer()
            try await peer.setLocalDescription(answer)
            return .localAnswer(sdp: answer.sdp)
        }
        await describedBoth()
    }

    func acceptAnswer(_ sdp: String) async {
        await negotiate { peer in
            try await peer.setRemoteDescription(SessionDescription(kind: .answer, sdp: sdp))
            return nil
        }
        await describedBoth()
    }

    func addCandidate(_ candidate: SignalingCandidate) async {
        // An unreadable candidate costs one path, not the connection.
        try? await peer?.addICECandidate(
            line: candidate.candidate, sdpMid: candidate.sdpMid, sdpMLineIndex: candidate.sdpMLineIndex)
    }

    /// One step of the negotiation. A peer connection that refuses a description is useless.
    @inline(never)
    private func negotiate(_ step: (PeerConnection) async throws -> LinkMachine.Input?) async {
        guard let peer else { return }
        do {
            if let input = try await step(peer) { await feed(input) }
        } catch {
            await feed(.peerFailed)
        }
    }

    func dropPeer() {
        peerNumber += 1
        if verification != nil { lastVerification = verification }
        verification = nil
        isVerificationWanted = false
        earlyVerification = []
        channels = [:]
        early = []
        guard let closing = peer else { return }
        peer = nil
        let before = peerClosing
        peerClosing = Task {
            await before?.value
            await closing.close()
        }
    }

    func handle(_ event: PeerEvent) async {
        switch event {
        case .connection(let event): await handle(event)
        case .opened(.messages): await feed(.channelOpened)
        case .opened: break
        case .message(let channel, let message, _): await received(message, on: channel)
        case .drained(.files): await setting.conversation.sendChunks()
        case .drained(.messages): await setting.conversation.drained()
        case .drained(.notes): await setting.conversation.pumpNotes()
        case .drained(.agents): await setting.conversation.pumpAgents()
        case .closed: await peerEnded(.peerFailed)
        }
    }

    /// The connection broke, or the other side ended it and said so.
    @inline(never)
    private func peerEnded(_ input: LinkMachine.Input) async {
        if await setting.conversation.hasPeerLeft { await feed(.goodbye) }
        await feed(input)
    }

    private func handle(_ event: PeerConnectionEvent) async {
        switch event {
        case .localCandidate(let candidate):
            candidateKinds.insert(candidate.kind)
            await feed(
                .localCandidate(
                    SignalingCandidate(
                        candidate: candidate.line, sdpMLineIndex: candidate.sdpMLineIndex, sdpMid: candidate.sdpMid)))
        case .connectionStateChanged(.connected, _): await feed(.peerConnected)
        case .connectionStateChanged(.disconnected, _): await peerEnded(.peerDisconnected)
        case .connectionStateChanged(.failed, _), .connectionStateChanged(.closed, _): await peerEnded(.peerFailed)
        default: break
        }
    }
}
