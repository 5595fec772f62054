internal import COpenSSL

/// DTLS 1.2 over datagrams of another transport (RFC 6347, RFC 8261). Used on one loop only.
///
/// Bytes in, bytes out: ``receive(_:)`` takes a datagram from the network, `handlers.transmit` gets the datagrams for
/// it, `handlers.data` gets decrypted ones. The peer is accepted by the hash of its certificate alone.
final class DTLSTransport {
    enum Role { case client, server }

    enum State: Equatable {
        case handshaking, connected
        /// Final. Either side sent close_notify.
        case closed
        case failed(PeerConnectionError)
    }

    struct Handlers {
        var transmit: (UnsafeRawBufferPointer) -> Void
        var data: (UnsafeRawBufferPointer) -> Void
        var stateChanged: (State) -> Void
    }

    /// The size of datagrams into which handshake flights are cut.
    static let largestDatagram = 1200
    /// Heartbeats and their answers.
    private static let fewDatagrams = 8

    private let handlers: Handlers
    private let remoteFingerprint: Fingerprint
    private let ssl: OpaquePointer
    private let timer: LoopTimer
    private let plaintext: UnsafeMutableRawBufferPointer
    /// The datagram being read; valid only inside ``receive(_:)``.
    private var incoming: UnsafeRawBufferPointer?
    private(set) var state = State.handshaking
    /// Whether OpenSSL holds its two buffers of 16 KiB.
    private(set) var hasBuffers = true
    /// Datagrams in both directions since ``releaseIdleBuffers()``.
    private var datagrams = 0

    init(
        role: Role,
        certificate: Certificate,
        remoteFingerprint: Fingerprint,
        loop: EventLoop,
        handlers: Handlers
    ) throws(PeerConnectionError) {
        self.handlers = handlers
        self.remoteFingerprint = remoteFingerprint
        plaintext = loop.scratch.plaintext
        let ssl = try DTLSContext.makeSession(certificate: certificate)
        guard let bio = BIO_new(DatagramBIO.method) else {
            SSL_free(ssl)
            throw outOfMemory
        }
        self.ssl = ssl
        timer = LoopTimer(loop: loop)
        timer.fire = { [unowned self] in self.retransmit() }
        let unmanaged = Unmanaged.passUnretained(self).toOpaque()
        BIO_set_data(bio, unmanaged)
        BIO_set_init(bio, 1)
        SSL_set_bio(ssl, bio, bio)
        SSL_set_ex_data(ssl, 0, unmanaged)
        _ = SSL_ctrl(ssl, SSL_CTRL_SET_MTU, Self.largestDatagram, nil)
        // OpenSSL's first retransmission comes after a second, which a person would wait after a lost hello.
        DTLS_set_timer_cb(ssl) { _, previous in previous == 0 ? 100_000 : min(previous * 2, 5_000_000) }
        if role == .client { SSL_set_connect_state(ssl) } else { SSL_set_accept_state(ssl) }
    }

    deinit {
        timer.cancel()
        SSL_free(ssl)
    }

    /// Begins the handshake: the client sends its hello.
    func start() { handshake() }

    /// Takes one datagram from the network. Anything that is not valid DTLS is dropped, as RFC 6347 asks.
    func receive(_ datagram: UnsafeRawBufferPointer) {
        guard state == .handshaking || state == .connected, needBuffers() else { return }
        incoming = datagram
        defer { incoming = nil }
        while true {
            ERR_clear_error()
            let count = SSL_read(ssl, plaintext.baseAddress, Int32(plaintext.count))
            if count <= 0 {
                conclude(result: count)
                return
            }
            if state == .handshaking { noteHandshake() }
            guard state == .connected else { return }
            handlers.data(UnsafeRawBufferPointer(rebasing: plaintext[..<Int(count)]))
            // Saves a useless read: the datagram is used up, and OpenSSL holds no record of it.
            if incoming == nil && SSL_has_pending(ssl) == 0 { return }
        }
    }

    /// Encrypts one datagram and passes it to `transmit`.
    func send(_ bytes: UnsafeRawBufferPointer) {
        guard state == .connected, needBuffers() else { return }
        ERR_clear_error()
        _ = SSL_write(ssl, bytes.baseAddress, Int32(bytes.count))
    }

