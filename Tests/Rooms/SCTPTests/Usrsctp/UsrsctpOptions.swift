internal import CUsrsctp
internal import Foundation

/// The options that WebRTC uses usrsctp with.
enum UsrsctpOptions {
    static func apply(to socket: OpaquePointer, streams: UInt16, isInterleaved: Bool) throws {
        func set<Value>(_ level: Int32, _ name: Int32, _ value: Value) throws {
            let result = withUnsafeBytes(of: value) {
                usrsctp_setsockopt(socket, level, name, $0.baseAddress, socklen_t($0.count))
            }
            guard result == 0 else {
                throw UsrsctpPeer.Failure(description: "usrsctp refused option \(name): errno \(errno)")
            }
        }
        func value(_ number: Int32) -> sctp_assoc_value {
            sctp_assoc_value(assoc_id: sctp_assoc_t(SCTP_ALL_ASSOC), assoc_value: UInt32(number))
        }
        let sctp = Int32(IPPROTO_SCTP)
        usrsctp_set_non_blocking(socket, 1)
        try set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        try set(SOL_SOCKET, SO_SNDBUF, Int32(4 << 20))
        try set(SOL_SOCKET, SO_RCVBUF, Int32(4 << 20))
        try set(sctp, SCTP_NODELAY, Int32(1))
        try set(sctp, SCTP_RECVRCVINFO, Int32(1))
        try set(
            sctp, SCTP_ENABLE_STREAM_RESET, value(SCTP_ENABLE_RESET_STREAM_REQ | SCTP_ENABLE_CHANGE_ASSOC_REQ))
        if isInterleaved {
            try set(sctp, SCTP_FRAGMENT_INTERLEAVE, Int32(2))
            // SCTP_INTERLEAVING_SUPPORTED of RFC 8260 section 4.3.1, which the installed header does not name.
            try set(sctp, 0x1206, value(1))
        }
        for type in [SCTP_ASSOC_CHANGE, SCTP_STREAM_RESET_EVENT] {
            try set(
                sctp, SCTP_EVENT,
                sctp_event(se_assoc_id: sctp_assoc_t(SCTP_ALL_ASSOC), se_type: UInt16(type), se_on: 1))
        }
        try set(
            sctp, SCTP_INITMSG,
            sctp_initmsg(
                sinit_num_ostreams: streams, sinit_max_instreams: streams, sinit_max_attempts: 60,
                sinit_max_init_timeo: 2000))
        var path = sctp_paddrparams()
        path.spp_flags = UInt32(SPP_PMTUD_DISABLE | SPP_HB_ENABLE)
        path.spp_pathmtu = 1172
        path.spp_hbinterval = 2500
        try set(sctp, SCTP_PEER_ADDR_PARAMS, path)
    }
}
