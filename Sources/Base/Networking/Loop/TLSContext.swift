internal import COpenSSL

/// The settings that TLS connections of one server, or of clients with the same trust, share. TLS 1.2 and 1.3.
final class TLSContext: Sendable {
    /// The address of an `SSL_CTX`, which OpenSSL locks by itself.
    private let address: UInt

    private init(_ pointer: OpaquePointer) { address = UInt(bitPattern: pointer) }

    /// The hash of the only key that is accepted, as OpenSSL calls back with it.
    ///
    /// Safe without a lock: `accept(only:)` writes it while the context is being made, before anybody else has it. From then on it
    /// is only read, and it is freed with the last reference, which every session holds as long as it may call back.
    nonisolated(unsafe) private let acceptedKey = UnsafeMutableRawBufferPointer.allocate(
        byteCount: TLSContext.keyHashBytes, alignment: 1)
    private static let keyHashBytes = 32

    deinit {
        SSL_CTX_free(OpaquePointer(bitPattern: address))
        acceptedKey.deallocate()
    }

    /// Accepts the certificate with this key and no other, whatever else is in it. With a hash of another length it accepts none.
    private func accept(only hash: [UInt8]) {
        _ = acceptedKey.initializeMemory(as: UInt8.self, repeating: 0)
        if hash.count == Self.keyHashBytes { acceptedKey.copyBytes(from: hash) }
        // A session keeps this object for as long as it may ask.
        SSL_CTX_set_cert_verify_callback(
            OpaquePointer(bitPattern: address),
            { store, expected in
                let digest = TLSContext.keyHash(X509_STORE_CTX_get0_cert(store))
                guard let expected, let digest, CRYPTO_memcmp(digest, expected, digest.count) == 0 else {
                    X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_UNTRUSTED)
                    return 0
                }
                X509_STORE_CTX_set_error(store, X509_V_OK)
                return 1
            }, acceptedKey.baseAddress)
    }

    /// The SHA-256 of the public key of an identity, 32 bytes, as ``TLSTrust/key(sha256:)`` takes it.
    static func keyHash(of identity: TLSIdentity) throws(NetworkingError) -> [UInt8] {
        let context = try server(identity)
        guard let hash = keyHash(SSL_CTX_get0_certificate(OpaquePointer(bitPattern: context.address))) else {
            throw NetworkingError(.cannotListen, "cannot read a key from \(identity.certificatePath)")
        }
        return hash
    }

    /// The SHA-256 of a certificate's public key; nil if there is none.
    private static func keyHash(_ certificate: OpaquePointer?) -> [UInt8]? {
        guard let certificate, let key = X509_get_X509_PUBKEY(certificate) else { return nil }
        var der: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509_PUBKEY(key, &der)
        defer { CRYPTO_free(der, nil, 0) }
        guard count > 0, let der else { return nil }
        var digest = [UInt8](repeating: 0, count: keyHashBytes)
        return EVP_Digest(der, Int(count), &digest, nil, EVP_sha256(), nil) == 1 ? digest : nil
    }

    /// For a server with this certificate chain and key.
    static func server(_ identity: TLSIdentity) throws(NetworkingError) -> TLSContext {
        let context = try make(TLS_server_method())
        try context.use(identity, orThrow: .cannotListen)
        return context
    }

    /// Shows this certificate chain to the other side.
    func use(_ identity: TLSIdentity, orThrow code: NetworkingError.Code) throws(NetworkingError) {
        let pointer = OpaquePointer(bitPattern: address)
        // The error queue belongs to the thread; the next call must not find old entries in it.
        defer { ERR_clear_error() }
        guard SSL_CTX_use_certificate_chain_file(pointer, identity.certificatePath) == 1 else {
            throw NetworkingError(code, "cannot read a certificate from \(identity.certificatePath)")
        }
        guard SSL_CTX_use_PrivateKey_file(pointer, identity.keyPath, SSL_FILETYPE_PEM) == 1,
            SSL_CTX_check_private_key(pointer) == 1
        else {
            throw NetworkingError(code, "cannot read the certificate's key from \(identity.keyPath)")
        }
    }

    /// For clients that accept certificates of these authorities, and for the right name only.
    static func client(_ trust: TLSTrust) throws(NetworkingError) -> TLSContext {
        let context = try make(TLS_client_method())
        let pointer = OpaquePointer(bitPattern: context.address)
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        switch trust {
        case .system: SSL_CTX_set_default_verify_paths(pointer)
        case .authorities(let path):
            guard SSL_CTX_load_verify_locations(pointer, path, nil) == 1 else {
                // The error queue belongs to the thread; the next call must not find old entries in it.
                ERR_clear_error()
                throw NetworkingError(.noAuthorities, "cannot read certificate authorities from \(path)")
            }
        case .key(let hash): context.accept(only: hash)
        }
        return context
    }

    private static func make(_ method: OpaquePointer?) throws(NetworkingError) -> TLSContext {
        guard let pointer = SSL_CTX_new(method) else { throw NetworkingError(.unavailable, "TLS cannot be started") }
        SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        // Idle connections keep no buffers. A write may continue in pieces, from memory that has moved.
        let mode = SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
        SSL_CTX_ctrl(pointer, SSL_CTRL_MODE, Int(mode), nil)
        return TLSContext(pointer)
    }

    /// A session on a connected socket. For a client, `host` is the name that the certificate must carry.
    func session(on descriptor: Int32, host: String?) -> TLSSession? {
        guard let ssl = SSL_new(OpaquePointer(bitPattern: address)) else { return nil }
        let session = TLSSession(ssl, keeping: self)
        guard SSL_set_fd(ssl, descriptor) == 1 else { return nil }
        guard let host else {
            SSL_set_accept_state(ssl)
            return session
        }
        SSL_set_connect_state(ssl)
        if Socket.isNumeric(host) {
            guard X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1 else { return nil }
        } else {
            guard SSL_set1_host(ssl, host) == 1, setServerName(ssl, host) else { return nil }
        }
        return session
    }

    private func setServerName(_ ssl: OpaquePointer, _ host: String) -> Bool {
        var name = Array(host.utf8CString)
        return SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), &name) == 1
    }
}

