import Peers
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)))
struct RelayTests {
    @Test(arguments: ["udp", "tcp"])
    func `two people who may use nothing but a TURN server talk through it`(transport: String) async throws {
        let relay = try TURNServer()
        try await relay.ready()
        let stage = try await Stage()
        let address =
            "turn:\(TURNServer.username):\(TURNServer.password)@127.0.0.1:\(relay.port)?transport=\(transport)"
        let options = ["--relay-only", "--ice-server", address]
        let ada = try stage.chat("ada", options + ["--create"])
        let ben = try stage.chat("ben", options + [try await Stage.code(from: ada)])
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
}