    /// Called once a second: gives the buffers back unless more was sent and received than keeps a silent connection alive.
    /// `SSL_MODE_RELEASE_BUFFERS` does nothing for DTLS.
    func releaseIdleBuffers() {
        defer { datagrams = 0 }
        guard state == .connected, hasBuffers, datagrams <= Self.fewDatagrams else { return }
        // It refuses while a record is half read or written.
        if SSL_free_buffers(ssl) == 1 { hasBuffers = false }
    }

    /// DTLS does not make the buffer for writing by itself. `false` without memory: then a datagram is lost, as datagrams may be.
    private func needBuffers() -> Bool {
        datagrams += 1
        if !hasBuffers { hasBuffers = SSL_alloc_buffers(ssl) == 1 }
        return hasBuffers
    }

    /// Says close_notify.
    func close() {
        timer.cancel()
        guard state == .handshaking || state == .connected else { return }
        if state == .connected, needBuffers() {
            ERR_clear_error()
            SSL_shutdown(ssl)
        }
        state = .closed
    }

    private func handshake() {
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        if result != 1 { conclude(result: result) } else { noteHandshake() }
    }

    /// The state after OpenSSL has used the datagram, or refused it.
    private func conclude(result: Int32) {
        noteHandshake()
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_ZERO_RETURN: finish(.closed)
        case SSL_ERROR_SSL where SSL_is_init_finished(ssl) == 0 || SSL_get_shutdown(ssl) & SSL_RECEIVED_SHUTDOWN != 0:
            finish(.failed(PeerConnectionError(.security, "the DTLS handshake failed: \(Self.lastError())")))
        default: break
        }
        if state == .handshaking { scheduleRetransmission() }
    }

    private func noteHandshake() {
        guard state == .handshaking, SSL_is_init_finished(ssl) == 1 else { return }
        timer.cancel()
        state = .connected
        handlers.stateChanged(.connected)
    }

    private func finish(_ final: State) {
        timer.cancel()
        state = final
        handlers.stateChanged(final)
    }

    private func scheduleRetransmission() {
        var left = timeval()
        // DTLSv1_get_timeout, which is a macro.
        guard SSL_ctrl(ssl, DTLS_CTRL_GET_TIMEOUT, 0, &left) == 1 else { return timer.cancel() }
        timer.schedule(milliseconds: UInt32(max(1, left.tv_sec * 1000 + Int(left.tv_usec) / 1000)))
    }

    private func retransmit() {
        guard state == .handshaking else { return }
        ERR_clear_error()
        // DTLSv1_handle_timeout: below zero after the last try.
        if SSL_ctrl(ssl, DTLS_CTRL_HANDLE_TIMEOUT, 0, nil) < 0 {
            return finish(.failed(PeerConnectionError(.security, "the peer did not answer the DTLS handshake")))
        }
        scheduleRetransmission()
    }

    private static func lastError() -> String {
        let code = ERR_peek_last_error()
        guard let reason = ERR_reason_error_string(code) else { return "unknown reason" }
        return String(cString: reason)
    }
}

// MARK: - What OpenSSL calls

extension DTLSTransport {
    static func from(_ pointer: UnsafeMutableRawPointer?) -> DTLSTransport? {
        pointer.map { Unmanaged<DTLSTransport>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Gives OpenSSL the current datagram, once. One that exceeds the buffer cannot belong to this connection.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard let datagram = incoming else { return nil }
        incoming = nil
        let count = min(datagram.count, buffer.count)
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: datagram[..<count]))
        return count
    }

    func write(_ datagram: UnsafeRawBufferPointer) { handlers.transmit(datagram) }

    /// Whether the peer's certificate is the announced one.
    func accepts(_ certificate: OpaquePointer?) -> Bool {
        guard let certificate, let digest = try? certificateDigest(certificate, remoteFingerprint.algorithm) else {
            return false
        }
        return CRYPTO_memcmp(digest, remoteFingerprint.bytes, digest.count) == 0
    }
}