/// One TLS connection. Its owner must not let calls overlap.
final class TLSSession: Sendable {
    enum Result {
        case done(Int)
        case wantsRead
        case wantsWrite
        /// The other side has ended the session properly.
        case ended
        case failed
    }

    /// The address of an `SSL`.
    private let address: UInt
    private let context: TLSContext

    init(_ ssl: OpaquePointer, keeping context: TLSContext) {
        address = UInt(bitPattern: ssl)
        self.context = context
    }

    deinit { SSL_free(ssl) }

    private var ssl: OpaquePointer? { OpaquePointer(bitPattern: address) }

    func handshake() -> Result { outcome(SSL_do_handshake(ssl)) }

    func read(_ buffer: UnsafeMutableRawBufferPointer) -> Result {
        outcome(SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count)))
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Result {
        outcome(SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count)))
    }

    /// Tells the other side that nothing follows; does not wait for its answer.
    func end() {
        ERR_clear_error()
        SSL_shutdown(ssl)
        ERR_clear_error()
    }

    /// Why the certificate was refused; nil if it was not.
    var certificateFailure: (code: NetworkingError.Code, words: String)? {
        let status = SSL_get_verify_result(ssl)
        guard status != Int(X509_V_OK) else { return nil }
        let code: NetworkingError.Code =
            switch Int32(clamping: status) {
            case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: .wrongName
            case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID: .expiredCertificate
            default: .untrustedCertificate
            }
        return (code, "its certificate is not accepted: \(String(cString: X509_verify_cert_error_string(status)))")
    }

    private func outcome(_ status: Int32) -> Result {
        if status > 0 { return .done(Int(status)) }
        let error = SSL_get_error(ssl, status)
        // The queue of errors belongs to the thread and would be blamed on the next call.
        ERR_clear_error()
        switch error {
        case SSL_ERROR_WANT_READ: return .wantsRead
        case SSL_ERROR_WANT_WRITE: return .wantsWrite
        case SSL_ERROR_ZERO_RETURN: return .ended
        default: return .failed
        }
    }
}
