/// The offer/answer state machine of JSEP (RFC 9429) as far as one section of data channels needs it. A value without
/// I/O: it checks the order of steps and keeps what was agreed.
struct Negotiation {
    private(set) var state = SignalingState.stable
    private(set) var local: SessionDescription?
    private(set) var remote: SessionDescription?
    /// Our ICE credentials of the newest generation.
    private(set) var credentials = ICETransport.Credentials.random()
    /// Whether we made the first offer: the ICE role (RFC 8445 section 6.1.1).
    private(set) var isOfferer: Bool?
    /// The DTLS role that the first answer settled.
    private(set) var role: DTLSTransport.Role?
    private let sessionID = UInt64.random(in: 1...UInt64(Int64.max))
    private var version: UInt64 = 0
    /// The state to which a rollback returns.
    private var stable: Stable?

    private struct Stable {
        var local: SessionDescription?
        var remote: SessionDescription?
        var credentials: ICETransport.Credentials
    }

    /// What the transports have to do after a description was applied.
    struct Outcome: Equatable {
        /// The description begins a new ICE generation (RFC 8839 section 4.4.1.1.1).
        var restartsICE = false
        /// Offer and answer are both set.
        var isAgreed = false
    }

    mutating func makeOffer(
        restart: Bool,
        configuration: PeerConnectionConfiguration
    ) throws(PeerConnectionError) -> SessionDescription {
        guard state == .stable || state == .haveLocalOffer else {
            throw refuse("an offer cannot be made in the state \(state.rawValue): answer the peer's offer first")
        }
        let known = local?.dataChannels ?? remote?.dataChannels
        let section = section(
            mid: known?.mid ?? "0",
            credentials: restart && local != nil ? .random() : credentials,
            setup: .actpass,
            sctp: nil,
            configuration
        )
        version += 1
        return SessionDescription(
            kind: .offer,
            sessionID: sessionID,
            sessionVersion: version,
            sections: [.dataChannels(section)]
        )
    }

    mutating func makeAnswer(
        configuration: PeerConnectionConfiguration
    ) throws(PeerConnectionError) -> SessionDescription {
        guard state == .haveRemoteOffer, let remote, let theirs = remote.dataChannels else {
            throw refuse("there is no offer to answer: set the remote description first")
        }
        let setup: SessionDescription.Setup =
            switch (theirs.setup, role) {
            case (.active, _), (.actpass, .server): .passive
            default: .active
            }
        let section = section(mid: theirs.mid, credentials: credentials, setup: setup, sctp: theirs, configuration)
        let sections = remote.sections.map { offered -> SessionDescription.MediaSection in
            if case .dataChannels = offered { .dataChannels(section) } else { offered }
        }
        version += 1
        return SessionDescription(kind: .answer, sessionID: sessionID, sessionVersion: version, sections: sections)
    }

    /// Applies a local description.
    mutating func applyLocal(_ description: SessionDescription) throws(PeerConnectionError) -> Outcome {
        guard let section = description.dataChannels else {
            throw PeerConnectionError(.invalidDescription, "the description has no section for data channels")
        }
        switch (description.kind, state) {
        case (.offer, .stable): keepStable()
        case (.offer, .haveLocalOffer), (.answer, .haveRemoteOffer): break
        default: throw refuse("a local \(description.kind.rawValue) does not fit the state \(state.rawValue)")
        }
        let announced = section.credentials
        var outcome = Outcome(restartsICE: local != nil && announced != credentials)
        credentials = announced
        local = description
        isOfferer = isOfferer ?? (description.kind == .offer)
        if description.kind == .answer {
            role = role ?? (section.setup == .active ? .client : .server)
            outcome.isAgreed = true
        }
        state = description.kind == .offer ? .haveLocalOffer : .stable
        return outcome
    }

    /// Applies a description of the peer.
    mutating func applyRemote(_ description: SessionDescription) throws(PeerConnectionError) -> Outcome {
        guard let section = description.dataChannels else {
            throw PeerConnectionError(
                .invalidDescription,
                "the peer's description has no section for data channels, or refuses it"
            )
        }
        let old = remote?.dataChannels
        if let old, old.fingerprints != section.fingerprints {
            throw PeerConnectionError(.security, "the peer's fingerprint changed within one connection")
        }
        switch (description.kind, state) {
        case (.offer, .stable): keepStable()
        case (.offer, .haveRemoteOffer), (.answer, .haveLocalOffer): break
        default: throw refuse("a remote \(description.kind.rawValue) does not fit the state \(state.rawValue)")
        }
        remote = description
        isOfferer = isOfferer ?? (description.kind == .answer)
        if description.kind == .answer {
            role = role ?? (section.setup == .active ? .server : .client)
            state = .stable
            return Outcome(isAgreed: true)
        }
        state = .haveRemoteOffer
        // The peer's restart requires one here.
        let restarts = old.map { $0.credentials != section.credentials } ?? false
        if restarts { credentials = .random() }
        return Outcome(restartsICE: restarts)
    }

    /// Withdraws the open offer. Returns whether this also dropped a new ICE generation.
    mutating func rollback() throws(PeerConnectionError) -> Bool {
        guard state == .haveLocalOffer || state == .haveRemoteOffer, let stable else {
            throw refuse("there is no open offer to take back")
        }
        let restarted = stable.credentials != credentials
        (local, remote, credentials) = (stable.local, stable.remote, stable.credentials)
        if local == nil && remote == nil { isOfferer = nil }
        state = .stable
        return restarted
    }

    mutating func close() { state = .closed }

    private mutating func keepStable() { stable = Stable(local: local, remote: remote, credentials: credentials) }

    private func refuse(_ why: String) -> PeerConnectionError { PeerConnectionError(.invalidState, why) }

    private func section(
        mid: String,
        credentials: ICETransport.Credentials,
        setup: SessionDescription.Setup,
        sctp offered: SessionDescription.DataChannelSection?,
        _ configuration: PeerConnectionConfiguration
    ) -> SessionDescription.DataChannelSection {
        let mapped = offered?.usesSCTPMap ?? false
        return SessionDescription.DataChannelSection(
            mid: mid,
            iceUsernameFragment: credentials.usernameFragment,
            icePassword: credentials.password,
            trickle: true,
            iceLite: false,
            fingerprints: [configuration.certificate.fingerprint],
            setup: setup,
            sctpPort: mapped ? offered?.sctpPort ?? 5000 : 5000,
            maxMessageSize: UInt64(configuration.maxMessageSize),
            candidates: [],
            endOfCandidates: false,
            usesSCTPMap: mapped
        )
    }
}

extension SessionDescription.DataChannelSection {
    var credentials: ICETransport.Credentials {
        ICETransport.Credentials(usernameFragment: iceUsernameFragment, password: icePassword)
    }

    /// The fingerprint of the strongest hash function, which is the one to be checked (RFC 8122 section 5).
    var strongestFingerprint: Fingerprint? {
        fingerprints.max { $0.algorithm.byteCount < $1.algorithm.byteCount }
    }
}
