import Peers
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)))
struct RelayTests {
    @Test(arguments: ["udp", "tcp"])
    func `two people who may use nothing but a TURN server talk through it`(transport: String) async throws {
        let relay = try TURNServer()
        try await relay.ready()
        let fixture = try await RoomFixture()
        let address =
            "turn:\(TURNServer.username):\(TURNServer.password)@127.0.0.1:\(relay.port)?transport=\(transport)"
        let options = ["--relay-only", "--ice-server", address]
        let ada = try fixture.chat("ada", options + ["--create"])
        let ben = try fixture.chat("ben", options + [try await RoomFixture.code(from: ada)])
        for process in [ada, ben] { try await process.expect("Connected, verified") }
        for process in [ada, ben] {
            process.type("/status")
            try await process.expect("Through a relay")
        }
        ada.type("through the relay")
        try await ben.expect("< through the relay")
        ben.type("and back")
        try await ada.expect("< and back")
        _ = relay
    }

    @Test func `a TURN server that does not answer, or takes the password not, is named`() async throws {
        let relay = try TURNServer()
        try await relay.ready()
        let fixture = try await RoomFixture()
        let nobody = "127.0.0.1:\(try LoopbackPort.free())"
        let there = "127.0.0.1:\(relay.port)"
        func options(_ place: String) -> [String] {
            ["--relay-only", "--ice-server", "turn:\(TURNServer.username):wrong@\(place)"]
        }
        let ada = try fixture.chat("ada", options(nobody) + ["--create"])
        let ben = try fixture.chat("ben", options(there) + [try await RoomFixture.code(from: ada)])
        try await ada.expect("turn:\(nobody) does not answer")
        try await ben.expect("turn:\(there) answers but gives none")
        for process in [ada, ben] { #expect(!process.lines.joined().contains("wrong")) }
        _ = relay
    }
}
