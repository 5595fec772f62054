internal import SCTP

// How the transports are stacked.
extension Peer {
    /// The generation that descriptions and candidates belong to.
    var newestICE: ICETransport? { nextICE ?? ice }

    /// Whether a restart is looking for a new path.
    var isRestarting: Bool { nextICE != nil }

    /// Makes the first ICE generation, or the next one beside the current one.
    func prepareICE(restart: Bool) throws(PeerConnectionError) {
        if ice == nil {
            ice = try makeICE()
        } else if restart {
            nextICE?.close()
            nextICE = try makeICE()
            gatheringState = .new
        } else {
            newestICE?.setLocalCredentials(negotiation.credentials)
        }
    }

    private func makeICE() throws(PeerConnectionError) -> ICETransport {
        let remoteIsLite = negotiation.remote?.dataChannels?.iceLite ?? false
        let transport = try ICETransport(
            isControlling: negotiation.isOfferer ?? true || remoteIsLite,
            credentials: negotiation.credentials,
            loop: loop
        )
        transport.handlers = ICETransport.Handlers(
            packet: { packet in self.receive(packet) },
            candidate: { transport, candidate in self.found(candidate, by: transport) },
            gatheringDone: { transport in self.gathered(transport) },
            stateChanged: { transport, state in self.iceChanged(transport, to: state) }
        )
        return transport
    }

    func gather(isFirst: Bool) throws(PeerConnectionError) {
        guard let ice = newestICE else { return }
        guard gatheringState == .new else {
            // After a rollback: removes the candidates of the withdrawn offer.
            if isFirst { for candidate in ice.localCandidates { announce(candidate) } }
            return
        }
        setGatheringState(.gathering)
        if NameResolver.isNumeric(settings) { return try ice.gather(settings) }
        NameResolver.resolve(settings) { resolved in
            guard ice === self.newestICE else { return }
            do throws(PeerConnectionError) {
                try ice.gather(resolved)
            } catch {
                self.fail(error)
            }
        }
    }

    private func found(_ candidate: ICECandidate, by transport: ICETransport) {
        guard transport === newestICE, let candidate = settings.relayOnly ? candidate.relayOnly : candidate else {
            return
        }
        transport.localCandidates.append(candidate)
        announce(candidate)
    }

    /// Without a description the candidate waits for the next one.
    private func announce(_ candidate: ICECandidate) {
        guard let description = negotiation.local else { return }
        var candidate = candidate
        candidate.sdpMid = description.dataChannels?.mid
        candidate.sdpMLineIndex = description.dataChannelsIndex
        candidate.extensions.append(.init(name: "ufrag", value: negotiation.credentials.usernameFragment))
        emit(.localCandidate(candidate))
    }

    private func gathered(_ transport: ICETransport) {
        if transport === newestICE { setGatheringState(.complete) }
    }

    private func setGatheringState(_ state: ICEGatheringState) {
        guard state != gatheringState else { return }
        gatheringState = state
        emit(.gatheringStateChanged(state))
    }

    private func iceChanged(_ transport: ICETransport, to state: ICETransport.State) {
        if transport === nextICE, state == .connected || state == .completed {
            // The new path takes over, and the old one is closed.
            ice?.close()
            (ice, nextICE) = (transport, nil)
        }
        guard transport === ice else { return }
        let state: ICEConnectionState =
            switch state {
            case .new: .new
            case .checking: .checking
            case .connected: .connected
            case .completed: .completed
            case .failed: .failed
            case .closed: .closed
            }
        setICEState(state)
        startDTLS()
    }

    private func setICEState(_ state: ICEConnectionState) {
        guard state != iceState else { return }
        iceState = state
        emit(.iceConnectionStateChanged(state))
        updateConnectionState()
    }

    /// Starts the handshake once there is a path and both descriptions are set.
    func startDTLS() {
        guard dtls == nil, iceState == .connected || iceState == .completed, let role = negotiation.role,
            let fingerprint = negotiation.remote?.dataChannels?.strongestFingerprint
        else { return updateConnectionState() }
        do {
            let transport = try DTLSTransport(
                role: role,
                certificate: configuration.certificate,
                remoteFingerprint: fingerprint,
                loop: loop,
                handlers: DTLSTransport.Handlers(
                    transmit: { self.transmit($0) },
                    data: { packet in self.decrypted(packet) },
                    stateChanged: { self.dtlsChanged($0) }
                )
            )
            dtls = transport
            let packets = early.packets
            early.packets = []
            if role == .client { transport.start() }
            for packet in packets { packet.withUnsafeBytes { transport.receive($0) } }
        } catch {
            fail(error)
        }
        updateConnectionState()
    }

