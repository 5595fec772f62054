internal import CNice

/// One ICE session with one component (RFC 8445) over libnice. Used on one loop only.
final class ICETransport {
    enum State: Equatable { case new, checking, connected, completed, failed, closed }

    struct Handlers {
        var packet: (UnsafeRawBufferPointer) -> Void
        var candidate: (ICETransport, ICECandidate) -> Void
        var gatheringDone: (ICETransport) -> Void
        var stateChanged: (ICETransport, State) -> Void
    }

    struct Credentials: Hashable {
        var usernameFragment: String
        var password: String

        /// 24 and 144 bits of randomness, as RFC 8445 section 5.3 asks for.
        static func random() -> Credentials {
            let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
            func word(_ count: Int) -> String {
                // The system's generator, which is a cryptographic one.
                String(decoding: (0..<count).map { _ in alphabet[Int.random(in: 0..<64)] }, as: UTF8.self)
            }
            return Credentials(usernameFragment: word(8), password: word(24))
        }
    }

    /// Bytes of socket buffer to ask the kernel for.
    private static let kernelBuffer: gint = 4 << 20

    let loop: EventLoop
    let agent: OpaquePointer
    let stream: guint
    /// Set right after creation, because the closures refer to the transport itself.
    var handlers: Handlers?
    /// The candidates gathered so far.
    var localCandidates: [ICECandidate] = []
    private(set) var state = State.new
    private var localCredentials: Credentials
    private var isClosed = false
    /// Addresses of the peer's host candidates, as `address port`.
    private var remoteHosts: Set<String> = []
    private var outgoing = DatagramBatch()
    /// The GLib source that packets come from.
    private var source: UnsafeMutablePointer<GSource>?

    init(isControlling: Bool, credentials: Credentials, loop: EventLoop) throws(PeerConnectionError) {
        let options = NICE_AGENT_OPTION_ICE_TRICKLE.rawValue | NICE_AGENT_OPTION_CONSENT_FRESHNESS.rawValue
        guard
            let agent = nice_agent_new_full(
                loop.context,
                NICE_COMPATIBILITY_RFC5245,
                NiceAgentOption(rawValue: options)
            )
        else { throw outOfMemory }
        self.loop = loop
        self.agent = agent
        localCredentials = credentials
        let object = UnsafeMutableRawPointer(agent)
        alcove_object_set_boolean(object, "upnp", 0)
        alcove_object_set_boolean(object, "ice-tcp", 0)
        alcove_object_set_boolean(object, "controlling-mode", isControlling ? 1 : 0)
        // RFC 8445 section 14.2 allows 5 ms. libnice's 20 ms make connecting noticeably slower.
        alcove_object_set_uint(object, "stun-pacing-timer", 5)
        stream = nice_agent_add_stream(self.agent, 1)
        guard stream != 0 else {
            g_object_unref(object)
            throw PeerConnectionError(.connectivity, "libnice could not set up an ICE stream")
        }
        setLocalCredentials(credentials)
        connectSignals()
    }

    deinit { close() }

    private var object: UnsafeMutableRawPointer { UnsafeMutableRawPointer(agent) }

    /// Starts gathering. The servers must have been resolved to addresses.
    func gather(_ settings: GatheringSettings) throws(PeerConnectionError) {
        for address in settings.bindAddresses {
            guard var parsed = NiceAddress(address, port: 0), nice_agent_add_local_address(agent, &parsed) != 0 else {
                throw PeerConnectionError(.invalidConfiguration, "\"\(address)\" is not an address to bind to")
            }
        }
        if let range = settings.portRange {
            nice_agent_set_port_range(agent, stream, 1, guint(range.lowerBound), guint(range.upperBound))
        }
        if let stun = settings.stunServer {
            alcove_object_set_string(object, "stun-server", stun.host)
            alcove_object_set_uint(object, "stun-server-port", guint(stun.port))
        }
        for relay in settings.relays {
            let type = relay.server.kind == .turnTCP ? NICE_RELAY_TYPE_TURN_TCP : NICE_RELAY_TYPE_TURN_UDP
            nice_agent_set_relay_info(
                agent,
                stream,
                1,
                relay.server.host,
                guint(relay.server.port),
                relay.username,
                relay.credential,
                type
            )
        }
        if settings.relayOnly { alcove_object_set_boolean(object, "force-relay", 1) }
        guard nice_agent_gather_candidates(agent, stream) != 0 else {
            throw PeerConnectionError(
                .connectivity,
                "no local address could be bound: check bindAddresses and portRange"
            )
        }
    }

    func setLocalCredentials(_ credentials: Credentials) {
        localCredentials = credentials
        isSilent = false
        nice_agent_set_local_credentials(agent, stream, credentials.usernameFragment, credentials.password)
    }

