internal import CUsrsctp

/// An association of usrsctp.
final class UsrsctpTransport: SCTPTransport {
    let handlers: SCTPHandlers
    let endpoint: UsrsctpEndpoint
    let socket: OpaquePointer
    private let maxMessageSize: Int
    private(set) var state = SCTPState.connecting
    private var isClosed = false
    /// Set by usrsctp's upcall, which holds locks; checked after it has returned.
    var needsAttention = false
    private var reassembly: Reassembly
    private var acknowledgement = SACKHolder()
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)

    init(loop: EventLoop, maxMessageSize: Int, handlers: SCTPHandlers) throws(PeerConnectionError) {
        self.handlers = handlers
        self.maxMessageSize = maxMessageSize
        reassembly = Reassembly(limit: maxMessageSize)
        let endpoint = UsrsctpStack.activate(loop)
        guard let socket = usrsctp_socket(AF_CONN, alcove_stream_socket, Int32(IPPROTO_SCTP), nil, nil, 0, nil)
        else {
            UsrsctpStack.retire(endpoint)
            scratch.deallocate()
            throw PeerConnectionError(.transport, "usrsctp could not make a socket: errno \(systemError)")
        }
        self.endpoint = endpoint
        self.socket = socket
        usrsctp_register_address(endpoint.address)
        endpoint.transport = self
        usrsctp_set_upcall(
            socket,
            { _, pointer, _ in if let pointer { UsrsctpEndpoint.from(pointer).socketChanged() } },
            endpoint.pointer
        )
        usrsctp_set_non_blocking(socket, 1)
        try UsrsctpSettings.apply(to: socket)
    }

    deinit {
        close()
        scratch.deallocate()
    }

    /// Sends INIT. Both sides do; SCTP resolves the collision (RFC 9260 section 5.2).
    func connect(localPort: UInt16, remotePort: UInt16) throws(PeerConnectionError) {
        func address(_ port: UInt16) -> sockaddr_conn {
            var address = sockaddr_conn()
            address.sconn_family = UInt16(AF_CONN)
            address.sconn_port = port.bigEndian
            address.sconn_addr = endpoint.address
            return address
        }
        var local = address(localPort)
        var remote = address(remotePort)
        let size = socklen_t(MemoryLayout<sockaddr_conn>.size)
        let bound = withUnsafeMutablePointer(to: &local) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { usrsctp_bind(socket, $0, size) }
        }
        guard bound == 0 else { throw PeerConnectionError(.transport, "usrsctp could not bind: errno \(systemError)") }
        let connected = withUnsafeMutablePointer(to: &remote) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { usrsctp_connect(socket, $0, size) }
        }
        guard connected == 0 || isInProgress else {
            throw PeerConnectionError(.transport, "usrsctp could not connect: errno \(systemError)")
        }
    }

    /// Takes one packet. usrsctp checks it and drops what does not belong to the association.
    func receive(_ packet: UnsafeRawBufferPointer) {
        guard state == .connecting || state == .connected else { return }
        usrsctp_conninput(endpoint.address, packet.baseAddress, packet.count, 0)
        if needsAttention { attend() }
    }

    func transmit(_ packet: UnsafeRawBufferPointer) {
        acknowledgement.pass(packet, handlers.transmit)
        handlers.pending()
    }

    /// Sends the acknowledgement of this round.
    func flush() { acknowledgement.flush(handlers.transmit) }

    /// Messages are passed on with the packet that completes them.
    func deliver() {}

    /// Handles what the socket reports: messages, events, room for sending.
    func attend() {
        needsAttention = false
        while state == .connecting || state == .connected {
            let events = usrsctp_get_events(socket)
            if events & SCTP_EVENT_ERROR != 0 && state == .connecting {
                return finish(.failed(PeerConnectionError(.transport, "the SCTP association was refused")))
            }
            if events & SCTP_EVENT_WRITE != 0 && state == .connected { handlers.writable() }
            guard events & SCTP_EVENT_READ != 0, handlers.mayReceive(), receiveOne() else { return }
        }
    }

    /// Sends ABORT and frees the association.
    func close() {
        // Not by `endpoint.transport`, because a weak reference is already nil when its object is deallocated.
        guard !isClosed else { return }
        isClosed = true
        if state == .connecting || state == .connected { state = .closed }
        usrsctp_set_upcall(socket, nil, nil)
        usrsctp_close(socket)
        usrsctp_deregister_address(endpoint.address)
        endpoint.transport = nil
        UsrsctpStack.retire(endpoint)
    }

    private func finish(_ final: SCTPState) {
        guard state == .connecting || state == .connected else { return }
        state = final
        handlers.stateChanged(final)
    }
}

