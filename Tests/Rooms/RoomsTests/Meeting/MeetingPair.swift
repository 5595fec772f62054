import Cryptography
import DataChannels
import Foundation
import Networking
import Peers
import Rendezvous
import Synchronization
import Testing

@testable import Rooms

/// The keys of rooms, in memory: the state that survives when the process dies.
final class MemoryKeys: RoomKeyStore {
    private let kept = Mutex<[String: RoomKeys]>([:])

    func load(room: String) throws -> RoomKeys? { kept.withLock { $0[room] } }
    func save(_ keys: RoomKeys, room: String) throws { kept.withLock { $0[room] = keys } }
    func delete(rooms: [String]) throws { kept.withLock { kept in for room in rooms { kept[room] = nil } } }
}

/// One machine: what it has stored, and the process that runs on it.
final class MeetingSide: Sendable {
    let name: String
    let keys = MemoryKeys()
    let deliveries = MemoryDeliveries()
    let sealing: SealingFolder
    private let time = Mutex<Int64>(1_771_200_000_000 + 3_600_000)
    private let running: Mutex<RoomsService>
    private let known: Mutex<RoomAddress>

    init(_ name: String, server: String) throws {
        self.name = name
        sealing = try SealingFolder()
        known = Mutex(RoomAddress(room: "room", role: .initiator, server: server, device: name, serverRoom: "old"))
        var stored = RoomKeys(ticket: "old", certificate: try .generate())
        stored.trust = .verified
        try keys.save(stored, room: "room")
        running = Mutex(Self.service(keys, deliveries, sealing, MeetingPace()))
        restart()
    }

    private static func service(
        _ keys: MemoryKeys, _ deliveries: MemoryDeliveries, _ sealing: SealingFolder, _ pace: MeetingPace
    ) -> RoomsService {
        RoomsService(
            network: RoomsNetwork(bindAddresses: ["127.0.0.1"]), keys: keys, deliveries: deliveries, sealing: sealing,
            filesFolder: "", keyTarget: SealedPeer.keyTarget, pace: pace)
    }

    /// The process is killed, and another one starts.
    func restart() {
        var pace = MeetingPace()
        pace.now = { [self] in time.withLock { $0 } }
        pace.firstLook = .milliseconds(20)
        pace.longestLook = .milliseconds(100)
        pace.longestUnwatchedLook = .milliseconds(50)
        running.withLock { $0 = Self.service(keys, deliveries, sealing, pace) }
    }

    var service: RoomsService { running.withLock { $0 } }
    var address: RoomAddress { known.withLock { $0 } }

    func pass(hours: Int64) { pass(minutes: hours * 60) }
    func pass(minutes: Int64) { time.withLock { $0 += minutes * 60_000 } }

    static let secret = SecretBytes(copying: 0..<32)

    func meet(_ secret: SecretBytes = MeetingSide.secret, limit: Duration? = nil) async throws -> MetRoom {
        try await service.meet(address, secret: secret, limit: limit)
    }

    /// The room's owner stores the result.
    func take(_ met: MetRoom) {
        known.withLock { address in
            address.role = met.role
            address.device = met.device
            address.serverRoom = met.serverRoom
        }
    }

    func openLink() async throws { try await service.openLink(address, number: 1, words: nil, iceServers: []) }

    /// Follows the reports up to one that counts.
    func next<Value>(_ look: (RoomReport) -> Value?) async -> Value? {
        for await report in service.reports { if let value = look(report) { return value } }
        return nil
    }
}

/// A server that can be stopped and started at the same place.
final class MeetingServer: Sendable {
    let url: String
    private let configuration: RendezvousConfiguration
    private let running: Mutex<RendezvousServer>

    init(store: RendezvousConfiguration.Store = .memory, limits: RendezvousLimits = .unlimited) async throws {
        var configuration = RendezvousConfiguration(store: store, limits: limits)
        configuration.port = Int(try LoopbackPort.free())
        let first = try RendezvousServer(configuration)
        try await first.start()
        self.configuration = configuration
        running = Mutex(first)
        url = "http://127.0.0.1:\(configuration.port)"
    }

    func stop() async { await running.withLock { $0 }.stop() }

    func start() async throws {
        let next = try RendezvousServer(configuration)
        try await next.start()
        running.withLock { $0 = next }
    }

    /// A server and two machines for one test, however it ends.
    static func run(
        store: RendezvousConfiguration.Store = .memory, limits: RendezvousLimits = .unlimited,
        _ body: (MeetingServer, MeetingSide, MeetingSide) async throws -> Void
    ) async throws {
        let server = try await MeetingServer(store: store, limits: limits)
        let sides = [try MeetingSide("ada", server: server.url), try MeetingSide("ben", server: server.url)]
        let result: Result<Void, any Error>
        do {
            try await body(server, sides[0], sides[1])
            result = .success(())
        } catch {
            result = .failure(error)
        }
        for side in sides { await side.service.stop() }
        await server.stop()
        try result.get()
    }
}

/// Waits until a client waits at the server, according to the server's counters.
func untilWaiting(_ server: MeetingServer, _ count: Int = 1) async throws {
    let url = try ServerURL(server.url)
    for _ in 0..<2000 {
        let text = try? await HTTPClient().send(HTTPRequest(path: "/metrics"), to: url)
        let body = String(decoding: text?.body ?? [], as: UTF8.self)
        if body.contains("alcove_rendezvous_watches \(count)\n") { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("nobody waits")
}
