internal import COpenSSL

/// Makes the `SSL` of a connection: its certificate, DTLS 1.2 only, forward secret AEAD suites only.
///
/// All connections share one `SSL_CTX`, which takes tens of kilobytes and holds nothing of a single connection.
enum DTLSContext {
    /// Set up by the initialiser of the constant, which Swift runs once, and not changed afterwards. From then on OpenSSL itself counts
    /// references and locks what sessions on several threads share.
    nonisolated(unsafe) private static let shared: OpaquePointer? = {
        guard let context = SSL_CTX_new(DTLS_method()) else { return nil }
        guard set(up: context) else {
            SSL_CTX_free(context)
            return nil
        }
        return context
    }()

    /// An owned `SSL`.
    static func makeSession(certificate: Certificate) throws(PeerConnectionError) -> OpaquePointer {
        let x509 = try OpenSSLCertificate(der: certificate.certificateDER)
        let key = try OpenSSLKey(der: certificate.privateKeyDER)
        guard let shared, let ssl = SSL_new(shared) else { throw outOfMemory }
        guard SSL_use_certificate(ssl, x509.pointer) == 1, SSL_use_PrivateKey(ssl, key.pointer) == 1 else {
            SSL_free(ssl)
            throw PeerConnectionError(.invalidCertificate, "OpenSSL refused the certificate or its key")
        }
        return ssl
    }

    private static func set(up context: OpaquePointer) -> Bool {
        let suites = "ECDHE+AESGCM:ECDHE+CHACHA20:!PSK"
        guard
            SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(DTLS1_2_VERSION), nil) == 1,
            SSL_CTX_set_cipher_list(context, suites) == 1,
            // SSL_CTX_set1_groups_list, which is a macro.
            "X25519:P-256:P-384".withCString({
                SSL_CTX_ctrl(context, SSL_CTRL_SET_GROUPS_LIST, 0, UnsafeMutableRawPointer(mutating: $0))
            }) == 1,
            // Data channels need no SRTP, but some peers (aiortc) fail without a common profile. 0 is success here.
            SSL_CTX_set_tlsext_use_srtp(context, "SRTP_AES128_CM_SHA1_80") == 0
        else { return false }
        // The values of SSL_OP_NO_QUERY_MTU, NO_TICKET and NO_RENEGOTIATION are macros over shifts: bits 12, 14 and 30.
        SSL_CTX_set_options(context, 1 << 12 | 1 << 14 | 1 << 30)
        _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_READ_AHEAD, 1, nil)
        _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        // Replaces chain verification: the certificate is self-signed, and only its hash is checked.
        SSL_CTX_set_cert_verify_callback(
            context,
            { store, _ in
                let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx())
                guard let store, let ssl,
                    let transport = DTLSTransport.from(SSL_get_ex_data(OpaquePointer(ssl), 0)),
                    transport.accepts(X509_STORE_CTX_get0_cert(store))
                else {
                    if let store { X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED) }
                    return 0
                }
                return 1
            },
            nil
        )
        return true
    }
}

/// A BIO that moves whole datagrams between OpenSSL and the ``DTLSTransport`` in its data pointer: unlike a memory BIO
/// it keeps their boundaries and copies nothing twice.
enum DatagramBIO {
    /// Filled by the initialiser of the constant, which Swift runs once; afterwards OpenSSL only reads it.
    nonisolated(unsafe) static let method: OpaquePointer? = {
        let type = BIO_get_new_index() | BIO_TYPE_SOURCE_SINK
        guard let method = BIO_meth_new(type, "datagram") else { return nil }
        BIO_meth_set_read(method) { bio, buffer, count in
            BIO_clear_flags(bio, flags)
            guard let buffer, count > 0, let transport = DTLSTransport.from(BIO_get_data(bio)),
                let read = transport.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)))
            else {
                BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
                return -1
            }
            return Int32(read)
        }
        BIO_meth_set_write(method) { bio, buffer, count in
            BIO_clear_flags(bio, flags)
            guard let buffer, count > 0, let transport = DTLSTransport.from(BIO_get_data(bio)) else { return -1 }
            transport.write(UnsafeRawBufferPointer(start: buffer, count: Int(count)))
            return count
        }
        BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return method
    }()

    /// The flags that the macro BIO_clear_retry_flags clears.
    private static let flags = BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_IO_SPECIAL | BIO_FLAGS_SHOULD_RETRY
}
