import Cryptography
import NanoTDF
import Networking
import Peers
import Synchronization
import Testing
import Wire

@testable import KeyAccess

/// The client and a service that breaks the protocol.
@Suite("Invalid answers", .timeLimit(.minutes(5)))
struct ClientTests {
    /// Answers every request with one response, and records the requests.
    private final class Impostor: HTTPServerHandler {
        let response: HTTPResponse
        let requests = Mutex<[HTTPRequest]>([])

        init(_ response: HTTPResponse) { self.response = response }

        func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
            requests.withLock { $0.append(request) }
            responder.respond(response)
        }
    }

    /// The client's result for an answer to a request for a file's key.
    private func error(for response: HTTPResponse) async throws -> KeyAccessError? {
        let impostor = Impostor(response)
        let server = HTTPServer(configuration: HTTPServerConfiguration(), handler: impostor)
        let port = try await server.start()
        let token = SecretBytes(copying: "letmein".utf8)
        let client = try KeyAccessClient("http://127.0.0.1:\(port)/kas", token: token)
        let header = try sealed()
        var failure: KeyAccessError?
        do throws(KeyAccessError) { _ = try await client.payloadKey(of: header) } catch { failure = error }
        await server.stop()
        let asked = impostor.requests.withLock { $0 }
        #expect(asked.map(\.path) == ["/kas.AccessService/Rewrap"])
        #expect(asked.first?.headers["authorization"] == "Bearer letmein")
        return failure
    }

    private func sealed() throws -> NanoTDF.Header {
        let kas = try ResourceLocator(url: "https://kas.example.com", identifier: "e1")
        let sealer = try NanoTDFSealer(kas: kas, policy: .plain([]))
        return try sealer.seal("text".utf8, to: EllipticCurve.PrivateKey(.p256).publicKey).header
    }

    private func answer(_ result: JSONValue, session: String? = nil) throws -> HTTPResponse {
        let pem = try EllipticCurve.PrivateKey(.p256).publicKey.pem
        return .json(200, ["sessionPublicKey": .string(session ?? pem), "responses": [["results": [result]]]])
    }

    @Test("Other bytes are reported as no answer", arguments: ["", "x", "[]", "{}", #"{"responses":[{}]}"#])
    func garbage(body: String) async throws {
        let error = try await error(for: HTTPResponse(status: 200, body: Array(body.utf8)))
        #expect(error?.code == .badAnswer)
    }

    @Test("A key that was wrapped for another client, or not at all, is refused")
    func wrongKeys() async throws {
        for wrapped in [60, 59, 0, 1000].map({ Base64.encode([UInt8](repeating: 7, count: $0)) }) + ["!"] {
            let result: JSONValue = [
                "keyAccessObjectId": "kao-0", "status": "permit", "kasWrappedKey": .string(wrapped),
            ]
            for session in [nil, "", "no key"] {
                #expect(try await error(for: answer(result, session: session))?.code == .badAnswer)
            }
        }
        let other: JSONValue = ["keyAccessObjectId": "kao-1", "status": "permit", "kasWrappedKey": ""]
        #expect(try await error(for: answer(other))?.code == .badAnswer)
    }

    @Test("Reasons are shown, short and without characters that move a cursor")
    func reasons() async throws {
        let reason = "no\u{1b}[2Jkey\u{202e}" + String(repeating: "x", count: 1000)
        let result: JSONValue = ["keyAccessObjectId": "kao-0", "status": "fail", "error": .string(reason)]
        let failure = try #require(try await error(for: answer(result)))
        #expect(failure.code == .permissionDenied)
        #expect(failure.message.hasPrefix("the service says: no\u{fffd}[2Jkey\u{fffd}xxx"))
        #expect(failure.message.unicodeScalars.count < 350)
    }

    @Test("Errors keep their code, and redirects are not followed")
    func statuses() async throws {
        let denied = HTTPResponse.failure(KeyAccessError(.unauthenticated, "who are you"))
        #expect(try await error(for: denied) == KeyAccessError(.unauthenticated, "the service says: who are you"))
        let elsewhere = HTTPResponse(status: 307, headers: ["location": "https://example.com"])
        #expect(try await error(for: elsewhere)?.code == .badAnswer)
        #expect(try await error(for: HTTPResponse(status: 500))?.code == .badAnswer)
        let large = HTTPResponse(status: 200, body: [UInt8](repeating: 0x20, count: 2_000_000))
        #expect(try await error(for: large)?.code == .badAnswer)
    }

    @Test("No service")
    func nobody() async throws {
        let client = try KeyAccessClient("http://127.0.0.1:\(LoopbackPort.free())")
        let error = await #expect(throws: KeyAccessError.self) { try await client.publicKey() }
        #expect(error?.code == .unavailable)
    }
}
