import Foundation
import Peers
import Testing

@testable import Rendezvous

/// Where the clients of a test are connected: whatever it is, they must not notice.
enum Arrangement: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case sqlite = "SQLite"
    case oneNode = "one node over Redis"
    case twoNodes = "two nodes"
    case threeNodes = "three nodes"

    var testDescription: String { rawValue }

    /// Nodes that share a Redis.
    static let shared: [Arrangement] = [.oneNode, .twoNodes, .threeNodes]

    private var nodes: Int {
        switch self {
        case .sqlite: 0
        case .oneNode: 1
        case .twoNodes: 2
        case .threeNodes: 3
        }
    }

    /// One for all tests, each of which has a namespace of its own.
    private static let redis = Task { try await RedisServer() }

    func run(
        limits: RendezvousLimits = .unlimited, configure: (inout RendezvousConfiguration) -> Void = { _ in },
        _ body: ([LiveServer]) async throws -> Void
    ) async throws {
        guard self != .sqlite else {
            return try await LiveServer.run(limits: limits, configure: configure) { try await body([$0]) }
        }
        let redis = try await Self.redis.value
        var store = try SharedStore(redis.url, secret: "a secret of all the nodes of this test")
        store.namespace = "test-\(UUID().uuidString):"
        store.timing = Nodes.patient
        var servers: [LiveServer] = []
        for _ in 0..<nodes { servers.append(try await LiveServer(.redis(store), limits: limits, configure: configure)) }
        var failure: (any Error)?
        do {
            try await Nodes(servers, redis).areConnected()
            try await body(servers)
        } catch {
            failure = error
        }
        for server in servers { await server.server.stop() }
        if let failure { throw failure }
    }

    func run(_ transcript: Transcript) async throws { try await run { try await transcript.run(on: $0) } }
}
