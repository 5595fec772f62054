import Peers
import Testing

/// A rendezvous server of the protocol's first days, which knows neither tickets nor watches and relays nothing but
/// descriptions and candidates.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct OldServerTests {
    @Test func `two people meet, talk and find each other again, and are told what is missing`() async throws {
        let server = OldServer()
        let url = try await server.start()
        let fixture = try await RoomFixture()
        let ada = try fixture.chat("ada", ["--server", url, "--create"])
        let code = try await RoomFixture.code(from: ada)
        let ben = try fixture.chat("ben", ["--server", url, code])
        for process in [ada, ben] {
            try await process.expect("This server is older than tickets")
            try await process.expect("Connected, verified")
        }
        ada.type("hello")
        try await ben.expect("< hello")
        ada.type("/trust Ben")
        try await ben.expect("/trust")
        ben.type("/trust Ada")
        for process in [ada, ben] { try await process.expect("in each other's circle now") }
        try await RoomFixture.quit(ada, ben)
        let (again, back) = (
            try fixture.chat("ada", ["--server", url, "Ben"]), try fixture.chat("ben", ["--server", url, "Ada"])
        )
        for process in [again, back] { try await process.expect("Connected, verified") }
        try await RoomFixture.quit(again, back)
        await server.stop()
    }
}
