import Foundation
import Networking
import Peers
import Redis
import Testing
import Wire

@testable import Rendezvous

/// Many people sit at a node when Redis forgets who sits where.
@Suite(.timeLimit(.minutes(30)))
struct ManySeatsTests {
    /// All are seated anew, and who talked across nodes begins again. `ALCOVE_SEATS` says how many sockets; with more
    /// than half as many as a process may open files, the test has to run as root.
    @Test func everybodyIsSeatedAnew() async throws {
        let count = Nodes.amount("ALCOVE_SEATS", usually: 400)
        try #require(Self.mayOpen(2 * count + 1000), "too few files may be open here")
        try await Nodes.run(2) { nodes in
            let rooms = try Self.makeRooms(count, nodes.redis)
            var annas: [TestSocket] = []
            for room in rooms { annas.append(try await nodes.join(0, room, "anna")) }
            // Some of them talk with somebody at the other node.
            var berts: [(bert: TestSocket, anna: TestSocket)] = []
            for index in stride(from: 0, to: count, by: max(1, count / 20)) {
                let bert = try await nodes.join(1, rooms[index], "bert")
                #expect(await bert.next("room_ready") != nil)
                #expect(await annas[index].next("room_ready") != nil)
                berts.append((bert, annas[index]))
            }
            let forget = "for _, key in ipairs(redis.call('KEYS', 'alcove:seats:*')) do redis.call('DEL', key) end"
            try nodes.redis.command(["EVAL", forget, "0"])
            try nodes.redis.command(["CLIENT", "KILL", "TYPE", "pubsub"])
            let seats = "return #redis.call('KEYS', 'alcove:seats:*')"
            while try nodes.redis.number(["EVAL", seats, "0"]) < count { try await Task.sleep(for: .milliseconds(50)) }
            for (bert, anna) in berts {
                #expect(await bert.next("peer_disconnected") != nil)
                #expect(await anna.next("peer_disconnected") != nil)
                #expect(await bert.next("room_ready") != nil)
                #expect(await anna.next("room_ready") != nil)
            }
            try await nodes.areConnected()
        }
    }

    private static func makeRooms(_ count: Int, _ redis: RedisServer) throws -> [String] {
        let store = RedisRoomStore(
            RedisClient(try RedisAddress(redis.url), timeout: .seconds(60)), namespace: "alcove:",
            idleLifetime: RendezvousLimits().idleRoomLifetime.milliseconds)
        return try (0..<count).map { number in
            let (code, room) = ("\(100_000 + number)", RendezvousEnvironment.system.roomID())
            let (anna, bert) = (Party(device: "anna", ticket: nil), Party(device: "bert", ticket: nil))
            _ = try store.create(Creation(code: code, creator: anna, expiresAt: 600_000, limit: .max), now: 0)
            _ = try store.accept(
                Acceptance(code: code, guest: bert, room: room, grace: 600_000, limit: .max), now: 0)
            return room
        }
    }

    /// Whether so many files may be open, or may from now on.
    private static func mayOpen(_ count: Int) -> Bool {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        if limit.rlim_cur >= UInt(count) { return true }
        limit.rlim_cur = UInt(count)
        limit.rlim_max = max(limit.rlim_max, UInt(count))
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    }
}

extension Nodes {
    fileprivate func join(_ node: Int, _ room: String, _ device: String) async throws -> TestSocket {
        let socket = try await self[node].socket()
        try socket.send(["type": "join_room", "roomId": .string(room), "deviceId": .string(device)])
        _ = try #require(await socket.next("room_joined"))
        return socket
    }
}

extension RedisServer {
    fileprivate func number(_ words: [String]) throws -> Int64 {
        let connection = try RedisConnection(RedisAddress(url), timeout: .seconds(60))
        return try connection.command(RedisCommand(words.map { Array($0.utf8) })).integer ?? 0
    }
}
