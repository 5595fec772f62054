import Cryptography
import NanoTDF
import Networking
import Testing
import Wire

@testable import KeyAccess

@Suite("Ambiguous requests", .timeLimit(.minutes(5)))
struct AmbiguityTests {
    private let key: EllipticCurve.PrivateKey

    init() throws { key = try EllipticCurve.PrivateKey(.p256) }

    @Test(
        "A request with a duplicate or unknown member is refused",
        arguments: [
            #"{"clientPublicKey":"KEY","clientPublicKey":"KEY","requests":[ENTRY]}"#,
            #"{"clientPublicKey":"KEY","requests":[ENTRY],"requests":[ENTRY]}"#,
            #"{"clientPublicKey":"KEY","requests":[ENTRY],"obligations":["watermark"]}"#,
            #"{"clientPublicKey":"KEY","requests":[{"keyAccessObjects":[OBJECT],"Policy":{}}]}"#,
            #"{"clientPublicKey":"KEY","requests":[{"keyAccessObjects":[OBJECT],"policy":{"id":"1","uuid":"2"}}]}"#,
            #"{"clientPublicKey":"KEY","requests":[{"keyAccessObjects":[OBJECT],"policy":"id"}]}"#,
            #"{"clientPublicKey":"KEY","requests":[{"keyAccessObjects":[{"keyAccessObject":{"header":"","Header":""}}]}]}"#,
            #"{"clientPublicKey":"KEY","requests":[{"keyAccessObjects":[{"keyAccessObject":{"header":"","header":""}}]}]}"#,
        ])
    func requests(text: String) throws {
        let body = try self.body(text)
        let error = #expect(throws: KeyAccessError.self) { try RewrapRequest(body: body.utf8, atMost: 10) }
        #expect(error?.code == .invalidArgument)
    }

    @Test("Members for older services are ignored, and are no reason to refuse")
    func customary() throws {
        let text = """
            {"clientPublicKey":"KEY","requests":[{"keyAccessObjects":[OBJECT],"policy":{"id":"1","body":""},"algorithm":"a"}],\
            "keyAccess":{"type":"remote"},"policy":"e30="}
            """
        #expect(try RewrapRequest(body: body(text).utf8, atMost: 10).entries.count == 1)
    }

    private func body(_ text: String) throws -> String {
        text.replacing("ENTRY", with: #"{"keyAccessObjects":[OBJECT]}"#)
            .replacing("OBJECT", with: #"{"keyAccessObjectId":"kao-0","keyAccessObject":{"header":"TDFM"}}"#)
            .replacing("KEY", with: try key.publicKey.pem.replacing("\n", with: "\\n"))
    }

    @Test("A token with a duplicate member is refused")
    func tokens() throws {
        func token(_ header: String, _ claims: String) throws -> String {
            let signed = [header, claims].map { Base64URL.encode($0.utf8) }.joined(separator: ".")
            return signed + "." + Base64URL.encode(try key.sign(signed.utf8))
        }
        let plain = try SignedToken(token(#"{"alg":"ES256"}"#, #"{"sub":"anna"}"#), atMost: 1000)
        #expect(plain.claims["sub"] == "anna")
        for (header, claims) in [
            (#"{"alg":"ES256"}"#, #"{"sub":"anna","sub":"ben"}"#), (#"{"alg":"ES256","alg":"ES256"}"#, "{}"),
            (#"{"alg":"ES256"}"#, #"{"cnf":{"jkt":"a","jkt":"b"}}"#),
        ] {
            let text = try token(header, claims)
            #expect(throws: TokenError.self) { try SignedToken(text, atMost: 1000) }
        }
    }

    @Test("A body with two tokens, or more than a token, is refused")
    func bodies() async throws {
        try await LiveService.run { service in
            let object = RewrapRequest.Object(id: "kao-0", header: try service.seal().header.bytes)
            func token() throws -> String { try LiveService.token(for: [object], signedBy: key) }
            for text in [
                #"{"signedRequestToken":"A","signedRequestToken":"B"}"#,
                #"{"signedRequestToken":"A","signed_request_token":"B"}"#, #"{"signedRequestToken":"A","bearer":"B"}"#,
            ] {
                let body = text.replacing("A", with: try token()).replacing("B", with: try token())
                #expect(try await service.post("/kas/v2/rewrap", Array(body.utf8)).status == 400, "\(text)")
            }
            for second in [1, 2] {
                var writer = ProtobufWriter()
                writer.write(try token(), 1)
                writer.write(try token(), second)
                let type: HTTPFields = ["content-type": "application/proto"]
                #expect(try await service.post("/kas/v2/rewrap", writer.bytes, headers: type).status == 400)
            }
            #expect(try await service.rewrap(token()).status == 200)
        }
    }

    @Test("An access token that is given twice, or bound in a second way, is refused")
    func access() async throws {
        let issuer = try EllipticCurve.PrivateKey(.p256)
        let file: JSONValue = ["callers": ["carl": [:]], "issuers": [["key": .string(try issuer.publicKey.pem)]]]
        let policy = try AccessPolicy(file: Array(file.text.utf8))
        try await LiveService.run(policy: policy) { service in
            let object = RewrapRequest.Object(id: "kao-0", header: try service.seal().header.bytes)
            let thumbprint = JSONValue.string(try SignatureKey.elliptic(key.publicKey).thumbprint)
            func ask(_ confirmation: JSONValue, fields: Int = 1) async throws -> Int {
                let seconds = LiveService.now / 1000
                let claims: JSONObject = ["sub": "carl", "exp": .number("\(seconds + 600)"), "cnf": confirmation]
                let token = try SignedToken.signing(claims, with: issuer)
                var headers: HTTPFields = [:]
                for _ in 0..<fields { headers.append("authorization", "Bearer " + token) }
                return try await service.rewrap(LiveService.token(for: [object], signedBy: key), headers: headers)
                    .status
            }
            #expect(try await ask(["jkt": thumbprint]) == 200)
            #expect(try await ask(["jkt": thumbprint, "x5t#S256": "other"]) == 401)
            #expect(try await ask(["jkt": thumbprint], fields: 2) == 400)
        }
    }

    @Test("A request that is not valid yet is refused")
    func notBefore() async throws {
        try await LiveService.run { service in
            let object = RewrapRequest.Object(id: "kao-0", header: try service.seal().header.bytes)
            let seconds = LiveService.now / 1000
            for (begins, status) in [(-10, 200), (3600, 401)] as [(Int64, Int)] {
                let token = try LiveService.token(for: [object], signedBy: key) {
                    $0.replace("nbf", .number("\(seconds + begins)"))
                }
                #expect(try await service.rewrap(token).status == status)
            }
        }
    }
}
