import Foundation
import Platform
import Testing

/// A circle across processes: trust that outlives the room's code, and its end.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct CircleTests {
    @Test func `members find each other again without a code and get what waited`() async throws {
        let fixture = try await RoomFixture()
        let (ada, ben) = try await fixture.members()
        try await RoomFixture.quit(ada, ben)

        // Ada writes while Ben is away; it waits in her outbox.
        let early = try fixture.chat("ada", "Ben")
        early.type("for when you are back")
        try await early.expect("> for when you are back")
        early.signal(SIGKILL)
        try await early.exitCode()

        let (again, back) = (try fixture.chat("ada", "Ben"), try fixture.chat("ben", "Ada"))
        for process in [again, back] { try await process.expect("Connected, verified") }
        try await back.expect("< for when you are back")
        back.type("here I am")
        try await again.expect("< here I am")
        try await RoomFixture.quit(again, back)

        let list = try await RoomFixture.output(fixture.run("ada", "circle", "list", "--json"))
        #expect(list.text.contains("\"name\":\"Ben\""))
        var numbers: Set<String> = []
        for (name, peer) in [("ada", "Ben"), ("ben", "Ada")] {
            let trust = try await RoomFixture.output(fixture.run(name, "circle", "trust", peer))
            numbers.insert(trust.text.split(separator: "\n").dropFirst(2).first.map(String.init) ?? "")
        }
        #expect(numbers.count == 1)
        #expect(numbers.first?.filter(\.isNumber).count == 60)
    }

    @Test func `revoked trust ends the connection at once, on both sides, and old keys are never taken again`()
        async throws
    {
        let fixture = try await RoomFixture()
        let (ada, ben) = try await fixture.members()
        ada.type("one of a few messages")
        try await ben.expect("< one of a few messages")
        #expect(!RoomFixture.pools(fixture.folder + "/ada").isEmpty)
        #expect(!RoomFixture.pools(fixture.folder + "/ben").isEmpty)

        ada.type("/revoke")
        try await ada.expect("/revoke yes")
        ada.type("/revoke yes")
        for process in [ada, ben] {
            try await process.expect("revoked")
            #expect(try await process.exitCode() == 69)
        }
        for name in ["ada", "ben"] { #expect(RoomFixture.pools(fixture.folder + "/" + name).isEmpty) }
        for (name, peer) in [("ada", "Ben"), ("ben", "Ada")] {
            #expect(try await RoomFixture.output(fixture.run(name, "circle", "list", "--json")).text == "[]")
            #expect(try await RoomFixture.output(fixture.run(name, "circle", "tombstones")).text.contains(peer))
            let stones = try await RoomFixture.output(fixture.run(name, "circle", "tombstones", "--json")).text
            #expect(stones.contains(/"revoked_at":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/))
            let attempt = try await RoomFixture.output(fixture.chat(name, peer))
            #expect(attempt.code == 69)
            #expect(attempt.text.contains("revoked"))
        }

        // New trust takes a new verified meeting, and works.
        let (again, back) = try await fixture.members()
        again.type("as good as new")
        try await back.expect("< as good as new")
        try await RoomFixture.quit(again, back)
    }

    @Test func `two commands take each other into the circle, and two renew the keys`() async throws {
        let fixture = try await RoomFixture()
        let (ada, ben, code) = try await fixture.pair()
        try await RoomFixture.quit(ada, ben)
        let digits = String(code.prefix(6))
        let adding = try [("ada", "Ben"), ("ben", "Ada")].map { name, peer in
            try AlcoveProcess(["circle", "add", digits, "--name", peer] + fixture.options(name))
        }
        for process in adding { #expect(try await process.exitCode() == 0) }
        let there = try fixture.chat("ben", "Ada")
        let renewing = try AlcoveProcess(["circle", "renew", "Ben"] + fixture.options("ada"))
        try await renewing.expect("fresh keys to write with")
        #expect(try await renewing.exitCode() == 0)
        try await RoomFixture.quit(there)
        let list = try await RoomFixture.output(fixture.run("ada", "circle", "list", "--json")).text
        #expect(list.contains("\"epoch\":2"))
        // With the room of somebody of the circle the trust ends, and that has to be meant.
        let refused = try await RoomFixture.output(fixture.run("ada", "room", "delete", "Ben"))
        #expect(refused.code == 64 && refused.text.contains("--yes"), "\(refused.text)")
        let deleted = try await RoomFixture.output(fixture.run("ada", "room", "delete", "Ben", "--yes"))
        #expect(deleted.code == 0 && deleted.text.contains("Ben is deleted, and the trust"), "\(deleted.text)")
        #expect(RoomFixture.pools(fixture.folder + "/ada").isEmpty)
    }

    @Test func `the command that revokes trust tells whoever is there`() async throws {
        let fixture = try await RoomFixture()
        let (ada, ben) = try await fixture.members()
        try await RoomFixture.quit(ada)
        let revoking = try AlcoveProcess(["circle", "revoke", "Ben", "--yes", "--wait", "2m"] + fixture.options("ada"))
        try await revoking.expect("they were told")
        #expect(try await revoking.exitCode() == 0)
        try await ben.expect("ended the trust")
        #expect(try await ben.exitCode() == 69)
        for name in ["ada", "ben"] { #expect(RoomFixture.pools(fixture.folder + "/" + name).isEmpty) }
    }
}
