import Foundation
import Rendezvous

extension Suite {
    static let rendezvous = Suite(
        name: "rendezvous", about: "the rendezvous server: making rooms, passing messages on, idle sockets"
    ) { recorder in
        let server = try ServerProcess("--serve-rendezvous")
        defer { server.stop() }
        let pairs = min(10_000, ServerProcess.socketAllowance / 2)
        let rooms = try await makeRooms(pairs, [server], "", recorder)
        var present: [LoadPair] = []
        // The last count is what the limit on open files allows: nobody talks then, only memory is measured.
        for sockets in [2, 1000, 8000, 2 * pairs] where sockets <= 2 * pairs {
            for room in rooms[present.count..<sockets / 2] {
                present.append(try LoadPair(room, ports: (server.port, server.port), source: 2 + present.count / 5000))
            }
            if sockets <= 8000 {
                try await measureRelay(present, [server], "\(2 * present.count) open sockets", recorder)
            } else {
                let megabytes = Double(server.residentBytes) / 1e6
                await recorder.record(
                    "memory with \(sockets) sockets in \(sockets / 2) rooms", megabytes, unit: "MB", better: .lower,
                    aim: 300)
            }
        }
    }

    @Sendable static func serveRendezvous() async throws -> Int {
        let path = NSTemporaryDirectory() + "alcove-benchmark-\(UUID().uuidString).db"
        let configuration = RendezvousConfiguration(store: .sqlite(path), limits: .unlimited)
        let server = try RendezvousServer(configuration)
        ServerProcess.atExit {
            await server.stop()
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }
        return try await server.start()
    }

    /// Makes rooms as two people would: one creates, the other accepts, perhaps at another server, the first asks what
    /// became of it.
    static func makeRooms(
        _ count: Int, _ servers: [ServerProcess], _ label: String, _ recorder: Recorder
    ) async throws -> [LoadRoom] {
        let maker = try RoomMaker(servers.map(\.port))
        var rooms: [LoadRoom] = []
        var rates: [Double] = []
        let before = ServerProcess.processorSeconds(of: servers)
        while rooms.count < count {
            let batch = Array(rooms.count..<min(count, rooms.count + RoomMaker.connections))
            let time = try ContinuousClock().measure { rooms += try maker.make(batch) }
            rates.append(3 * Double(batch.count) / seconds(time))
        }
        let cost = (ServerProcess.processorSeconds(of: servers) - before) / Double(3 * count) * 1_000_000
        await recorder.record("REST requests, 16 connections\(label)", rates, unit: "requests/s", better: .higher)
        await recorder.record("processor time of a REST request\(label)", cost, unit: "µs", better: .lower)
        return rooms
    }

    static func measureRelay(
        _ pairs: [LoadPair], _ servers: [ServerProcess], _ label: String, _ recorder: Recorder
    ) async throws {
        var trips: [Double] = []
        for _ in 0..<5000 {
            guard let pair = pairs.randomElement() else { return }
            trips.append(seconds(try ContinuousClock().measure { try pair.pass(1) }) * 1000)
        }
        await recorder.record("relay, \(label), p50", percentile(trips, 0.5), unit: "ms", better: .lower)
        await recorder.record("relay, \(label), p99", percentile(trips, 0.99), unit: "ms", better: .lower, aim: 5)
        let busy = Array(pairs.shuffled().prefix(50))
        let before = ServerProcess.processorSeconds(of: servers)
        let rates = try (0..<5).map { _ in
            let time = try ContinuousClock().measure {
                for _ in 0..<20 {
                    for pair in busy { try pair.send(10) }
                    for pair in busy { try pair.receive(10) }
                }
            }
            return Double(20 * 10 * busy.count) / seconds(time)
        }
        let cost = (ServerProcess.processorSeconds(of: servers) - before) / Double(5 * 20 * 10 * busy.count) * 1_000_000
        await recorder.record("relayed, \(label)", rates, unit: "messages/s", better: .higher)
        await recorder.record("processor time of a relayed message, \(label)", cost, unit: "µs", better: .lower)
    }
}

/// A room that was made for the load.
struct LoadRoom {
    let id: String
    let number: Int
    let tickets: (String, String)
}

/// Two people in a room.
struct LoadPair {
    private static let candidate = LoadSocket.frame(
        #"{"type":"ice_candidate","candidate":{"candidate":"candidate:1 1 UDP 2130706431 192.0.2.1 49203 typ host","#
            + #""sdpMLineIndex":0,"sdpMid":"0"}}"#)

    private let creator: LoadSocket
    private let joiner: LoadSocket

    /// - Parameter ports: of the servers of creator and guest.
    init(_ room: LoadRoom, ports: (Int, Int), source: Int) throws {
        creator = try LoadSocket(port: ports.0, source: source)
        joiner = try LoadSocket(port: ports.1, source: source)
        for (socket, side, ticket) in [(creator, "a", room.tickets.0), (joiner, "b", room.tickets.1)] {
            try socket.upgrade()
            let join =
                #"{"type":"join_room","roomId":"\#(room.id)","deviceId":"\#(side)\#(room.number)","ticket":"\#(ticket)"}"#
            try socket.send(LoadSocket.frame(join))
            _ = try socket.frame(containing: "room_joined")
        }
        try isReady()
    }

    func send(_ count: Int) throws {
        try creator.send(count == 1 ? Self.candidate : Array(repeatElement(Self.candidate, count: count).joined()))
    }

    func receive(_ count: Int) throws { for _ in 0..<count { _ = try joiner.frame(containing: "ice_candidate") } }

    func staysAlive() throws {
        try creator.staysAlive()
        try joiner.staysAlive()
    }

    /// Waits until both are told that the other one is there.
    func isReady() throws {
        _ = try creator.frame(containing: "room_ready")
        _ = try joiner.frame(containing: "room_ready")
    }

    func pass(_ count: Int) throws {
        try send(count)
        try receive(count)
    }

    /// Passes one message. While nodes seat everybody anew, one is refused, and a client says it again when the room is ready.
    func passAtLast() throws {
        joiner.wait(upTo: 1)
        defer { joiner.wait(upTo: 60) }
        for _ in 0..<10 { do { return try pass(1) } catch is LoadSocket.Silence {} }
        throw LoadSocket.Silence()
    }
}
