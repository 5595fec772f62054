import Cryptography
import NanoTDF
import Networking
import Testing
import Wire

@testable import KeyAccess

@Suite("Who may call", .timeLimit(.minutes(5)))
struct CallerTests {
    private static let attribute = "https://example.com/attr/class/value/secret"
    private let issuer: EllipticCurve.PrivateKey
    private let signer: EllipticCurve.PrivateKey
    private let policy: AccessPolicy

    init() throws {
        issuer = try EllipticCurve.PrivateKey(.p384)
        signer = try EllipticCurve.PrivateKey(.p256)
        let digest = HashFunction.sha256.digest("letmein".utf8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        let callers: JSONValue = [
            "anna": ["attributes": [.string(Self.attribute)], "keys": [.string(try signer.publicKey.pem)]],
            "ben": ["tokens": [.string("sha256:" + digest.joined())]], "carl": [:],
        ]
        let file: JSONValue = [
            "callers": callers,
            "issuers": [
                ["key": .string(try issuer.publicKey.pem), "issuer": "https://id.example.com", "audience": "kas"]
            ],
        ]
        policy = try AccessPolicy(file: Array(file.text.utf8))
    }

    private func accessToken(_ change: (inout JSONObject) -> Void = { _ in }) throws -> String {
        let seconds = LiveService.now / 1000
        var claims: JSONObject = [
            "sub": "carl", "iss": "https://id.example.com", "aud": ["account", "kas"],
            "exp": .number("\(seconds + 600)"),
        ]
        change(&claims)
        return try SignedToken.signing(claims, with: issuer)
    }

    @Test("A known key, a known token, and the token of a known issuer")
    func known() async throws {
        try await LiveService.run(policy: policy) { service in
            let open = try service.seal()
            let secret = try service.seal(policy: .plain(LiveService.policy(attributes: [Self.attribute])))
            let anna = try service.client(signingKey: signer)
            _ = try await anna.payloadKey(of: secret.header)
            for token in ["letmein", try accessToken()] {
                let client = try service.client(token: token)
                _ = try await client.payloadKey(of: open.header)
                await #expect(throws: KeyAccessError.self) { try await client.payloadKey(of: secret.header) }
            }
            #expect(service.audit.map { $0["caller"] } == ["anna", "ben", "ben", "carl", "carl"])
            #expect(service.audit.map { $0["decision"] } == ["permit", "permit", "deny", "permit", "deny"])
        }
    }

    @Test("Others are refused")
    func unknown() async throws {
        try await LiveService.run(policy: policy) { service in
            let file = try service.seal()
            let expired = String(LiveService.now / 1000 - 100)
            let tokens = [
                nil, "letmeout", "", "a.b.c", try accessToken { $0.replace("exp", .number(expired)) },
                try accessToken { $0.replace("iss", "https://other.example.com") },
                try accessToken { $0.replace("aud", "web") },
                try accessToken { $0.replace("sub", "dora") }, try accessToken { $0.replace("sub", "anonymous") },
                try accessToken { $0.replace("sub", .null) }, try accessToken { $0.replace("cnf", ["jkt": "other"]) },
                try accessToken { $0.replace("cnf", ["x5t": "other"]) },
                try accessToken { $0.replace("nbf", .number("9e11")) },
                // Only requests that are signed with Anna's key are hers.
                try accessToken { $0.replace("sub", "anna") }, try SignedToken.signing(["sub": "carl"], with: signer),
            ]
            for token in tokens {
                let error = await #expect(throws: KeyAccessError.self, "\(token ?? "none")") {
                    try await service.client(token: token).payloadKey(of: file.header)
                }
                #expect(error?.code == .unauthenticated || error?.code == .invalidArgument)
            }
            #expect(service.audit.count == tokens.count)
            #expect(service.audit.allSatisfy { $0["decision"] == "deny" && $0["caller"] == nil })
        }
    }

    @Test("A token that is bound to a key is valid with that key only")
    func bound() async throws {
        try await LiveService.run(policy: policy) { service in
            let file = try service.seal()
            let thumbprint = try SignatureKey.elliptic(signer.publicKey).thumbprint
            let token = try accessToken { $0.replace("cnf", ["jkt": .string(thumbprint)]) }
            _ = try await service.client(token: token, signingKey: signer).payloadKey(of: file.header)
            await #expect(throws: KeyAccessError.self) {
                try await service.client(token: token).payloadKey(of: file.header)
            }
        }
    }

    @Test("A DPoP proof shows the key that signs the request")
    func proof() async throws {
        try await LiveService.run(policy: policy) { service in
            let object = RewrapRequest.Object(id: "kao-0", header: try service.seal().header.bytes)
            let seconds = LiveService.now / 1000
            func ask(_ change: (inout JSONObject) -> Void) async throws -> Int {
                var claims: JSONObject = [
                    "htm": "POST", "htu": "https://kas.example.com/kas/v2/rewrap", "iat": .number("\(seconds)"),
                    "ath": .string(Base64URL.encode(HashFunction.sha256.digest("letmein".utf8))),
                ]
                change(&claims)
                let proof = try SignedToken.signing(claims, with: signer, type: "dpop+jwt")
                let request = try Self.withoutKey(LiveService.token(for: [object], signedBy: signer), signer)
                return try await service.rewrap(request, headers: ["authorization": "DPoP letmein", "dpop": proof])
                    .status
            }
            #expect(try await ask { _ in } == 200)
            #expect(try await ask { $0.replace("htm", "GET") } == 401)
            #expect(try await ask { $0.replace("htu", "https://kas.example.com/other") } == 401)
            #expect(try await ask { $0.replace("ath", "AAAA") } == 401)
            #expect(try await ask { $0.replace("iat", .number("\(seconds - 1000)")) } == 401)
            let bare = try Self.withoutKey(LiveService.token(for: [object], signedBy: signer), signer)
            #expect(try await service.rewrap(bare, headers: ["authorization": "Bearer letmein"]).status == 401)
        }
    }

    /// The same token without its key in the header, signed again.
    private static func withoutKey(_ token: String, _ key: EllipticCurve.PrivateKey) throws -> String {
        let claims = token.split(separator: ".")[1]
        let unique = Base64URL.encode(
            JSONValue.object(["alg": "ES256", "n": .string("\(CompactID.random())")]).text.utf8)
        let signed = "\(unique).\(claims)"
        return signed + "." + Base64URL.encode(try key.sign(signed.utf8))
    }
}