// MARK: - Receiving

extension UsrsctpTransport {
    /// Reads one piece; `false` when there is nothing more or the association is over.
    private func receiveOne() -> Bool {
        var info = sctp_rcvinfo()
        var infoCount = socklen_t(MemoryLayout<sctp_rcvinfo>.size)
        var infoType: UInt32 = 0
        var flags: Int32 = 0
        var from = sockaddr_conn()
        var fromCount = socklen_t(MemoryLayout<sockaddr_conn>.size)
        let count = withUnsafeMutablePointer(to: &from) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                usrsctp_recvv(
                    socket,
                    scratch.baseAddress,
                    scratch.count,
                    $0,
                    &fromCount,
                    &info,
                    &infoCount,
                    &infoType,
                    &flags
                )
            }
        }
        if count < 0 {
            if !wouldBlock {
                finish(.failed(PeerConnectionError(.transport, "the SCTP association was lost: errno \(systemError)")))
            }
            return false
        }
        if count == 0 {
            finish(.closed)
            return false
        }
        let bytes = UnsafeRawBufferPointer(rebasing: scratch[..<count])
        if flags & MSG_NOTIFICATION != 0 {
            notified(bytes)
        } else if infoType == SCTP_RECVV_RCVINFO {
            received(bytes, info: info, isLast: flags & endOfRecord != 0)
        }
        return true
    }

    private func received(_ bytes: UnsafeRawBufferPointer, info: sctp_rcvinfo, isLast: Bool) {
        let isUnordered = info.rcv_flags & UInt16(SCTP_UNORDERED) != 0
        switch reassembly.add(
            bytes,
            stream: info.rcv_sid,
            identifier: UInt32(bigEndian: info.rcv_ppid),
            isUnordered: isUnordered,
            isLast: isLast
        )
        {
        case .incomplete: break
        case .complete(let message): handlers.message(info.rcv_sid, UInt32(bigEndian: info.rcv_ppid), message)
        case .tooLarge:
            finish(
                .failed(
                    PeerConnectionError(
                        .messageTooLarge,
                        "the peer sent a message of more than \(maxMessageSize) bytes"
                    )
                )
            )
        }
    }

    private func notified(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 8 else { return }
        switch Int32(bytes.loadUnaligned(as: UInt16.self)) {
        case SCTP_ASSOC_CHANGE where bytes.count >= 12:
            switch Int32(bytes.loadUnaligned(fromByteOffset: 8, as: UInt16.self)) {
            case SCTP_COMM_UP where state == .connecting:
                state = .connected
                handlers.stateChanged(.connected)
            case SCTP_COMM_LOST, SCTP_SHUTDOWN_COMP: finish(.closed)
            case SCTP_CANT_STR_ASSOC:
                finish(.failed(PeerConnectionError(.transport, "the SCTP association could not be set up")))
            default: break
            }
        case SCTP_STREAM_RESET_EVENT where bytes.count >= 12: streamsReset(bytes)
        case SCTP_PARTIAL_DELIVERY_EVENT where bytes.count >= 20:
            reassembly.abort(
                stream: UInt16(truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
            )
        default: break
        }
    }

    private func streamsReset(_ bytes: UnsafeRawBufferPointer) {
        let flags = Int32(bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        let streams = stride(from: 12, to: bytes.count - 1, by: 2).map {
            bytes.loadUnaligned(fromByteOffset: $0, as: UInt16.self)
        }
        if flags & SCTP_STREAM_RESET_OUTGOING_SSN != 0 { handlers.outgoingReset(streams) }
        if flags & SCTP_STREAM_RESET_INCOMING_SSN != 0 { handlers.incomingReset(streams) }
    }
}

// `MSG_EOR` of usrsctp.h; the C library's own of the same name is an enumerator here.
private let endOfRecord: Int32 = 0x80
