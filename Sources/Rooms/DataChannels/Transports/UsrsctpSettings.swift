internal import CUsrsctp

/// The settings of the SCTP stack. `docs/protocols/data-channel.md` has the measurements behind them.
enum UsrsctpSettings {
    /// Bytes that SCTP holds for sending, and that the peer may have in flight to us.
    static let sendBuffer: Int32 = 1 << 20
    static let receiveBuffer: Int32 = 2 << 20
    /// Streams in each direction: the highest channel id plus one.
    static let streams: UInt16 = 1024
    /// Room for chunks in one packet: with the SCTP header (12), the DTLS record (37), UDP (8) and IPv6 (40) it stays
    /// below the 1280 bytes that every IPv6 path carries.
    static let packetRoom: UInt32 = 1172

    /// The settings of the whole stack.
    static func apply() {
        usrsctp_sysctl_set_sctp_sendspace(UInt32(sendBuffer))
        usrsctp_sysctl_set_sctp_recvspace(UInt32(receiveBuffer))
        // ICE decides path MTU and addresses, so SCTP neither discovers nor announces them.
        usrsctp_sysctl_set_sctp_ecn_enable(0)
        usrsctp_sysctl_set_sctp_asconf_enable(0)
        usrsctp_sysctl_set_sctp_auth_enable(0)
        usrsctp_sysctl_set_sctp_nr_outgoing_streams_default(UInt32(streams))
        usrsctp_sysctl_set_sctp_max_chunks_on_queue(10 * 1024)
        usrsctp_sysctl_set_sctp_initial_cwnd(10)
        usrsctp_sysctl_set_sctp_max_burst_default(64)
        // One acknowledgement may cover a burst; the window grows by all bytes that it covers (RFC 3465).
        usrsctp_sysctl_set_sctp_L2_abc_variable(64)
        usrsctp_sysctl_set_sctp_delayed_sack_time_default(20)
        usrsctp_sysctl_set_sctp_rto_min_default(200)
        usrsctp_sysctl_set_sctp_rto_max_default(10_000)
        usrsctp_sysctl_set_sctp_rto_initial_default(1000)
        usrsctp_sysctl_set_sctp_init_rto_max_default(2000)
        // ICE decides whether the peer is still there. SCTP waits, so that it survives an ICE restart.
        usrsctp_sysctl_set_sctp_assoc_rtx_max_default(100)
        usrsctp_sysctl_set_sctp_path_rtx_max_default(100)
        usrsctp_sysctl_set_sctp_heartbeat_interval_default(2500)
    }

    /// The settings of one socket.
    static func apply(to socket: OpaquePointer) throws(PeerConnectionError) {
        func set<Value>(_ level: Int32, _ name: Int32, _ value: Value) throws(PeerConnectionError) {
            let result = withUnsafeBytes(of: value) {
                usrsctp_setsockopt(socket, level, name, $0.baseAddress, socklen_t($0.count))
            }
            guard result == 0 else {
                throw PeerConnectionError(.transport, "usrsctp refused option \(name): errno \(systemError)")
            }
        }
        let sctp = Int32(IPPROTO_SCTP)
        // Closing sends ABORT and frees everything at once; DTLS signals the end, see RFC 8831 section 6.2.
        try set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        try set(SOL_SOCKET, SO_SNDBUF, sendBuffer)
        try set(SOL_SOCKET, SO_RCVBUF, receiveBuffer)
        try set(sctp, SCTP_NODELAY, Int32(1))
        try set(sctp, SCTP_EXPLICIT_EOR, Int32(1))
        try set(sctp, SCTP_RECVRCVINFO, Int32(1))
        try set(
            sctp,
            SCTP_ENABLE_STREAM_RESET,
            sctp_assoc_value(
                assoc_id: sctp_assoc_t(SCTP_ALL_ASSOC),
                assoc_value: UInt32(SCTP_ENABLE_RESET_STREAM_REQ | SCTP_ENABLE_CHANGE_ASSOC_REQ)
            )
        )
        for type in [SCTP_ASSOC_CHANGE, SCTP_STREAM_RESET_EVENT, SCTP_PARTIAL_DELIVERY_EVENT] {
            try set(
                sctp,
                SCTP_EVENT,
                sctp_event(se_assoc_id: sctp_assoc_t(SCTP_ALL_ASSOC), se_type: UInt16(type), se_on: 1)
            )
        }
        try set(
            sctp,
            SCTP_INITMSG,
            sctp_initmsg(
                sinit_num_ostreams: streams,
                sinit_max_instreams: streams,
                sinit_max_attempts: 60,
                sinit_max_init_timeo: 2000
            )
        )
        var path = sctp_paddrparams()
        path.spp_flags = UInt32(SPP_PMTUD_DISABLE | SPP_HB_ENABLE)
        path.spp_pathmtu = packetRoom
        path.spp_hbinterval = 2500
        try set(sctp, SCTP_PEER_ADDR_PARAMS, path)
    }
}