    /// Whether it takes no part in connectivity checks, although data goes on: with other credentials than those that
    /// the peer knows, the peer's checks do not count here, nor its own there.
    var isSilent = false {
        didSet {
            guard isSilent != oldValue, !isClosed else { return }
            let credentials = isSilent ? .random() : localCredentials
            nice_agent_set_local_credentials(agent, stream, credentials.usernameFragment, credentials.password)
        }
    }

    func setRemoteCredentials(_ credentials: Credentials) {
        nice_agent_set_remote_credentials(agent, stream, credentials.usernameFragment, credentials.password)
    }

    /// Adds a candidate of the peer. Those that cannot be used (TCP, other components, names) are skipped.
    func addRemote(_ candidate: ICECandidate) {
        guard candidate.transport == .udp, candidate.component == 1,
            let address = NiceAddress(candidate.address, port: candidate.port),
            let native = nice_candidate_new(candidate.kind.native)
        else { return }
        defer { nice_candidate_free(native) }
        native.pointee.transport = NICE_CANDIDATE_TRANSPORT_UDP
        native.pointee.component_id = 1
        native.pointee.stream_id = stream
        native.pointee.priority = candidate.priority
        native.pointee.addr = address
        if candidate.kind == .host { remoteHosts.insert("\(address.text) \(address.port)") }
        if let related = candidate.relatedAddress,
            let base = NiceAddress(related, port: candidate.relatedPort ?? 0)
        {
            native.pointee.base_addr = base
        }
        native.setFoundation(candidate.foundation)
        let list = g_slist_append(nil, native)
        nice_agent_set_remote_candidates(agent, stream, 1, list)
        g_slist_free(list)
    }

    /// Records that the peer has no further candidates, so that failure can be noticed.
    func remoteGatheringDone() { nice_agent_peer_candidate_gathering_done(agent, stream) }

    /// Adds a packet to the batch of this round.
    func enqueue(_ packet: UnsafeRawBufferPointer) { outgoing.append(packet) }

    /// Sends the batch. Packets that the network does not take are lost, as packets may be.
    func flush() {
        guard !outgoing.isEmpty else { return }
        if !isClosed { outgoing.send(agent: agent, stream: stream) }
        outgoing.removeAll()
    }

    /// The selected pair, for statistics.
    ///
    /// A check can arrive before the candidate from which it was sent. ICE then calls that candidate peer reflexive,
    /// although there is no address translation. If it turns out to be a host's own address, it is reported as such.
    var selectedPair: (local: ICECandidate.Kind, remote: ICECandidate.Kind)? {
        var local: UnsafeMutablePointer<NiceCandidate>?
        var remote: UnsafeMutablePointer<NiceCandidate>?
        guard !isClosed, nice_agent_get_selected_pair(agent, stream, 1, &local, &remote) != 0, let local, let remote
        else { return nil }
        return (kind(of: local.pointee, isHost: isBase), kind(of: remote.pointee, isHost: isRemoteHost))
    }

    /// Whether packets do not leave this machine.
    var isLoopback: Bool {
        var local: UnsafeMutablePointer<NiceCandidate>?
        var remote: UnsafeMutablePointer<NiceCandidate>?
        guard !isClosed, nice_agent_get_selected_pair(agent, stream, 1, &local, &remote) != 0, let local, let remote,
            ICECandidate.Kind(local.pointee.type) != .relayed
        else { return false }
        let address = remote.pointee.addr.text
        return address.hasPrefix("127.") || address == "::1"
    }

    private func kind(of candidate: NiceCandidate, isHost: (NiceCandidate) -> Bool) -> ICECandidate.Kind {
        let kind = ICECandidate.Kind(candidate.type)
        return kind == .peerReflexive && isHost(candidate) ? .host : kind
    }

    private func isBase(_ candidate: NiceCandidate) -> Bool {
        candidate.addr.text == candidate.base_addr.text && candidate.addr.port == candidate.base_addr.port
    }

    private func isRemoteHost(_ candidate: NiceCandidate) -> Bool {
        remoteHosts.contains("\(candidate.addr.text) \(candidate.addr.port)")
    }

    func close() {
        guard !isClosed else { return }
        flush()
        isClosed = true
        state = .closed
        alcove_signals_disconnect(object, Unmanaged.passUnretained(self).toOpaque())
        nice_agent_attach_recv(agent, stream, 1, loop.context, nil, nil)
        // Keeps the agent until its allocations on TURN servers are released.
        nice_agent_close_async(agent, { object, _, _ in g_object_unref(object) }, nil)
    }

