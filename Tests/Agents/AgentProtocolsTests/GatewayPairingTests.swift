import AgentProtocols
import Testing

/// Addresses and messages with which a device is let in.
@Suite struct GatewayPairingTests {
    private static let hash = String(repeating: "0a", count: 32)

    @Test(
        arguments: [
            ("jcode://pair?host=box&port=7643&code=123456", "box", 7643, nil),
            ("jcode://pair?code=123456&host=10.0.0.1", "10.0.0.1", 7643, nil),
            ("JCODE://pair?host=fd00::1&port=1&code=123456&new=1", "fd00::1", 1, nil),
            ("jcode://pair?host=[fd00::1]&port=1&code=123456", "fd00::1", 1, nil),
            ("jcode://pair?host=box%2Elan&port=65535&code=123456&fp=\(hash.uppercased())", "box.lan", 65535, hash),
        ] as [(String, String, Int, String?)])
    func `an address is read`(text: String, host: String, port: Int, fingerprint: String?) throws {
        let read = try GatewayInvitation(text)
        #expect(read.host == host && read.port == port && read.code.digits == "123456")
        #expect(read.fingerprint?.text == fingerprint)
        #expect(try GatewayInvitation(read.text) == read)
    }

    @Test(
        arguments: [
            "", "https://pair?host=a&code=123456", "jcode://pair?host=a", "jcode://pair?code=123456",
            "jcode://pair?host=a&code=12345", "jcode://pair?host=a&code=12345a", "jcode://pair?host=a&code=１２３４５６",
            "jcode://pair?host=a&port=0&code=123456", "jcode://pair?host=a&port=65536&code=123456",
            "jcode://pair?host=a/b&code=123456", "jcode://pair?host=u@a&code=123456", "jcode://pair?host=&code=123456",
            "jcode://pair?host=a&host=b&code=123456", "jcode://pair?host=a&code=123456&fp=abcd",
            "jcode://pair?host=a&code=123456&fp=", "jcode://pair?host=a&code", "jcode://pair?host=a%0d&code=123456",
            "jcode://pair?host=\(String(repeating: "a", count: 2000))&code=123456",
        ])
    func `what is no address, or could mean something else, is refused`(text: String) {
        #expect(throws: AgentProtocolError.self) { try GatewayInvitation(text) }
    }

    @Test(
        arguments: [
            ("box", "123456", "box", 7643), ("10.0.0.1:80", "123456", "10.0.0.1", 80),
            ("fd00::1", "123456", "fd00::1", 7643),
            ("[fd00::1]", "123456", "fd00::1", 7643), ("[fd00::1]:80", "123456", "fd00::1", 80),
            ("jcode://pair?host=box&code=654321", "123456", "box", 7643),
            ("jcode://pair?host=box&code=654321", nil, "box", 7643),
        ] as [(String, String?, String, Int)])
    func `what a person writes is an address, or a machine with the code beside it`(
        text: String, code: String?, host: String, port: Int
    ) throws {
        let read = try GatewayInvitation(written: text, code: code)
        #expect(read.host == host && read.port == port && read.fingerprint == nil)
        #expect(read.code.digits == (text.contains("654321") ? "654321" : "123456"))
    }

    @Test(
        arguments: [
            ("box", nil), ("box", "12345"), ("", "123456"), ("box:", "123456"), (":80", "123456"), ("box:0", "123456"),
            ("box:65536", "123456"), ("box:+1:2", "123456"), ("[fd00::1", "123456"), ("a b", "123456"),
            ("https://box", "123456"), ("jcode://pair?host=box", "123456"), ("box/pair", "123456"),
        ] as [(String, String?)])
    func `what names no machine, or has no code, is refused`(text: String, code: String?) {
        #expect(throws: AgentProtocolError.self) { try GatewayInvitation(written: text, code: code) }
    }

    @Test func `a fingerprint is 32 bytes, with or without colons`() throws {
        let colons = (0..<32).map { _ in "0A" }.joined(separator: ":")
        let fingerprint = try #require(GatewayFingerprint(colons))
        #expect(fingerprint.text == Self.hash && fingerprint.bytes == Array(repeating: 10, count: 32))
        #expect(GatewayFingerprint(bytes: fingerprint.bytes) == fingerprint)
        #expect(GatewayFingerprint(bytes: [1]) == nil && GatewayFingerprint(String(Self.hash.dropLast())) == nil)
    }

    @Test func `codes and tokens are printed nowhere`() throws {
        let code = try #require(GatewayCode("123456"))
        let token = try #require(GatewayToken(String(repeating: "AB", count: 32)))
        var dumped = ""
        dump((code, token), to: &dumped)
        #expect(
            !"\(code) \(token) \(dumped)".contains("123") && !"\(code) \(token) \(dumped)".lowercased().contains("abab")
        )
        #expect(token.text == String(repeating: "ab", count: 32))
        #expect(GatewayToken("ab") == nil && GatewayToken(String(repeating: "zz", count: 32)) == nil)
    }

    @Test func `the messages of pairing come out as they went in`() throws {
        let code = try #require(GatewayCode("000001"))
        let asked = GatewayPairRequest(code: code, deviceID: "d", deviceName: "A phone")
        #expect(
            String(decoding: asked.body, as: UTF8.self) == #"{"code":"000001","device_id":"d","device_name":"A phone"}"#
        )
        #expect(try GatewayPairRequest(asked.body) == asked)
        #expect(throws: AgentProtocolError.self) { try GatewayPairRequest(#"{"code":"1","device_id":"d"}"#.utf8) }
        #expect(throws: AgentProtocolError.self) {
            try GatewayPairRequest(#"{"code":"1","device_id":"","device_name":"n"}"#.utf8)
        }
        let token = try #require(GatewayToken(String(repeating: "ab", count: 32)))
        let answer = GatewayPairAnswer(token: token, serverName: "jcode", serverVersion: "1")
        #expect(try GatewayPairAnswer(answer.body) == answer)
        #expect(throws: AgentProtocolError.self) { try GatewayPairAnswer(#"{"token":"short"}"#.utf8) }
    }
}
