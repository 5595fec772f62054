import Cryptography
import Networking
import Testing

@testable import KeyAccess

@Suite("Host names of a service without authentication", .timeLimit(.minutes(5)))
struct OwnNameTests {
    private static func isAnswered(
        _ headers: HTTPFields, policy: AccessPolicy = .loopback, address: String? = nil
    ) throws -> Bool {
        let keys = try ServiceKeys([.init(id: "e1", privateKey: .init(.p256))])
        var configuration = KeyAccessConfiguration(keys: keys, policy: policy)
        configuration.address = address
        let handler = KeyAccessRequestHandler(configuration) { 0 }
        do throws(KeyAccessError) {
            try handler.checkOwnName(of: HTTPRequest(method: "POST", path: "/kas/v2/rewrap", headers: headers))
            return true
        } catch {
            #expect(error.code == .permissionDenied)
            return false
        }
    }

    @Test(
        "It answers under its own names",
        arguments: ["127.0.0.1", "127.0.0.1:8081", "localhost:8081", "LOCALHOST", "127.8.9.1:1", "[::1]:8081"])
    func ownNames(host: String) throws {
        #expect(try Self.isAnswered(["host": host]))
        #expect(try Self.isAnswered(["host": host, "origin": "http://" + host]))
    }

    @Test(
        "It refuses other names, which may belong to pages that lead here",
        arguments: [
            "evil.example", "evil.example:8081", "127.0.0.1.evil.example", "localhost.evil.example",
            "user@127.0.0.1", "127.0.0.1/evil.example", "10.0.0.1:8081", "2130706433", "0.0.0.0:8081", "",
        ])
    func foreignNames(host: String) throws {
        #expect(try !Self.isAnswered(["host": host]))
        #expect(try !Self.isAnswered(["host": "127.0.0.1", "origin": "https://" + host]))
    }

    @Test("It refuses requests without a name, or with two")
    func otherCounts() throws {
        #expect(try !Self.isAnswered([:]))
        var both: HTTPFields = ["host": "127.0.0.1"]
        both.append("host", "evil.example")
        #expect(try !Self.isAnswered(both))
        #expect(try !Self.isAnswered(["host": "127.0.0.1", "origin": "null"]))
    }

    @Test("Its configured name is its own; with authentication any name is accepted")
    func otherNames() throws {
        let address = "https://kas.example.com/base"
        #expect(try Self.isAnswered(["host": "kas.example.com"], address: address))
        #expect(try !Self.isAnswered(["host": "other.example.com"], address: address))
        let known = try AccessPolicy(file: Array(#"{"callers":{"anna":{}}}"#.utf8))
        #expect(try Self.isAnswered(["host": "kas.example.com"], policy: known))
    }

    @Test("A page in a browser gets nothing, at any path")
    func pages() async throws {
        try await LiveService.run { service in
            for path in ["/kas.AccessService/PublicKey", "/kas.AccessService/Rewrap", "/kas/v2/rewrap"] {
                let page: HTTPFields = ["content-type": "application/json", "origin": "https://evil.example"]
                let answer = try await service.post(path, Array("{}".utf8), headers: page)
                #expect(answer.status == 403)
            }
        }
    }
}
