import DataChannels
import Testing

@testable import Rooms

/// What the server says about itself: that it stops, and which STUN and TURN servers to use.
struct ServerChangeTests {
    @Test func `clients of a server that stops come back within a second, and not all at once`() {
        var waits: Set<Duration> = []
        for seed in UInt64(0)..<50 {
            var machine = joined(seed: seed)
            let commands = machine.handle(.socketMoved)
            for case .set(.retry, let wait) in commands { waits.insert(wait) }
        }
        #expect(waits.count > 40)
        #expect(waits.allSatisfy { $0 >= .milliseconds(100) && $0 <= .seconds(1) })
    }

    @Test func `a server that says so to everybody who comes is tried ever more seldom`() {
        var machine = LinkMachine(
            identity: .init(room: "r", device: "d", ticket: "t", role: .initiator), seed: 1)
        _ = machine.handle(.start)
        var last = Duration.zero
        for _ in 0..<6 {
            _ = machine.handle(.socketOpened)
            for case .set(.retry, let wait) in machine.handle(.socketMoved) { last = wait }
            _ = machine.handle(.timer(.retry))
        }
        #expect(last >= .seconds(8))
    }

    @Test func `credentials are asked for anew when half of their life has passed`() {
        var machine = joined(seed: 1)
        let offered = OfferedICEServers(
            [ICEServer(urls: ["turn:a"], username: "u", credential: "c")], lifetime: .seconds(600))
        #expect(
            machine.handle(.notice(.iceServers(offered))) == [.offered(offered), .set(.credentials, .seconds(300))])
        #expect(machine.handle(.timer(.credentials)) == [.send(.iceServers)])
        #expect(machine.handle(.socketClosed).contains(.cancel(.credentials)))
        #expect(machine.handle(.timer(.credentials)).isEmpty)
        let lasting = OfferedICEServers([ICEServer(urls: ["stun:a"])], lifetime: nil)
        #expect(machine.handle(.notice(.iceServers(lasting))) == [.offered(lasting), .cancel(.credentials)])
    }

    @Test func `of what a server offers only that is taken which can be used`() throws {
        let text = """
            {"type":"ice_servers","expiresInSeconds":1e300,"iceServers":[
             {"urls":["stun:a","turns:b","turn:no-password","http://c","stun:"]},
             {"urls":["turn:d:1?transport=tcp"],"username":"u","credential":"c"},
             {"urls":["turns:e"],"username":"u","credential":"c"},
             {"urls":["turn:f"],"username":"\(String(repeating: "u", count: 600))","credential":"c"}]}
            """
        guard case .iceServers(let offered) = try SignalingNotice(text: text) else {
            Issue.record("not read")
            return
        }
        #expect(offered.servers.map(\.urls) == [["stun:a"], ["turn:d:1?transport=tcp"]])
        #expect(offered.lifetime == OfferedICEServers.lifetimes.upperBound)
        let many = OfferedICEServers(
            (0..<100).map { ICEServer(urls: (0..<100).map { "stun:h\($0)" } + ["stun:\($0)"]) }, lifetime: .zero)
        #expect(many.servers.count == 8 && many.servers[0].urls.count == 8)
        #expect(many.lifetime == .seconds(60))
    }

    @Test(arguments: [
        #"{"type":"ice_servers"}"#, #"{"type":"ice_servers","iceServers":"stun:a"}"#,
        #"{"type":"ice_servers","iceServers":[{"urls":"stun:a"}]}"#, #"{"type":"ice_servers","iceServers":[7]}"#,
        #"{"type":"ice_servers","iceServers":[],"expiresInSeconds":"soon"}"#,
    ])
    func `an offer of another form is none`(text: String) {
        #expect(throws: (any Error).self) { try SignalingNotice(text: text) }
    }

    private func joined(seed: UInt64) -> LinkMachine {
        var machine = LinkMachine(
            identity: .init(room: "r", device: "d", ticket: "t", role: .initiator), seed: seed)
        _ = machine.handle(.start)
        _ = machine.handle(.socketOpened)
        _ = machine.handle(.notice(.roomJoined(room: "r")))
        return machine
    }
}