    /// Asks for kernel buffers that hold a burst, because packets that overflow are lost and slow SCTP down. The system
    /// may grant less (`net.core.rmem_max`); only privileged processes get more.
    private func enlargeBuffers() {
        guard let sockets = nice_agent_get_sockets(agent, stream, 1) else { return }
        defer { g_ptr_array_unref(sockets) }
        for index in 0..<Int(sockets.pointee.len) {
            guard let socket = sockets.pointee.pdata?[index] else { continue }
            let native = socket.assumingMemoryBound(to: GSocket.self)
            g_socket_set_option(native, SOL_SOCKET, SO_RCVBUF, Self.kernelBuffer, nil)
            g_socket_set_option(native, SOL_SOCKET, SO_SNDBUF, Self.kernelBuffer, nil)
            #if os(Linux)
            g_socket_set_option(native, SOL_SOCKET, SO_RCVBUFFORCE, Self.kernelBuffer, nil)
            #endif
        }
        discoverPath()
    }

    /// Whether IP may cut packets. It may not, unless SCTP has chunks to send that are too large for the path.
    var mayFragment = false {
        didSet { if mayFragment != oldValue, !isClosed { discoverPath() } }
    }

    /// SCTP finds the path MTU itself (RFC 8899): packets that are too large must get lost and not be cut, whatever the kernel
    /// believes of the path (IP_PMTUDISC_PROBE and IP_PMTUDISC_DONT of linux/in.h).
    private func discoverPath() {
        #if os(Linux)
        guard let sockets = nice_agent_get_sockets(agent, stream, 1) else { return }
        defer { g_ptr_array_unref(sockets) }
        let (ipv4, ipv4Discovery, ipv6, ipv6Discovery) = (gint(0), gint(10), gint(41), gint(23))
        let discovery: gint = mayFragment ? 0 : 3
        for index in 0..<Int(sockets.pointee.len) {
            guard let socket = sockets.pointee.pdata?[index] else { continue }
            let native = socket.assumingMemoryBound(to: GSocket.self)
            if g_socket_get_family(native) == G_SOCKET_FAMILY_IPV6 {
                g_socket_set_option(native, ipv6, ipv6Discovery, discovery, nil)
            } else {
                g_socket_set_option(native, ipv4, ipv4Discovery, discovery, nil)
            }
        }
        #endif
    }

    /// To prevent recursion, GLib removes a source's descriptor from its list during a call, and wakes itself up twice
    /// for that: two writes, a read and a poll for every packet. Nothing here runs the loop from inside a call, so the
    /// source is set to allow recursion.
    fileprivate func spareWakeUps() {
        guard let current = g_main_current_source(), current != source else { return }
        g_source_set_can_recurse(current, 1)
        source = current
    }

    fileprivate func componentChanged(_ component: NiceComponentState) {
        let new: State? =
            switch component {
            case NICE_COMPONENT_STATE_CONNECTING, NICE_COMPONENT_STATE_GATHERING: state == .new ? .checking : nil
            case NICE_COMPONENT_STATE_CONNECTED: .connected
            case NICE_COMPONENT_STATE_READY: .completed
            case NICE_COMPONENT_STATE_FAILED: .failed
            default: nil
            }
        guard let new, new != state, !isClosed else { return }
        state = new
        if new == .connected { enlargeBuffers() }
        handlers?.stateChanged(self, new)
    }
}

// MARK: - What libnice calls

extension ICETransport {
    private static func from(_ pointer: gpointer?) -> ICETransport? {
        pointer.map { Unmanaged<ICETransport>.fromOpaque($0).takeUnretainedValue() }
    }

    private func connectSignals() {
        // Unretained: `close` disconnects the signals before the transport goes away.
        let me = Unmanaged.passUnretained(self).toOpaque()
        let candidate: @convention(c) (gpointer?, UnsafeMutablePointer<NiceCandidate>?, gpointer?) -> Void = {
            guard let transport = ICETransport.from($2), let native = $1 else { return }
            if let candidate = ICECandidate(native) { transport.handlers?.candidate(transport, candidate) }
        }
        let gathered: @convention(c) (gpointer?, guint, gpointer?) -> Void = {
            guard let transport = ICETransport.from($2) else { return }
            transport.handlers?.gatheringDone(transport)
        }
        let changed: @convention(c) (gpointer?, guint, guint, guint, gpointer?) -> Void = {
            ICETransport.from($4)?.componentChanged(NiceComponentState($3))
        }
        for (name, callback) in [
            ("new-candidate-full", unsafeBitCast(candidate, to: GCallback.self)),
            ("candidate-gathering-done", unsafeBitCast(gathered, to: GCallback.self)),
            ("component-state-changed", unsafeBitCast(changed, to: GCallback.self)),
        ] {
            g_signal_connect_data(object, name, callback, me, nil, GConnectFlags(rawValue: 0))
        }
        nice_agent_attach_recv(
            agent,
            stream,
            1,
            loop.context,
            { _, _, _, count, bytes, pointer in
                guard let bytes, let transport = ICETransport.from(pointer) else { return }
                transport.spareWakeUps()
                transport.handlers?.packet(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            },
            me
        )
    }
}
