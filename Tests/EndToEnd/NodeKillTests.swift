import Foundation
import Networking
import Peers
import Platform
import Synchronization
import Testing

/// Three nodes and a Redis with an append-only file, which are killed while pairs of people talk and others make rooms.
///
/// A node 50 times and Redis 20 times, or as often as `ALCOVE_NODE_KILLS` and `ALCOVE_REDIS_KILLS` say.
@Suite(.serialized, .timeLimit(.minutes(60)))
struct NodeKillTests {
    private static func count(_ name: String, _ usual: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
    }

    @Test func `nothing that was acknowledged is lost, nothing arrives twice or at a stranger`() async throws {
        let redis = try await RedisServer(["--appendonly", "yes"])
        let cluster = try await Cluster(nodes: 3, redis: redis.url)
        var pairs: [TalkingPair] = []
        for number in 0..<3 { pairs.append(try await TalkingPair(cluster, number)) }
        defer { for pair in pairs { pair.stop() } }
        for pair in pairs { try await pair.hearsNews() }
        let made = MadeRooms()
        var waits: [Duration] = []
        for round in 0..<Self.count("ALCOVE_NODE_KILLS", 50) {
            async let making: Void = made.make(4, at: cluster, round)
            try await cluster.killNode(round % cluster.count)
            waits += try await Self.hearNews(pairs)
            await making
            try await cluster.startNode(round % cluster.count)
        }
        Self.judge(waits, after: "a node")
        waits = []
        for round in 0..<Self.count("ALCOVE_REDIS_KILLS", 20) {
            async let making: Void = made.make(4, at: cluster, 1000 + round)
            redis.kill()
            try await redis.start()
            await making
            let begin = ContinuousClock.now
            try await cluster.isReady()
            let cut = ContinuousClock.now - begin
            waits += try await Self.hearNews(pairs).map { $0 + cut }
        }
        Self.judge(waits, after: "Redis")
        // A node that stops on purpose tells its sockets to move.
        let before = pairs.map(\.moves).reduce(0, +)
        for node in 0..<cluster.count {
            async let making: Void = made.make(4, at: cluster, 2000 + node)
            try await cluster.stopNode(node)
            for pair in pairs { try await pair.hearsNews() }
            await making
            try await cluster.startNode(node)
        }
        #expect(pairs.map(\.moves).reduce(0, +) > before)
        for pair in pairs { #expect(pair.wrongs == []) }
        #expect(made.count > 0)
        #expect(try await made.lost(at: cluster) == [])
        redis.kill()
    }

    /// How long each of them had to wait for something new.
    private static func hearNews(_ pairs: [TalkingPair]) async throws -> [Duration] {
        try await withThrowingTaskGroup(of: [Duration].self) { group in
            for pair in pairs { group.addTask { try await pair.hearsNews() } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// All of them are back within five seconds where nothing else is done meanwhile, and elsewhere half of them within fifteen.
    private static func judge(_ waits: [Duration], after what: String) {
        guard let longest = waits.max() else { return }
        let median = waits.sorted()[waits.count / 2]
        print("\(waits.count) waits after kills of \(what) until a client hears again: \(median), at most \(longest)")
        let isQuiet = ProcessInfo.processInfo.environment["ALCOVE_NODE_KILLS"] != nil
        #expect(median <= .seconds(isQuiet ? 5 : 15))
        #expect(longest <= .seconds(isQuiet ? 5 : 30))
    }
}

/// Nodes, as processes, that share a Redis.
final class Cluster: Sendable {
    private let redis: String
    private let secret: String
    private let ports: [UInt16]
    private let processes: Mutex<[AlcoveProcess?]>

    var count: Int { ports.count }

    init(nodes: Int, redis: String) async throws {
        self.redis = redis
        secret = FileManager.default.temporaryDirectory.appending(path: "nodes-\(UUID().uuidString)").path
        try Data("the secret of all the nodes of this test".utf8).write(to: URL(fileURLWithPath: secret))
        ports = try (0..<nodes).map { _ in try LoopbackPort.free() }
        processes = Mutex([AlcoveProcess?](repeating: nil, count: nodes))
        for node in 0..<nodes { try await startNode(node) }
        try await isReady()
    }

    deinit {
        for process in processes.withLock({ $0 }) { process?.signal(SIGKILL) }
        try? FileManager.default.removeItem(atPath: secret)
    }

    func url(_ node: Int) throws -> ServerURL { try ServerURL("http://127.0.0.1:\(ports[node % ports.count])") }

    func startNode(_ node: Int) async throws {
        // Everybody here has one address, and counts by the one that is said to be forwarded.
        let process = try AlcoveProcess(
            "serve", "--listen", "127.0.0.1:\(ports[node])", "--store", redis, "--secret-file", secret,
            "--behind-proxy", "--json")
        try await process.expect("\"url\"")
        processes.withLock { $0[node] = process }
    }

    func killNode(_ node: Int) async throws { try await endNode(node, SIGKILL) }

    func stopNode(_ node: Int) async throws { try await endNode(node, SIGTERM) }

    private func endNode(_ node: Int, _ signal: Int32) async throws {
        let process = processes.withLock { processes in
            defer { processes[node] = nil }
            return processes[node]
        }
        process?.signal(signal)
        try await process?.exitCode()
    }

    /// Waits until all nodes may get load.
    func isReady() async throws {
        for node in 0..<count {
            while (try? await HTTPClient().send(HTTPRequest(path: "/ready"), to: url(node)))?.status != 200 {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// Asks a node; nil if it is not there, or cannot answer.
    func post(_ path: String, _ body: [String: any Sendable], from person: Int, node: Int) async -> [String: String]? {
        guard let bytes = try? JSONSerialization.data(withJSONObject: body), let url = try? url(node) else {
            return nil
        }
        let request = HTTPRequest(
            method: "POST", path: path,
            headers: ["content-type": "application/json", "x-forwarded-for": Self.address(person)], body: Array(bytes))
        guard let answer = try? await HTTPClient().send(request, to: url, timeout: .seconds(60)),
            (200..<300).contains(answer.status)
        else { return nil }
        let object = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        return (object ?? [:]).compactMapValues { $0 as? String }
    }

    /// Whether a node gives the seat that is asked for.
    func isSeated(_ join: [String: String], from person: Int, node: Int) async -> Bool {
        var configuration = WebSocketClientConfiguration()
        configuration.headers = ["x-forwarded-for": Self.address(person)]
        guard let data = try? JSONEncoder().encode(join), let url = try? url(node),
            let socket = try? await WebSocketClient.connect(to: url, configuration: configuration)
        else { return false }
        defer { socket.abort() }
        try? socket.send(String(decoding: data, as: UTF8.self))
        for await event in socket.events {
            guard case .text(let text) = event,
                let message = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            else { continue }
            switch message["type"] as? String {
            case "room_joined": return true
            case "error": return false
            default: break
            }
        }
        return false
    }

    static func address(_ person: Int) -> String { "10.\(person >> 16 & 255).\(person >> 8 & 255).\(person & 255)" }
}

/// Rooms that were made while something was killed. Only what was acknowledged counts.
private final class MadeRooms: Sendable {
    private struct Made: Sendable {
        var code: String
        var ticket: String
        var person: Int
        var room: String?
        var guestTicket: String?
    }

    private let made = Mutex<[Made]>([])

    var count: Int { made.withLock { $0.count } }

    func make(_ number: Int, at cluster: Cluster, _ round: Int) async {
        for index in 0..<number {
            let person = 1000 + round * number + index
            let code = String(200_000 + person)
            let body: [String: any Sendable] = [
                "joinid": code, "client1": "creator \(person)", "expiresInSeconds": 86_400, "ticket": true,
            ]
            guard let created = await cluster.post("/api/rooms", body, from: person, node: index),
                let ticket = created["ticket"]
            else { continue }
            var room = Made(code: code, ticket: ticket, person: person)
            let guest: [String: any Sendable] = ["joinid": code, "client2": "guest \(person)", "ticket": true]
            if index.isMultiple(of: 2) {
                let accepted = await cluster.post("/api/rooms/accept", guest, from: person, node: index + 1)
                (room.room, room.guestTicket) = (accepted?["roomid"], accepted?["ticket"])
            }
            made.withLock { [room] in $0.append(room) }
        }
    }

    /// Codes of which the nodes know nothing any more, or another room than they said, or where the guest may not sit any more.
    func lost(at cluster: Cluster) async throws -> [String] {
        var lost: [String] = []
        for room in made.withLock({ $0 }) {
            let body: [String: any Sendable] = [
                "joinid": room.code, "client1": "creator \(room.person)", "ticket": room.ticket,
            ]
            let answer = await cluster.post("/api/rooms/check", body, from: room.person, node: room.person)
            if answer == nil || room.room != nil && answer?["roomid"] != room.room { lost.append(room.code) }
            guard let id = room.room else { continue }
            let join = [
                "type": "join_room", "roomId": id, "deviceId": "guest \(room.person)",
                "ticket": room.guestTicket ?? "",
            ]
            if await !cluster.isSeated(join, from: room.person, node: room.person + 1) { lost.append(id) }
        }
        return lost
    }
}
