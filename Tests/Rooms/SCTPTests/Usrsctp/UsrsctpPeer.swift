internal import CUsrsctp
internal import Foundation

/// An association of usrsctp, the stack of older browsers and of libdatachannel, as a peer that tests give packets to and take
/// packets from.
final class UsrsctpPeer {
    struct Failure: Error, CustomStringConvertible { var description: String }

    struct Message: Hashable {
        var stream: UInt16
        var identifier: UInt32
        var bytes: [UInt8]
    }

    private let number: UInt
    private let outbox: UsrsctpStack.Outbox
    private let listening: OpaquePointer
    /// The association's socket: the same, or, when the other side begins, one that was accepted.
    private var socket: OpaquePointer
    private(set) var isUp = false
    private(set) var isOver = false
    private(set) var messages: [Message] = []
    /// Whether it takes messages, or lets its window close.
    var reads = true
    /// Streams that were reset by the other side, and by this one.
    private(set) var incomingResets: [UInt16] = []
    private(set) var outgoingResets: [UInt16] = []
    private var pieces: [UInt16: [UInt8]] = [:]
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)

    init(streams: UInt16 = 1024, isInterleaved: Bool = false) throws {
        (number, outbox) = UsrsctpStack.register()
        guard let socket = usrsctp_socket(AF_CONN, alcove_stream_socket, Int32(IPPROTO_SCTP), nil, nil, 0, nil) else {
            throw Failure(description: "usrsctp made no socket: errno \(errno)")
        }
        (listening, self.socket) = (socket, socket)
        try UsrsctpOptions.apply(to: socket, streams: streams, isInterleaved: isInterleaved)
        var local = address
        guard call(&local, { usrsctp_bind(socket, $0, $1) }) == 0 else {
            throw Failure(description: "usrsctp did not bind: errno \(errno)")
        }
    }

    deinit {
        if socket != listening { usrsctp_close(socket) }
        usrsctp_close(listening)
        UsrsctpStack.remove(number)
        scratch.deallocate()
    }

    private var address: sockaddr_conn {
        var address = sockaddr_conn()
        address.sconn_family = UInt16(AF_CONN)
        address.sconn_port = UInt16(5000).bigEndian
        address.sconn_addr = UnsafeMutableRawPointer(bitPattern: number)
        return address
    }

    private func call(
        _ address: inout sockaddr_conn, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_conn>.size))
            }
        }
    }

    // MARK: - Beginning and ending

    func connect() throws {
        var remote = address
        guard call(&remote, { usrsctp_connect(socket, $0, $1) }) == 0 || errno == EINPROGRESS else {
            throw Failure(description: "usrsctp did not connect: errno \(errno)")
        }
    }

    func listen() throws {
        guard usrsctp_listen(listening, 1) == 0 else { throw Failure(description: "usrsctp does not listen") }
    }

    /// Ends in order.
    func shutdown() { usrsctp_shutdown(socket, Int32(SHUT_WR)) }

    // MARK: - Packets

    func receive(_ packet: [UInt8]) {
        usrsctp_conninput(UnsafeMutableRawPointer(bitPattern: number), packet, packet.count, 0)
        if !isUp, socket == listening, let accepted = usrsctp_accept(listening, nil, nil) {
            usrsctp_set_non_blocking(accepted, 1)
            (socket, isUp) = (accepted, true)
        }
        read()
    }

    /// Reads what has come, if it does read.
    func read() { while reads, receiveOne() {} }

    func takePackets() -> [[UInt8]] { outbox.take() }

    // MARK: - Messages

    /// Sends a message; `false` if there is no room for all of it now. Only whole messages are taken here.
    func send(
        _ bytes: [UInt8], stream: UInt16 = 0, identifier: UInt32 = 53, isOrdered: Bool = true,
        maxRetransmits: UInt32? = nil
    ) -> Bool {
        var info = sctp_sendv_spa()
        info.sendv_flags = UInt32(SCTP_SEND_SNDINFO_VALID)
        info.sendv_sndinfo.snd_sid = stream
        info.sendv_sndinfo.snd_ppid = identifier.bigEndian
        info.sendv_sndinfo.snd_flags = isOrdered ? 0 : UInt16(SCTP_UNORDERED)
        if let maxRetransmits {
            info.sendv_flags |= UInt32(SCTP_SEND_PRINFO_VALID)
            info.sendv_prinfo = sctp_prinfo(pr_policy: UInt16(SCTP_PR_SCTP_RTX), pr_value: maxRetransmits)
        }
        return usrsctp_sendv(
            socket, bytes, bytes.count, nil, 0, &info, socklen_t(MemoryLayout<sctp_sendv_spa>.size),
            UInt32(SCTP_SENDV_SPA), 0) == bytes.count
    }

    /// Asks for the reset of its outgoing streams.
    func reset(_ streams: [UInt16]) -> Bool {
        // struct sctp_reset_streams with its flexible array of stream numbers.
        var request: [UInt8] = []
        withUnsafeBytes(of: UInt32(SCTP_ALL_ASSOC)) { request += $0 }
        withUnsafeBytes(of: UInt16(SCTP_STREAM_RESET_OUTGOING)) { request += $0 }
        withUnsafeBytes(of: UInt16(streams.count)) { request += $0 }
        for stream in streams { withUnsafeBytes(of: stream) { request += $0 } }
        return usrsctp_setsockopt(
            socket, Int32(IPPROTO_SCTP), SCTP_RESET_STREAMS, request, socklen_t(request.count)) == 0
    }

    private func receiveOne() -> Bool {
        var info = sctp_rcvinfo()
        var (infoCount, infoType, flags) = (socklen_t(MemoryLayout<sctp_rcvinfo>.size), UInt32(0), Int32(0))
        var (from, fromCount) = (sockaddr_conn(), socklen_t(MemoryLayout<sockaddr_conn>.size))
        let count = withUnsafeMutablePointer(to: &from) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                usrsctp_recvv(
                    socket, scratch.baseAddress, scratch.count, $0, &fromCount, &info, &infoCount, &infoType, &flags)
            }
        }
        guard count > 0 else {
            if count == 0 || errno != EWOULDBLOCK && errno != ENOTCONN { isOver = isUp }
            return false
        }
        let bytes = Array(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
        if flags & MSG_NOTIFICATION != 0 {
            notified(bytes)
        } else {
            pieces[info.rcv_sid, default: []] += bytes
            // MSG_EOR of usrsctp.h; the C library's own of the same name is an enumerator here.
            if flags & 0x80 != 0, let whole = pieces.removeValue(forKey: info.rcv_sid) {
                let identifier = UInt32(bigEndian: info.rcv_ppid)
                messages.append(Message(stream: info.rcv_sid, identifier: identifier, bytes: whole))
            }
        }
        return true
    }

    private func notified(_ bytes: [UInt8]) {
        func number(_ offset: Int) -> UInt16 {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt16.self) }
        }
        switch Int32(number(0)) {
        case SCTP_ASSOC_CHANGE where bytes.count >= 12:
            switch Int32(number(8)) {
            case SCTP_COMM_UP: isUp = true
            case SCTP_COMM_LOST, SCTP_SHUTDOWN_COMP, SCTP_CANT_STR_ASSOC: isOver = true
            default: break
            }
        case SCTP_STREAM_RESET_EVENT where bytes.count >= 12:
            let streams = stride(from: 12, to: bytes.count - 1, by: 2).map { number($0) }
            if Int32(number(2)) & SCTP_STREAM_RESET_OUTGOING_SSN != 0 { outgoingResets += streams }
            if Int32(number(2)) & SCTP_STREAM_RESET_INCOMING_SSN != 0 { incomingResets += streams }
        default: break
        }
    }
}
