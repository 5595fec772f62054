import Cryptography
import NanoTDF
import Networking
import Testing
import Wire

@testable import KeyAccess

@Suite("Invalid requests", .timeLimit(.minutes(5)))
struct HostileTests {
    private let key: EllipticCurve.PrivateKey

    init() throws { key = try EllipticCurve.PrivateKey(.p256) }

    @Test("A request counts once")
    func replay() async throws {
        try await LiveService.run { service in
            let object = RewrapRequest.Object(id: "kao-0", header: try service.seal().header.bytes)
            let token = try LiveService.token(for: [object], signedBy: key)
            #expect(try await service.rewrap(token).status == 200)
            let again = try await service.rewrap(token)
            #expect(again.status == 401)
            #expect(again.body["code"] == "unauthenticated")
            #expect(again.body["responses"] == nil)
        }
    }

    @Test("A request counts now")
    func times() async throws {
        try await LiveService.run { service in
            let object = RewrapRequest.Object(id: "kao-0", header: try service.seal().header.bytes)
            let seconds = LiveService.now / 1000
            for (issued, expires) in [(-1000, 1000), (-200, -100), (1000, 2000)] as [(Int64, Int64)] {
                let token = try LiveService.token(for: [object], signedBy: key) {
                    $0.replace("iat", .number("\(seconds + issued)"))
                    $0.replace("exp", .number("\(seconds + expires)"))
                }
                #expect(try await service.rewrap(token).status == 401, "\(issued)")
            }
            let eternal = try LiveService.token(for: [object], signedBy: key) { $0.replace("exp", .null) }
            #expect(try await service.rewrap(eternal).status == 401)
        }
    }

    @Test("An altered request is refused")
    func altered() async throws {
        try await LiveService.run { service in
            let object = RewrapRequest.Object(id: "kao-0", header: try service.seal().header.bytes)
            let parts = try LiveService.token(for: [object], signedBy: key).split(separator: ".")
            let other = try LiveService.token(for: [object], signedBy: EllipticCurve.PrivateKey(.p256)).split(
                separator: ".")
            #expect(try await service.rewrap("\(parts[0]).\(other[1]).\(parts[2])").status == 401)
            #expect(try await service.rewrap("\(parts[0]).\(parts[1]).\(other[2])").status == 401)
            #expect(try await service.rewrap("\(parts[0]).\(parts[1]).").status == 401)
        }
    }

    @Test(
        "Bodies that cannot be read",
        arguments: [
            "", "x", "[]", "{}", #"{"clientPublicKey":"x"}"#, #"{"clientPublicKey":"KEY"}"#,
            #"{"clientPublicKey":"KEY","requests":[]}"#, #"{"clientPublicKey":"KEY","requests":{}}"#,
            #"{"clientPublicKey":"KEY","requests":[{}]}"#,
            #"{"clientPublicKey":"KEY","requests":[{"keyAccessObjects":[]}]}"#,
            #"{"clientPublicKey":"KEY","requests":[{"keyAccessObjects":[{}]}]}"#,
            #"{"clientPublicKey":"KEY","requests":[{"keyAccessObjects":[{"keyAccessObject":{"header":"!"}}]}]}"#,
            #"{"clientPublicKey":"KEY","requests":[{"keyAccessObjects":[{"keyAccessObject":{"header":1}}]}]}"#,
            #"{"clientPublicKey":"KEY","requests":[{"policy":{"id":7},"keyAccessObjects":[{"keyAccessObject":{}}]}]}"#,
        ])
    func bodies(text: String) throws {
        let pem = try key.publicKey.pem.replacing("\n", with: "\\n")
        let body = text.replacing("KEY", with: pem)
        let error = #expect(throws: KeyAccessError.self) { try RewrapRequest(body: body.utf8, atMost: 10) }
        #expect(error?.code == .invalidArgument)
    }

    @Test("Headers of something else fail file by file, and the others are opened")
    func headers() async throws {
        try await LiveService.run { service in
            let good = try service.seal().header.bytes
            let headers: [[UInt8]?] = [nil, [1, 2, 3], good.dropLast(), good + [0], good]
            let objects = headers.enumerated().map { RewrapRequest.Object(id: "\($0)", header: $1.map { Array($0) }) }
            let answer = try await service.rewrap(LiveService.token(for: objects, signedBy: key))
            #expect(answer.status == 200)
            let response = try RewrapResponse(json: Array(JSONValue.object(answer.body).text.utf8))
            let permitted = response.entries.flatMap(\.results).map { result in
                if case .permit(let wrapped) = result.outcome { wrapped.count } else { 0 }
            }
            #expect(permitted == [0, 0, 0, 0, 60])
        }
    }

