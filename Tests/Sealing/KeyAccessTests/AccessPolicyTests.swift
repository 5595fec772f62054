import Cryptography
import Testing
import Wire

@testable import KeyAccess

@Suite("Policies")
struct AccessPolicyTests {
    private static let attribute = "https://example.com/attr/class/value/secret"

    private func policy() throws -> AccessPolicy {
        let pem = try EllipticCurve.PrivateKey(.p256).publicKey.pem.replacing("\n", with: "\\n")
        return try AccessPolicy(
            file: Array(
                """
                {"callers": {"anna": {"attributes": ["https://EXAMPLE.com/attr/class/value/secret"], "keys": ["\(pem)"]},
                             "ben": {"tokens": ["sha256:\(String(repeating: "0a", count: 32))"]}},
                 "issuers": [{"key": "\(pem)", "issuer": "https://id.example.com", "audience": "kas"}],
                 "refusesDigestBindings": true}
                """.utf8))
    }

    @Test("A policy file is read")
    func read() throws {
        let policy = try policy()
        #expect(policy.callers.keys.sorted() == ["anna", "ben"])
        #expect(policy.callers["anna"]?.attributes == [Self.attribute])
        #expect(policy.tokens == [[UInt8](repeating: 10, count: 32): "ben"])
        #expect(policy.issuers.map(\.audience) == ["kas"])
        #expect(policy.refusesDigestBindings)
        #expect(!policy.admitsAnybody)
        #expect(AccessPolicy.loopback.admitsAnybody)
    }

    @Test(
        "A policy file with anything wrong in it is refused",
        arguments: [
            "", "[]", "{", #"{"caller":{}}"#, #"{"callers":[]}"#, #"{"callers":{"anna":[]}}"#, #"{"callers":{"":{}}}"#,
            #"{"callers":{"anna":{},"anna":{}}}"#, #"{"callers":{},"callers":{}}"#,
            #"{"callers":{"anna":{"attribute":[]}}}"#, #"{"callers":{"anna":{"attributes":"x"}}}"#,
            #"{"callers":{"anna":{"attributes":[1]}}}"#, #"{"callers":{"anna":{"tokens":["secret"]}}}"#,
            #"{"callers":{"anna":{"tokens":["sha256:00"]}}}"#, #"{"callers":{"anna":{"keys":["none"]}}}"#,
            #"{"issuers":[{}]}"#, #"{"issuers":[{"key":"x"}]}"#, #"{"issuers":{}}"#, #"{"refusesDigestBindings":1}"#,
        ])
    func refused(text: String) {
        let error = #expect(throws: KeyAccessError.self) { try AccessPolicy(file: Array(text.utf8)) }
        #expect(error?.code == .invalidConfiguration)
    }

    @Test("Two callers cannot have one token")
    func sharedToken() {
        let token = "sha256:" + String(repeating: "0", count: 64)
        let text = #"{"callers":{"anna":{"tokens":["\#(token)"]},"ben":{"tokens":["\#(token)"]}}}"#
        #expect(throws: KeyAccessError.self) { try AccessPolicy(file: Array(text.utf8)) }
    }

