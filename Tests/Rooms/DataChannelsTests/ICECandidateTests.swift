import Testing

@testable import DataChannels

@Suite("ICE candidates and servers")
struct ICECandidateTests {
    static let lines = [
        "candidate:1467250027 1 udp 2122260223 192.168.0.196 46243 typ host generation 0 ufrag F7gI network-id 1",
        "candidate:1 1 UDP 1686052607 203.0.113.7 50000 typ srflx raddr 10.0.0.1 rport 5000",
        "candidate:2 1 udp 41885439 2001:db8::1 3478 typ relay raddr 0.0.0.0 rport 0",
        "candidate:3 1 tcp 1518280447 192.168.0.196 9 typ host tcptype active generation 0",
        "candidate:4 1 udp 2113937151 0b9a1b2c-1111-4a4a-9b9b-0123456789ab.local 54321 typ host",
        "a=candidate:5 2 udp 1 127.0.0.1 1 typ prflx",
    ]

    @Test("reads and writes lines", arguments: lines)
    func roundTrip(line: String) throws {
        let candidate = try ICECandidate(line: line)
        #expect(try ICECandidate(line: candidate.line) == candidate)
    }

    @Test("keeps what it reads")
    func fields() throws {
        let candidate = try ICECandidate(line: Self.lines[1], sdpMid: "0", sdpMLineIndex: 0)
        #expect(candidate.kind == .serverReflexive)
        #expect(candidate.relatedAddress == "10.0.0.1")
        #expect(candidate.relatedPort == 5000)
        #expect(candidate.priority == 1_686_052_607)
        #expect(try ICECandidate(line: Self.lines[0]).value(of: "ufrag") == "F7gI")
    }

    @Test(
        "malformed lines are refused",
        arguments: [
            "", "candidate:", "candidate:1 1 udp 1 1.1.1.1 1 typ", "candidate:1 1 udp 1 1.1.1.1 1 type host",
            "candidate:1 0 udp 1 1.1.1.1 1 typ host", "candidate:1 257 udp 1 1.1.1.1 1 typ host",
            "candidate:1 1 sctp 1 1.1.1.1 1 typ host", "candidate:1 1 udp 4294967296 1.1.1.1 1 typ host",
            "candidate:1 1 udp -1 1.1.1.1 1 typ host", "candidate:1 1 udp 1 1.1.1.1 65536 typ host",
            "candidate:1 1 udp 1 1.1.1.1 1 typ guest", "candidate:1 1 udp 1 1.1.1.1 1 typ host raddr",
            "candidate:1 1 udp 1 1.1.1.1 1 typ srflx raddr 1.1.1.1 rport x",
            "candidate:123456789012345678901234567890123 1 udp 1 1.1.1.1 1 typ host",
            "candidate:1 1 udp 1 1.1.1.1 1 typ host\nx", "candidate:1 1 udp 1 é 1 typ host",
            "candidate:1 1 udp 1 1.1.1.1 1 typ host x " + String(repeating: "y", count: 2000),
        ])
    func refused(line: String) {
        #expect(throws: PeerConnectionError.self) { try ICECandidate(line: line) }
    }

    @Test("server addresses are read")
    func servers() throws {
        let turn = try ICEServerAddress(url: "turn:relay.example:5349?transport=tcp")
        #expect((turn.kind, turn.host, turn.port) == (.turnTCP, "relay.example", 5349))
        let stun = try ICEServerAddress(url: "stun:[2001:db8::1]")
        #expect((stun.kind, stun.host, stun.port) == (.stun, "2001:db8::1", 3478))
    }

    @Test(
        "server addresses that cannot be used are refused",
        arguments: [
            "", "stun", "stun:", "http://x", "turns:x", "turn:x?transport=sctp", "turn:x:0", "turn:x:70000",
            "stun:[::1",
            "stun:a:b:c", "turn:x?y=z",
        ])
    func badServers(url: String) {
        #expect(throws: PeerConnectionError.self) { try ICEServerAddress(url: url) }
    }

    @Test("a configuration that cannot work is refused at once")
    func configuration() throws {
        var configuration = try PeerConnectionConfiguration()
        configuration.iceTransportPolicy = .relay
        #expect(throws: PeerConnectionError.self) { try PeerConnection(configuration: configuration) }
        configuration.iceServers = [ICEServer(urls: ["turn:127.0.0.1"])]
        #expect(throws: PeerConnectionError.self) { try PeerConnection(configuration: configuration) }
        configuration.iceTransportPolicy = .all
        configuration.iceServers = []
        configuration.maxMessageSize = 1 << 30
        #expect(throws: PeerConnectionError.self) { try PeerConnection(configuration: configuration) }
    }

    @Test("credentials stay out of descriptions")
    func secrets() {
        let server = ICEServer(urls: ["turn:x"], username: "anna", credential: "hunter2")
        #expect(!"\(server)".contains("hunter2"))
    }
}
