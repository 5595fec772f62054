import COpenSSL
import Foundation
import Networking
import Testing

@Suite(.timeLimit(.minutes(5))) struct TLSTests {
    @Test(arguments: ["localhost", "127.0.0.1"])
    func requestsAndSocketsWorkOverTLS(host: String) async throws {
        try await withTLSServer(names: "DNS:localhost,IP:127.0.0.1") { port, trust in
            let url = ServerURL(host: host, port: port, isSecure: true)
            let body = [UInt8](repeating: 7, count: 300_000)
            let response = try await HTTPClient(trust: trust).send(
                HTTPRequest(method: "POST", path: "/", body: body), to: url)
            #expect(response.body == body)
            var configuration = WebSocketClientConfiguration()
            configuration.trust = trust
            let connection = try await WebSocketClient.connect(to: url, configuration: configuration)
            #expect(await connection.nextEvent() == .text("hello"))
            for number in 0..<50 { try connection.send(String(repeating: "\(number) ", count: 10_000)) }
            for number in 0..<50 {
                #expect(await connection.nextEvent() == .text(String(repeating: "\(number) ", count: 10_000)))
            }
            connection.close()
        }
    }

    /// What TLS has taken off the socket while the reader paused must not be left lying.
    @Test func bodiesComeAndGoInPiecesOverTLS() async throws {
        try await withTLSServer(names: "DNS:localhost") { port, trust in
            let url = ServerURL(host: "localhost", port: port, isSecure: true)
            let body = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
            let request = HTTPRequest(method: "POST", path: "/pieces", body: body)
            let download = try await HTTPClient(trust: trust).open(
                request, to: url, limit: 10_000_000, patience: .seconds(200))
            var received: [UInt8] = []
            for try await piece in download {
                received += piece
                if received.count < 1_000_000 { try await Task.sleep(for: .milliseconds(1)) }
            }
            #expect(received == body)
        }
    }

    @Test func anUnknownAuthorityIsRefused() async throws {
        try await withTLSServer(names: "DNS:localhost") { port, _ in
            let url = ServerURL(host: "localhost", port: port, isSecure: true)
            let error = await #expect(throws: NetworkingError.self) {
                try await HTTPClient().send(HTTPRequest(path: "/"), to: url, timeout: .seconds(200))
            }
            #expect(error?.message.contains("certificate is not accepted") == true)
            #expect(error?.code == .untrustedCertificate)
        }
    }

    @Test func authoritiesThatCannotBeReadAreNamed() async throws {
        let url = ServerURL(host: "localhost", port: 1, isSecure: true)
        let error = await #expect(throws: NetworkingError.self) {
            try await HTTPClient(trust: .authorities(path: "/nowhere/ca.pem")).send(HTTPRequest(path: "/"), to: url)
        }
        #expect(error?.code == .noAuthorities && error?.message.contains("/nowhere/ca.pem") == true)
    }

    @Test func aServerWithoutTLSSaysSoAtOnce() async throws {
        try await withServer { _ in
        } _: { url, _, _ in
            let secure = ServerURL(host: url.host, port: url.port, isSecure: true)
            let error = await #expect(throws: NetworkingError.self) {
                try await HTTPClient().send(HTTPRequest(path: "/"), to: secure, timeout: .seconds(200))
            }
            #expect(error?.code == .noTLS)
        }
    }

    @Test(arguments: [(-7200, -3600), (3600, 7200)])
    func aCertificateOfAnotherTimeIsRefused(from: Int, to: Int) async throws {
        try await withTLSServer(names: "DNS:localhost", valid: from...to) { port, trust in
            let url = ServerURL(host: "localhost", port: port, isSecure: true)
            let error = await #expect(throws: NetworkingError.self) {
                try await HTTPClient(trust: trust).send(HTTPRequest(path: "/"), to: url, timeout: .seconds(200))
            }
            #expect(error?.code == .expiredCertificate)
        }
    }

    @Test func aCertificateForAnotherNameIsRefused() async throws {
        try await withTLSServer(names: "DNS:example.org") { port, trust in
            let url = ServerURL(host: "localhost", port: port, isSecure: true)
            let error = await #expect(throws: NetworkingError.self) {
                try await HTTPClient(trust: trust).send(HTTPRequest(path: "/"), to: url, timeout: .seconds(200))
            }
            #expect(error?.code == .wrongName)
        }
    }

    @Test func plainTextOnATLSPortIsRefusedAndTheServerLivesOn() async throws {
        try await withTLSServer(names: "DNS:localhost") { port, trust in
            let plain = ServerURL(host: "localhost", port: port)
            let error = await #expect(throws: NetworkingError.self) {
                try await HTTPClient().send(HTTPRequest(path: "/"), to: plain, timeout: .seconds(200))
            }
            #expect(error?.code == .closed)
            let url = ServerURL(host: "localhost", port: port, isSecure: true)
            let response = try await HTTPClient(trust: trust).send(HTTPRequest(path: "/"), to: url)
            #expect(response.status == 200)
        }
    }

    @Test func missingFilesAreNamed() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.tls = TLSIdentity(certificatePath: "/nowhere/a.pem", keyPath: "/nowhere/b.pem")
        let server = HTTPServer(configuration: configuration, handler: EchoHandler())
        let error = await #expect(throws: NetworkingError.self) { try await server.start() }
        #expect(error?.message.contains("/nowhere/a.pem") == true)
    }

    /// - Parameter valid: the range of validity, in seconds from now.
    func withTLSServer(
        names: String, valid: ClosedRange<Int> = -60...3600, _ body: (Int, TLSTrust) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "alcove-tls-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let identity = TLSIdentity(certificatePath: folder + "/certificate.pem", keyPath: folder + "/key.pem")
        try makeCertificate(identity, names: names, valid: valid)
        try await withServer {
            $0.tls = identity
        } _: { url, _, _ in
            try await body(url.port, .authorities(path: identity.certificatePath))
        }
    }

    /// A fresh P-256 key and a self-signed certificate.
    func makeCertificate(_ identity: TLSIdentity, names: String, valid: ClosedRange<Int> = -60...3600) throws {
        let key = try #require(makeKey())
        defer { EVP_PKEY_free(key) }
        let certificate = try #require(X509_new())
        defer { X509_free(certificate) }
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1)
        X509_gmtime_adj(X509_getm_notBefore(certificate), valid.lowerBound)
        X509_gmtime_adj(X509_getm_notAfter(certificate), valid.upperBound)
        let name = X509_get_subject_name(certificate)
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, Array("test".utf8), 4, -1, 0)
        X509_set_issuer_name(certificate, name)
        X509_set_pubkey(certificate, key)
        let alternatives = try #require(X509V3_EXT_conf_nid(nil, nil, NID_subject_alt_name, names))
        X509_add_ext(certificate, alternatives, -1)
        X509_EXTENSION_free(alternatives)
        #expect(X509_sign(certificate, key, EVP_sha256()) > 0)
        let certificateFile = try #require(fopen(identity.certificatePath, "w"))
        PEM_write_X509(certificateFile, certificate)
        fclose(certificateFile)
        let keyFile = try #require(fopen(identity.keyPath, "w"))
        PEM_write_PrivateKey(keyFile, key, nil, nil, 0, nil, nil)
        fclose(keyFile)
    }

    private func makeKey() -> OpaquePointer? {
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
            EVP_PKEY_keygen(context, &key) == 1
        else { return nil }
        return key
    }
}
