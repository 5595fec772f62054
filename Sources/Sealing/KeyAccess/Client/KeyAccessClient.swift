package import Cryptography
internal import Foundation
package import NanoTDF
package import Networking
internal import Wire

/// Asks a Key Access Service for its public key and for the keys of NanoTDFs.
///
/// It uses https, and http only to this machine. It follows no redirects, sends its token to no other address, and
/// contacts no address of a private network or link, because such an address in a file is more likely an attack than
/// a service.
package struct KeyAccessClient: Sendable {
    private let server: ServerURL
    private let http: HTTPClient
    private let token: SecretBytes?
    private let signingKey: EllipticCurve.PrivateKey

    /// How long one call may take.
    package var timeout: Duration = .seconds(30)

    /// - Parameters:
    ///   - address: such as `https://kas.example.com`, with or without `/kas` at its end.
    ///   - token: the access token, if the service wants one.
    ///   - signingKey: signs the requests. Nil makes one for this client; a service that knows its callers by their keys wants
    ///     one that it knows.
    package init(
        _ address: String, token: SecretBytes? = nil, signingKey: EllipticCurve.PrivateKey? = nil,
        trust: TLSTrust = .system
    ) throws(KeyAccessError) {
        server = try Self.server(address)
        http = HTTPClient(bodyLimit: 1 << 20, trust: trust)
        self.token = token
        do throws(CryptographyError) {
            self.signingKey = if let signingKey { signingKey } else { try EllipticCurve.PrivateKey(.p256) }
        } catch {
            throw KeyAccessError(.unavailable, error.message)
        }
    }

    /// The service at an address. Throws if clients may not contact it.
    static func server(_ address: String) throws(KeyAccessError) -> ServerURL {
        guard address.hasPrefix("https://") || address.hasPrefix("http://"), let url = try? ServerURL(address) else {
            throw KeyAccessError(.refusedAddress, "the address of a key access service begins with https://")
        }
        let kind = LocalAddress(url.host)?.kind
        guard kind != .local else {
            throw KeyAccessError(
                .refusedAddress, "\(url.host) is an address of a private network or link; use the name of the service")
        }
        guard url.isSecure || kind == .loopback else {
            throw KeyAccessError(.refusedAddress, "keys travel over https only, and over http on this machine")
        }
        let path = url.path.hasSuffix("/kas") ? String(url.path.dropLast(4)) : url.path
        return ServerURL(host: url.host, port: url.port, isSecure: url.isSecure, path: path)
    }

    /// A service's public key with its identifier.
    package struct PublishedKey: Sendable {
        package let id: String
        package let publicKey: EllipticCurve.PublicKey
    }

    /// The service's public key on a curve, or the one that it prefers.
    package func publicKey(on curve: EllipticCurve? = nil) async throws(KeyAccessError) -> PublishedKey {
        let question: JSONValue = curve.map { ["algorithm": .string("ec:\($0.name)")] } ?? [:]
        let answer = try await call("/kas.AccessService/PublicKey", question)
        guard let object = try? JSONValue(answer).object, let pem = object["publicKey"]?.string,
            let key = try? EllipticCurve.PublicKey(file: pem.utf8)
        else { throw .answer("it has no public key on an elliptic curve") }
        guard curve == nil || key.curve == curve else { throw .answer("its public key is on another curve") }
        return PublishedKey(id: object["kid"]?.string ?? "", publicKey: key)
    }

    /// The key of one file's payload.
    package func payloadKey(of header: NanoTDF.Header) async throws(KeyAccessError) -> SecretBytes {
        guard let result = try await payloadKeys(of: [header]).first else {
            throw .answer("it says nothing about the file")
        }
        return try result.get()
    }

    /// The keys of several files' payloads, or why there is none, in the order of the headers.
    package func payloadKeys(
        of headers: [NanoTDF.Header]
    ) async throws(KeyAccessError) -> [Result<SecretBytes, KeyAccessError>] {
        let names = headers.indices.map { "kao-\($0)" }
        let objects = zip(names, headers).map { RewrapRequest.Object(id: $0, header: $1.bytes) }
        let (key, question) = try signed(objects)
        let answer = try await call("/kas.AccessService/Rewrap", ["signedRequestToken": .string(question)])
        let response = try RewrapResponse(json: answer)
        let results = response.entries.flatMap(\.results)
        let wrappingKey = wrappingKey(key, response)
        return names.map { name in
            switch results.first(where: { $0.id == name })?.outcome {
            case .permit(let wrapped)?:
                guard let wrappingKey, let key = try? KeyWrapping.unwrap(wrapped, with: wrappingKey), key.count == 32
                else {
                    return .failure(.answer("a wrapped key was not wrapped for this request"))
                }
                return .success(key)
            case .fail(let reason)?: return .failure(KeyAccessError(.permissionDenied, Self.quoted(reason)))
            case nil: return .failure(.answer("it says nothing about the file"))
            }
        }
    }

    /// A request with a fresh key for the answer, signed.
    private func signed(
        _ objects: [RewrapRequest.Object]
    ) throws(KeyAccessError) -> (key: EllipticCurve.PrivateKey, token: String) {
        do {
            let key = try EllipticCurve.PrivateKey(.p256)
            let request = RewrapRequest(
                clientKey: key.publicKey, entries: [RewrapRequest.Entry(policyID: "policy", objects: objects)])
            let now = Int(Date().timeIntervalSince1970)
            let claims: JSONObject = [
                "requestBody": .string(try request.body(url: "\(server)")),
                "iat": .number(String(now)), "exp": .number(String(now + 60)),
                "jti": .string(Base64URL.encode(SecureRandom.bytes(16))),
            ]
            return (key, try SignedToken.signing(claims, with: signingKey))
        } catch {
            throw KeyAccessError(.unavailable, error.message)
        }
    }

    /// Nil if there is no session key in the answer, as when every file was refused.
    private func wrappingKey(_ key: EllipticCurve.PrivateKey, _ response: RewrapResponse) -> SecretBytes? {
        guard let session = try? EllipticCurve.PublicKey(file: response.sessionKey.utf8) else { return nil }
        return try? KeyWrapping.wrappingKey(key, session)
    }

    private func call(_ path: String, _ question: JSONValue) async throws(KeyAccessError) -> [UInt8] {
        var headers: HTTPFields = ["content-type": "application/json", "connect-protocol-version": "1"]
        if let token {
            headers["authorization"] = "Bearer " + token.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
        let request = HTTPRequest(method: "POST", path: path, headers: headers, body: Array(question.text.utf8))
        let response: HTTPResponse
        do throws(NetworkingError) {
            response = try await http.send(request, to: server, timeout: timeout)
        } catch {
            throw KeyAccessError(error.code == .tooLarge ? .badAnswer : .unavailable, error.message)
        }
        guard response.status != 200 else { return response.body }
        throw Self.failure(response)
    }

    private static func failure(_ response: HTTPResponse) -> KeyAccessError {
        if (300...399).contains(response.status) {
            return .answer("it sends to another address, and keys are not fetched from elsewhere; give that address")
        }
        let body = try? JSONValue(response.body).object
        let code = body?["code"]?.string.flatMap(KeyAccessError.Code.init) ?? .badAnswer
        guard let message = body?["message"]?.string else { return .answer("status \(response.status)") }
        return KeyAccessError(code, quoted(message))
    }

    /// A service's message in a form that is safe to show: short, and without control characters.
    private static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.prefix(300).map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                "\u{fffd}"
            default: scalar
            }
        }
        var shown = String.UnicodeScalarView()
        shown.append(contentsOf: scalars)
        return "the service says: \(String(shown))"
    }
}
