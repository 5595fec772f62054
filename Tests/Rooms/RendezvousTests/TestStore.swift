import Peers
import Redis
import Testing

@testable import Rendezvous

/// A store for one test, of each kind that there is. Time is what the test says.
final class TestStore {
    enum Kind: String, CaseIterable, Sendable {
        case sqlite
        case redis
    }

    let store: any RoomStore
    private var redis: RedisServer?

    init(_ kind: Kind) async throws {
        switch kind {
        case .sqlite: store = try SQLiteRoomStore()
        case .redis:
            let server = try await RedisServer()
            redis = server
            let lifetime = RendezvousLimits().idleRoomLifetime.milliseconds
            let client = RedisClient(try RedisAddress(server.url))
            store = RedisRoomStore(client, namespace: "test:", idleLifetime: lifetime, clock: .caller)
        }
    }

    func end() {
        redis?.kill()
        redis = nil
    }
}

extension RoomStore {
    func sweep(now: Timestamp, idleSince: Timestamp) throws -> Removed {
        try sweep(now: now, idleSince: idleSince, limit: 1000)
    }
}
