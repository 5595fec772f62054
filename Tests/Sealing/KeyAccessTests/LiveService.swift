import Cryptography
import Foundation
import NanoTDF
import Networking
import Synchronization
import Wire

@testable import KeyAccess

/// A service on loopback for one test, its audit log, and a way to send requests.
final class LiveService: Sendable {
    let address: String
    let keys: ServiceKeys
    private let lines: Lines

    /// Milliseconds since 1970, by the real clock unless a test sets it.
    static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private init(address: String, keys: ServiceKeys, lines: Lines) {
        self.address = address
        self.keys = keys
        self.lines = lines
    }

    /// Runs a service while `body` does its work.
    static func run<Value>(
        policy: AccessPolicy = .loopback, limits: KeyAccessLimits = KeyAccessLimits(),
        audits: Bool = true, _ body: (LiveService) async throws -> Value
    ) async throws -> Value {
        let keys = try ServiceKeys(
            [EllipticCurve.p256, .p384, .p521].map { .init(id: "key-\($0.name)", privateKey: try .init($0)) })
        var configuration = KeyAccessConfiguration(keys: keys, policy: policy)
        configuration.limits = limits
        let lines = Lines()
        configuration.audit = { line in
            guard audits else { throw Full() }
            lines.all.withLock { $0.append(line) }
        }
        let server = try KeyAccessServer(configuration)
        let port = try await server.start()
        do {
            let value = try await body(LiveService(address: "http://127.0.0.1:\(port)", keys: keys, lines: lines))
            await server.stop()
            return value
        } catch {
            await server.stop()
            throw error
        }
    }

    struct Full: Error {}

    /// The lines of the audit log as JSON.
    var audit: [JSONObject] { lines.all.withLock { $0 }.compactMap { (try? JSONValue($0.utf8))?.object } }

    func client(token: String? = nil, signingKey: EllipticCurve.PrivateKey? = nil) throws -> KeyAccessClient {
        try KeyAccessClient(address, token: token.map { SecretBytes(copying: $0.utf8) }, signingKey: signingKey)
    }

    /// A NanoTDF for the service's key on a curve.
    func seal(
        _ plaintext: String = "text", on curve: EllipticCurve = .p256,
        policy: NanoTDFSealer.Policy = .plain(LiveService.openPolicy), binding: NanoTDFSealer.Binding = .digest,
        cipher: NanoTDF.Cipher = .aes256GCM128, key id: String? = nil
    ) throws -> NanoTDF {
        let key = try keys.key(id: nil, on: curve)
        let kas = try ResourceLocator(url: address, identifier: id ?? key.id)
        let sealer = try NanoTDFSealer(kas: kas, policy: policy, binding: binding, cipher: cipher)
        return try sealer.seal(plaintext.utf8, to: key.privateKey.publicKey)
    }

    static let openPolicy = Array(#"{"uuid":"open","body":{"dataAttributes":[],"dissem":[]}}"#.utf8)

    static func policy(attributes: [String] = [], readers: [String] = []) -> [UInt8] {
        let body: JSONValue = [
            "dataAttributes": .array(attributes.map { ["attribute": .string($0)] }),
            "dissem": .array(readers.map { .string($0) }),
        ]
        return Array(JSONValue.object(["uuid": "guarded", "body": body]).text.utf8)
    }

    /// A request token of these files, with claims changed by `change`.
    static func token(
        for objects: [RewrapRequest.Object], signedBy key: EllipticCurve.PrivateKey,
        client: EllipticCurve.PublicKey? = nil,
        change: (inout JSONObject) -> Void = { _ in }
    ) throws -> String {
        let request = RewrapRequest(
            clientKey: try client ?? EllipticCurve.PrivateKey(.p256).publicKey,
            entries: [.init(policyID: "policy", objects: objects)])
        let seconds = now / 1000
        var claims: JSONObject = [
            "requestBody": .string(try request.body(url: "https://kas.example.com")),
            "iat": .number("\(seconds)"), "exp": .number("\(seconds + 60)"),
        ]
        change(&claims)
        return try SignedToken.signing(claims, with: key)
    }

    /// Posts a body and returns status and JSON.
    func post(
        _ path: String, _ body: [UInt8], headers: HTTPFields = ["content-type": "application/json"]
    ) async throws -> (status: Int, body: JSONObject) {
        let request = HTTPRequest(method: "POST", path: path, headers: headers, body: body)
        let response = try await HTTPClient().send(request, to: ServerURL(address))
        return (response.status, (try? JSONValue(response.body))?.object ?? [:])
    }

    func rewrap(_ token: String, headers: HTTPFields = [:]) async throws -> (status: Int, body: JSONObject) {
        var all: HTTPFields = ["content-type": "application/json"]
        for (name, value) in headers { all.append(name, value) }
        return try await post("/kas/v2/rewrap", Array(#"{"signed_request_token":"\#(token)"}"#.utf8), headers: all)
    }
}

extension JSONObject {
    /// The same JSON with another value for a member that occurs once.
    mutating func replace(_ name: String, _ value: JSONValue) {
        let others = members.filter { $0.name != name }
        self = JSONObject()
        for member in others { append(member.name, member.value) }
        append(name, value)
    }
}