    @Test("Too many files, too large bodies, too many requests")
    func limits() async throws {
        var limits = KeyAccessLimits()
        limits.objects = 3
        limits.bodySize = 8000
        limits.objectsByCaller = RateLimit(burst: 4, perMinute: 0)
        try await LiveService.run(limits: limits) { service in
            let object = RewrapRequest.Object(id: "kao", header: try service.seal().header.bytes)
            func ask(_ count: Int) async throws -> Int {
                let objects = [RewrapRequest.Object](repeating: object, count: count)
                return try await service.rewrap(LiveService.token(for: objects, signedBy: key)).status
            }
            #expect(try await ask(4) == 429)
            #expect(try await ask(3) == 200)
            #expect(try await ask(2) == 429)
            let large = [UInt8](repeating: 0x20, count: 9000)
            #expect(try await service.post("/kas/v2/rewrap", large).status == 413)
        }
    }

    @Test("Requests by one address are limited")
    func addressLimit() async throws {
        var limits = KeyAccessLimits()
        limits.requests = RateLimit(burst: 2, perMinute: 0)
        try await LiveService.run(limits: limits) { service in
            for status in [200, 200, 429] {
                let answer = try await service.post("/kas.AccessService/PublicKey", Array("{}".utf8))
                #expect(answer.status == status)
            }
        }
    }

    @Test("Unknown paths, methods and forms")
    func routes() async throws {
        try await LiveService.run { service in
            let json: HTTPFields = ["content-type": "application/json"]
            for (path, body, headers, status) in [
                ("/", "{}", json, 404), ("/healthz", "{}", json, 404), ("/kas.AccessService/Info", "{}", json, 404),
                ("/kas.AccessService/PublicKey", "x", json, 400), ("/kas.AccessService/PublicKey", "[]", json, 400),
                ("/kas.AccessService/PublicKey", #"{"algorithm":"rsa:2048"}"#, json, 404),
                ("/kas.AccessService/PublicKey", "", ["content-type": "text/plain"], 501),
                ("/kas.AccessService/PublicKey", "", ["content-encoding": "gzip"], 400),
                ("/kas.AccessService/PublicKey", "", ["content-encoding": "br"], 501),
                ("/kas.AccessService/PublicKey", "\u{ff}", ["content-type": "application/proto"], 400),
                ("/kas.AccessService/Rewrap", "{}", json, 400),
                ("/kas/v2/rewrap", #"{"signedRequestToken":7}"#, json, 400),
            ] as [(path: String, body: String, headers: HTTPFields, status: Int)] {
                let answer = try await service.post(path, Array(body.utf8), headers: headers)
                #expect(answer.status == status, "\(path) \(body)")
            }
        }
    }

    @Test("Compressed bodies are read, and do not grow beyond the limit")
    func compressed() async throws {
        try await LiveService.run { service in
            func ask(_ digits: String) async throws -> (status: Int, body: JSONObject) {
                let values = digits.compactMap(\.hexDigitValue)
                let body = stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
                let headers: HTTPFields = ["content-type": "application/json", "content-encoding": "gzip"]
                return try await service.post("/kas.AccessService/PublicKey", body, headers: headers)
            }
            // {"algorithm":"ec:secp384r1"}, and ten thousand blanks.
            let question = try await ask(
                "1f8b0800000000000203ab564acc49cf2fca2cc9c855b2524a4db62a4e4d2e30b630293254aa0500" + "8ea9e4e61c000000")
            #expect(question.body["kid"] == "key-secp384r1")
            let blanks = try await ask(
                "1f8b0800000000000203edc1010d000000c2a02aef9fd21c6e40010000000000000000c0bf0154d6063710270000")
            #expect(blanks.status == 429)
        }
    }

    @Test("Public endpoints: health, discovery, the key in both forms")
    func looking() async throws {
        try await LiveService.run { service in
            func get(_ path: String, _ query: [HTTPRequest.QueryItem] = []) async throws -> JSONObject? {
                let request = HTTPRequest(path: path, query: query)
                return try JSONValue(await HTTPClient().send(request, to: ServerURL(service.address)).body).object
            }
            #expect(try await get("/healthz")?["ok"] == true)
            let description = try await get("/.well-known/opentdf-configuration")?["kas"]?.object
            #expect(description?["uri"] == .string(service.address))
            #expect(description?["algorithms"] == ["ec:secp256r1", "ec:secp384r1", "ec:secp521r1"])
            #expect(description?["connect_rewrap_url"] == .string(service.address + "/kas.AccessService/Rewrap"))
            let legacy = try await get("/kas/v2/kas_public_key", [.init("algorithm", "ec:secp384r1")])
            #expect(legacy?["kid"] == "key-secp384r1")
            var writer = ProtobufWriter()
            writer.write("ec:secp384r1", 1)
            let request = HTTPRequest(
                method: "POST", path: "/kas.AccessService/PublicKey", headers: ["content-type": "application/proto"],
                body: writer.bytes)
            let answer = try await HTTPClient().send(request, to: ServerURL(service.address))
            var reader = ProtobufReader(answer.body)
            #expect(try reader.next()?.string(atMost: 1000) == legacy?["publicKey"]?.string)
            #expect(try reader.next()?.string(atMost: 100) == "key-secp384r1")
        }
    }
}
