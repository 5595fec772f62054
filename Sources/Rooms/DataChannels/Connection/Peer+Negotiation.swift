extension Peer {
    func makeOffer(restart: Bool) throws(PeerConnectionError) -> SessionDescription {
        try checkOpen()
        return try negotiation.makeOffer(restart: restart, configuration: configuration)
    }

    func makeAnswer() throws(PeerConnectionError) -> SessionDescription {
        try checkOpen()
        return try negotiation.makeAnswer(configuration: configuration)
    }

    func use(_ iceServers: [ICEServer]) throws(PeerConnectionError) {
        try checkOpen()
        settings = try settings.with(iceServers)
    }

    func setLocal(_ description: SessionDescription) throws(PeerConnectionError) {
        try checkOpen()
        let isFirst = negotiation.local == nil
        let outcome = try negotiation.applyLocal(description)
        emit(.signalingStateChanged(negotiation.state))
        try prepareICE(restart: outcome.restartsICE)
        try gather(isFirst: isFirst)
        if outcome.isAgreed {
            startWatch()
            startDTLS()
        }
    }

    func setRemote(_ description: SessionDescription) throws(PeerConnectionError) {
        try checkOpen()
        let outcome = try negotiation.applyRemote(description)
        emit(.signalingStateChanged(negotiation.state))
        guard let section = description.dataChannels, let fingerprint = section.strongestFingerprint else { return }
        shared.set(remoteFingerprint: fingerprint, maxMessageSize: section.maxMessageSize)
        try prepareICE(restart: outcome.restartsICE)
        newestICE?.setRemoteCredentials(section.credentials)
        remoteCandidates.begin(section.iceUsernameFragment)
        for candidate in section.candidates { use(candidate) }
        if section.endOfCandidates { newestICE?.remoteGatheringDone() }
        useEarlyCandidates()
        if outcome.isAgreed {
            startWatch()
            startDTLS()
        }
    }

    func rollback() throws(PeerConnectionError) {
        if try negotiation.rollback() {
            nextICE?.close()
            nextICE = nil
        }
        emit(.signalingStateChanged(negotiation.state))
    }

    func add(_ candidate: ICECandidate) throws(PeerConnectionError) {
        try checkOpen()
        guard early.candidates.count < SessionDescription.mostCandidates, !remoteCandidates.isFull else {
            throw PeerConnectionError(.limit, "the peer has more than \(SessionDescription.mostCandidates) candidates")
        }
        early.candidates.append(candidate)
        useEarlyCandidates()
    }

    func addEndOfCandidates() throws(PeerConnectionError) {
        try checkOpen()
        early.endOfCandidates = true
        useEarlyCandidates()
    }

    /// The local description with the candidates found so far.
    var localDescription: SessionDescription? {
        guard var description = negotiation.local else { return nil }
        description.dataChannels?.candidates = newestICE?.localCandidates ?? []
        description.dataChannels?.endOfCandidates = gatheringState == .complete
        return description
    }

    /// Candidates wait until a description of the peer says which generation they belong to.
    private func useEarlyCandidates() {
        guard negotiation.remote != nil, negotiation.state != .haveLocalOffer else { return }
        for candidate in early.candidates { use(candidate) }
        early.candidates = []
        if early.endOfCandidates { newestICE?.remoteGatheringDone() }
        early.endOfCandidates = false
    }

    private func use(_ candidate: ICECandidate) {
        // It belongs to an older or newer generation than the current description.
        if let fragment = candidate.value(of: "ufrag"),
            fragment != negotiation.remote?.dataChannels?.iceUsernameFragment
        {
            return
        }
        guard remoteCandidates.take(candidate) else { return }
        guard candidate.address.hasSuffix(".local") else {
            newestICE?.addRemote(candidate)
            return
        }
        // Browsers hide host addresses behind mDNS names (RFC 8828); no other names are looked up for the peer.
        guard !settings.relayOnly, let ice = newestICE, remoteCandidates.lookUp(candidate.address) else { return }
        NameResolver.resolve(candidate.address) { address in
            self.remoteCandidates.lookedUp()
            guard let address, ice === self.newestICE else { return }
            var resolved = candidate
            resolved.address = address
            ice.addRemote(resolved)
        }
    }
}
