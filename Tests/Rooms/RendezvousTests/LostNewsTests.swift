import Networking
import Peers
import Redis
import Testing
import Wire

@testable import Rendezvous

/// Nodes that Redis refuses for a while to tell each other something, or to ask. What was missed is made good
/// afterwards, also by nodes that noticed nothing.
@Suite(.timeLimit(.minutes(10)))
struct LostNewsTests {
    /// Two nodes, which Redis knows by different names.
    private func run(_ body: (Nodes) async throws -> Void) async throws {
        let redis = try await RedisServer()
        var servers: [LiveServer] = []
        for user in ["first", "second"] {
            try redis.command(["ACL", "SETUSER", user, "on", ">word", "~*", "&*", "+@all"])
            var store = try SharedStore(
                "redis://\(user):word@127.0.0.1:\(redis.port)", secret: "a secret of all the nodes of this test")
            store.timing = Nodes.patient
            servers.append(try await LiveServer(.redis(store)))
        }
        let nodes = Nodes(servers, redis)
        var failure: (any Error)?
        do {
            try await nodes.areConnected()
            try await body(nodes)
        } catch {
            failure = error
        }
        for server in servers { await server.server.stop() }
        redis.kill()
        if let failure { throw failure }
    }

    private func watch(_ nodes: Nodes) async throws -> TestSocket {
        let created = try await nodes[0].post(
            "/api/rooms", ["joinid": Nodes.code, "client1": "anna", "expiresInSeconds": 300, "ticket": true])
        let anna = try await nodes[0].socket()
        try anna.send([
            "type": "watch", "joinid": Nodes.code, "deviceId": "anna", "ticket": created["ticket"] ?? .null,
        ])
        #expect(await anna.next("watching") != nil)
        return anna
    }

    @Test func newsThatCouldNotBeToldAreToldLater() async throws {
        try await run { nodes in
            let anna = try await watch(nodes)
            try nodes.redis.command(["ACL", "SETUSER", "second", "-publish"])
            let accepted = try await nodes[1].post("/api/rooms/accept", ["joinid": Nodes.code, "client2": "bert"])
            #expect(accepted.status == 200)
            while try await nodes[1].send("GET", "/ready").status == 200 {
                try await Task.sleep(for: .milliseconds(20))
            }
            try nodes.redis.command(["ACL", "SETUSER", "second", "+publish"])
            #expect(await anna.next("room_accepted")?["roomId"] == accepted["roomid"])
        }
    }

    @Test func aStoreThatCannotBeAskedIsAskedAgain() async throws {
        try await run { nodes in
            let anna = try await watch(nodes)
            try nodes.redis.command(["ACL", "SETUSER", "first", "-evalsha"])
            // The first node begins anew, and cannot ask what it missed. Nobody tells it of this guest.
            try nodes.redis.command(["CLIENT", "KILL", "TYPE", "pubsub"])
            let store = RedisRoomStore(
                RedisClient(try RedisAddress(nodes.redis.url), timeout: .seconds(60)), namespace: "alcove:",
                idleLifetime: RendezvousLimits().idleRoomLifetime.milliseconds)
            let guest = Acceptance(
                code: "482913", guest: Party(device: "bert", ticket: nil), room: "room", grace: 600_000, limit: 10)
            guard case .accepted = try store.accept(guest, now: 0) else {
                Issue.record("the guest was not let in")
                return
            }
            while try nodes.redis.refusals(of: "evalsha") == 0 { try await Task.sleep(for: .milliseconds(20)) }
            try nodes.redis.command(["ACL", "SETUSER", "first", "+evalsha"])
            #expect(await anna.next("room_accepted")?["roomId"] == "room")
        }
    }

    /// Who waits with a code that Redis has lost is told so, and does not wait until it would have expired.
    @Test func whoWaitsWithALostCodeIsTold() async throws {
        try await run { nodes in
            let anna = try await watch(nodes)
            try nodes.redis.command(["FLUSHALL"])
            #expect(await anna.next("watch_ended")?["reason"] == "expired")
        }
    }

    /// The room went, and the node that asked for it did not hear so.
    @Test func aRepeatedDeletionIsToldToWhoStillSitsThere() async throws {
        try await run { nodes in
            let (room, annas, berts) = try await nodes.meet()
            let anna = try await nodes.join(0, room, "anna", annas)
            let bert = try await nodes.join(1, room, "bert", berts)
            let store = RedisRoomStore(
                RedisClient(try RedisAddress(nodes.redis.url), timeout: .seconds(60)), namespace: "alcove:",
                idleLifetime: RendezvousLimits().idleRoomLifetime.milliseconds)
            #expect(try store.delete(room: room, Proof(device: "anna", ticket: annas)) != .forbidden)
            let request: JSONValue = ["roomid": .string(room), "deviceId": "anna", "ticket": .string(annas)]
            #expect(try await nodes[0].send("DELETE", "/api/rooms", request.text).status == 200)
            #expect(await anna.end()?.code == 4002)
            #expect(await bert.end()?.code == 4002)
        }
    }

    @Test func aSeatThatCouldNotBeLeftIsLeftLater() async throws {
        try await run { nodes in
            let (room, annas, berts) = try await nodes.meet()
            let anna = try await nodes.join(0, room, "anna", annas)
            let bert = try await nodes.join(1, room, "bert", berts)
            #expect(await anna.next("room_ready") != nil)
            #expect(await bert.next("room_ready") != nil)
            try nodes.redis.command(["ACL", "SETUSER", "second", "-evalsha"])
            try bert.send(["type": "leave_room"])
            #expect(await bert.next("left_room") != nil)
            while try nodes.redis.refusals(of: "evalsha") == 0 { try await Task.sleep(for: .milliseconds(20)) }
            try nodes.redis.command(["ACL", "SETUSER", "second", "+evalsha"])
            #expect(await anna.next()?["type"] == "peer_left")
        }
    }
}

extension RedisServer {
    /// How often a command was refused to a user.
    fileprivate func refusals(of command: String) throws -> Int {
        let connection = try RedisConnection(RedisAddress(url), timeout: .seconds(10))
        let text = try connection.command(RedisCommand("INFO", "commandstats")).text ?? ""
        let line = text.split(separator: "\r\n").first { $0.hasPrefix("cmdstat_\(command):") } ?? ""
        let part = line.split(separator: ",").first { $0.hasPrefix("rejected_calls=") } ?? ""
        return Int(part.dropFirst("rejected_calls=".count)) ?? 0
    }
}