    private func decrypted(_ packet: UnsafeRawBufferPointer) { sctp?.receive(packet) }

    private func dtlsChanged(_ state: DTLSTransport.State) {
        switch state {
        case .handshaking: break
        case .connected: startSCTP()
        // Not from inside the transport that reports.
        case .closed: loop.submit { self.assumeIsolated { $0.close() } }
        case .failed(let error): fail(error)
        }
    }

    private func startSCTP() {
        let transport = makeSCTP()
        sctp = transport
        transport.connect()
    }

    private func makeSCTP() -> any SCTPTransport {
        let handlers = SCTPHandlers(
            transmit: { self.dtls?.send($0) },
            message: { self.received($2, identifier: $1, stream: $0) },
            incomingReset: { self.incomingReset($0) },
            outgoingReset: { self.outgoingReset($0) },
            stateChanged: { self.sctpChanged($0) },
            mayFragment: { self.ice?.mayFragment = $0 },
            pending: { self.needEndOfRound() },
            writable: { self.needEndOfRound() },
            mayReceive: { self.mayReceive }
        )
        var association = SCTP.Configuration()
        association.localPort = negotiation.local?.dataChannels?.sctpPort ?? 5000
        association.remotePort = negotiation.remote?.dataChannels?.sctpPort ?? 5000
        // The largest DTLS record, or what Ethernet carries without IPv4, UDP and DTLS around it.
        association.maximumPacketSize = ice?.isLoopback == true ? 16_384 : 1_432
        return AssociationTransport(
            loop: loop, configuration: association, maxMessageSize: configuration.maxMessageSize, handlers: handlers)
    }

    private func sctpChanged(_ state: SCTPState) {
        switch state {
        case .connecting: break
        case .connected:
            shared.set(streamCount: min(sctp?.streams ?? 0, DataChannelConfiguration.streams))
            openChannels()
            updateConnectionState()
        case .closed: loop.submit { self.assumeIsolated { $0.close() } }
        case .failed(let error): fail(error)
        }
    }

    private func receive(_ packet: UnsafeRawBufferPointer) {
        statistics.packetsReceived += 1
        if let dtls {
            dtls.receive(packet)
        } else if early.packets.count < 16, packet.count <= 2048 {
            early.packets.append(Array(packet))
        }
    }

    private func transmit(_ packet: UnsafeRawBufferPointer) {
        statistics.packetsSent += 1
        ice?.enqueue(packet)
        needEndOfRound()
    }

    /// Schedules ``endRound()`` for after the current events.
    func needEndOfRound() {
        guard !hasEndOfRound else { return }
        hasEndOfRound = true
        loop.atEndOfRound { [self] in self.endRound() }
    }

    private func endRound() {
        sctp?.deliver()
        hasEndOfRound = false
        sendQueued()
        sctp?.flush()
        ice?.flush()
    }

    /// The connection has failed; the application has to close it.
    func fail(_ error: PeerConnectionError) { set(.failed, error) }

    private func updateConnectionState() {
        // A failure above ICE is final; a new path repairs the others.
        guard connectionState != .failed || sctp?.state == .connected else { return }
        switch iceState {
        case .failed: fail(PeerConnectionError(.connectivity, "no path to the peer works (any more): restart ICE"))
        case .disconnected: set(.disconnected)
        case .new where dtls == nil: break
        default: set(sctp?.state == .connected ? .connected : .connecting)
        }
    }

    /// Starts the watch, because both descriptions are set.
    func startWatch() {
        watch.start { self.lookAtPath() }
    }

    private func lookAtPath() {
        endOverdueClosings()
        dtls?.releaseIdleBuffers()
        ice?.isSilent = restartTurns.next(isRestarting: isRestarting)
        switch watch.look(isConnected: sctp?.state == .connected, packetsReceived: statistics.packetsReceived) {
        case .nothing: break
        case .tookTooLong:
            if connectionState == .failed { return }
            fail(
                PeerConnectionError(
                    .connectivity, "no connection after \(watch.limits.connect) seconds: try again, or use TURN"
                ))
        case .silent: if iceState == .connected || iceState == .completed { setICEState(.disconnected) }
        case .lost: setICEState(.failed)
        case .heardAgain:
            if iceState == .disconnected || iceState == .failed, let ice { iceChanged(ice, to: ice.state) }
        }
    }

    private func set(_ state: PeerConnectionState, _ error: PeerConnectionError? = nil) {
        guard state != connectionState, connectionState != .closed else { return }
        connectionState = state
        shared.set(connectionState: state)
        emit(.connectionStateChanged(state, error))
    }
}
