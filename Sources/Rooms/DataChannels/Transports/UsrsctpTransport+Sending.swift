internal import CUsrsctp

extension UsrsctpTransport {
    /// Offers SCTP the bytes of a message from `offset` on.
    func send(
        _ bytes: [UInt8],
        from offset: Int,
        stream: UInt16,
        identifier: UInt32,
        policy: SCTPPolicy
    ) -> SCTPSendResult {
        guard state == .connected else { return .failed }
        var info = sctp_sendv_spa()
        info.sendv_flags = UInt32(SCTP_SEND_SNDINFO_VALID)
        info.sendv_sndinfo.snd_sid = stream
        info.sendv_sndinfo.snd_ppid = identifier.bigEndian
        info.sendv_sndinfo.snd_flags = UInt16(SCTP_EOR) | (policy.isOrdered ? 0 : UInt16(SCTP_UNORDERED))
        switch policy.reliability {
        case .reliable: break
        case .maxRetransmits(let count):
            info.sendv_flags |= UInt32(SCTP_SEND_PRINFO_VALID)
            info.sendv_prinfo = sctp_prinfo(pr_policy: UInt16(SCTP_PR_SCTP_RTX), pr_value: count)
        case .maxPacketLifeTime(let milliseconds):
            info.sendv_flags |= UInt32(SCTP_SEND_PRINFO_VALID)
            info.sendv_prinfo = sctp_prinfo(pr_policy: UInt16(SCTP_PR_SCTP_TTL), pr_value: milliseconds)
        }
        let count = bytes.withUnsafeBytes { bytes in
            usrsctp_sendv(
                socket,
                bytes.baseAddress.map { $0 + offset },
                bytes.count - offset,
                nil,
                0,
                &info,
                socklen_t(MemoryLayout<sctp_sendv_spa>.size),
                UInt32(SCTP_SENDV_SPA),
                0
            )
        }
        if count >= 0 { return .taken(count) }
        return wouldBlock ? .full : .failed
    }

    /// Requests a reset of our direction of these streams (RFC 6525). `false` if another reset is in progress; try
    /// again.
    func reset(_ streams: [UInt16]) -> Bool {
        guard state == .connected, !streams.isEmpty else { return true }
        // struct sctp_reset_streams with its flexible array of stream numbers.
        var request: [UInt8] = []
        withUnsafeBytes(of: UInt32(SCTP_ALL_ASSOC)) { request += $0 }
        withUnsafeBytes(of: UInt16(SCTP_STREAM_RESET_OUTGOING)) { request += $0 }
        withUnsafeBytes(of: UInt16(streams.count)) { request += $0 }
        for stream in streams { withUnsafeBytes(of: stream) { request += $0 } }
        return usrsctp_setsockopt(
            socket,
            Int32(IPPROTO_SCTP),
            SCTP_RESET_STREAMS,
            request,
            socklen_t(request.count)
        ) == 0
    }

    /// usrsctp keeps what it has taken.
    func discardUnsent(_ stream: UInt16) {}

    var streams: UInt16 { UsrsctpSettings.streams }

    var roundTripTime: Double? { path.map { Double($0.spinfo_srtt) / 1000 } }

    var congestionWindow: Int? { path.map { Int($0.spinfo_cwnd) } }

    private var path: sctp_paddrinfo? {
        guard state == .connected else { return nil }
        var status = sctp_status()
        var count = socklen_t(MemoryLayout<sctp_status>.size)
        guard usrsctp_getsockopt(socket, Int32(IPPROTO_SCTP), SCTP_STATUS, &status, &count) == 0 else { return nil }
        return status.sstat_primary
    }
}