    @Test(
        "A reader needs all attributes, and must be named if readers are named",
        arguments: [
            ("[]", "[]", "ben", true), ("null", "null", "ben", true),
            (
                #"[{"attribute":"\#(attribute)","displayName":null,"isDefault":false,"pubKey":"","kasUrl":null}]"#,
                "[]",
                "anna", true
            ),
            (#"[{"attribute":"\#(attribute)"}]"#, "[]", "anna", true),
            (#"[{"attribute":"HTTPS://example.com/attr/class/value/SECRET"}]"#, "[]", "anna", true),
            (#"[{"attribute":"\#(attribute)"}]"#, "[]", "ben", false),
            (#"[{"attribute":"\#(attribute)"},{"attribute":"https://example.com/other"}]"#, "[]", "anna", false),
            ("[]", #"["ben"]"#, "ben", true), ("[]", #"["anna"]"#, "ben", false),
            (#"[{"attribute":"\#(attribute)"}]"#, #"["ben"]"#, "ben", false),
        ])
    func decisions(attributes: String, readers: String, caller: String, isPermitted: Bool) throws {
        let policy = try policy()
        let text = #"{"uuid":"1","body":{"dataAttributes":\#(attributes),"dissem":\#(readers)}}"#
        let demanded = try DataPolicy(Array(text.utf8))
        let who = try #require(policy.callers[caller])
        if isPermitted {
            try policy.check(who, against: demanded)
        } else {
            let error = #expect(throws: KeyAccessError.self) { try policy.check(who, against: demanded) }
            #expect(error?.code == .permissionDenied)
        }
    }

    @Test("A policy file with one key of two callers is refused, in whatever form the key is written")
    func sharedKey() throws {
        let key = try EllipticCurve.PrivateKey(.p256).publicKey
        let pem = JSONValue.string(try key.pem)
        func file(_ second: JSONValue) -> [UInt8] {
            let callers: JSONValue = ["anna": ["keys": [pem]], "ben": ["keys": [second]]]
            return Array(JSONValue.object(["callers": callers]).text.utf8)
        }
        // The same key again with other line ends.
        for same in [pem, .string(try key.pem.replacing("\n", with: "\r\n"))] {
            let error = #expect(throws: KeyAccessError.self) { try AccessPolicy(file: file(same)) }
            #expect(error?.code == .invalidConfiguration)
        }
        let other = try EllipticCurve.PrivateKey(.p256).publicKey.pem
        #expect(try AccessPolicy(file: file(.string(other))).callers.count == 2)
    }

    @Test(
        "A policy that is not understood cannot be enforced, so it is refused",
        arguments: [
            " ", "x", "{}", #"{"body":[]}"#, #"{"body":{"dataAttributes":{}}}"#, #"{"body":{"dataAttributes":["x"]}}"#,
            #"{"body":{"dataAttributes":[{"attribute":1}]}}"#, #"{"body":{"dissem":[1]}}"#,
            #"{"body":{"dissem":"anna"}}"#, #"{"body":{}}"#, #"{"body":{"dataAttributes":[]}}"#,
            #"{"body":{"dissem":["anna"]}}"#, #"{"body":{"DataAttributes":[],"dissem":[]}}"#,
            #"{"body":{"dataattributes":[{"attribute":"x"}],"dataAttributes":[],"dissem":[]}}"#,
            #"{"body":{"dataAttributes":["https://example.com/attr/a/value/b"],"dissem":[]}}"#,
            #"{"body":{"dataAttributes":[{"attribute":""}],"dissem":[]}}"#,
            #"{"body":{"dataAttributes":[{"attribute":"x","rule":"hierarchy"}],"dissem":[]}}"#,
            #"{"body":{"dataAttributes":[{"attribute":"x","attribute":"y"}],"dissem":[]}}"#,
            #"{"body":{"dataAttributes":[],"dissem":[],"obligations":["watermark"]}}"#,
            #"{"obligations":["watermark"],"body":{"dataAttributes":[],"dissem":[]}}"#,
            #"{"body":{"dataAttributes":[{"attribute":"x"}],"dissem":[]},"body":{"dataAttributes":[],"dissem":[]}}"#,
            #"{"body":{"dataAttributes":[{"attribute":"x"}],"dataAttributes":[],"dissem":[]}}"#,
            #"{"body":{"dataAttributes":[],"dissem":["anna"],"dissem":[]}}"#,
            #"{"uuid":1,"body":{"dataAttributes":[],"dissem":[]}}"#,
        ])
    func unclear(text: String) {
        let error = #expect(throws: KeyAccessError.self) { try DataPolicy(Array(text.utf8)) }
        #expect(error?.code == .permissionDenied)
    }

    @Test("Policies of SDKs are understood: null lists, and further members of attributes")
    func customary() throws {
        let attribute = #"{"attribute":"X","displayName":null,"isDefault":false,"pubKey":null,"kasURL":"https://k"}"#
        for (text, count) in [
            (#"{"uuid":"1","body":{"dataAttributes":null,"dissem":null}}"#, 0),
            (#"{"body":{"dataAttributes":[\#(attribute)],"dissem":[]}}"#, 1),
        ] {
            #expect(try DataPolicy(Array(text.utf8)).attributes.count == count)
        }
        #expect(try DataPolicy([]).attributes.isEmpty)
    }
}
