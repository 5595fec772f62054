import DataChannels
import Foundation
import Rendezvous
import Rooms
import Sealing
import SealingSupport
import Synchronization

extension Suite {
    static let rooms = Suite(
        name: "rooms",
        about: "two people in one process: from the join code to sealed messages, with everything in between"
    ) { recorder in
        var connects: [Double] = []
        var rates: [Double] = []
        for _ in 0..<3 {
            let pair = try await RoomPair()
            connects.append(pair.connectMilliseconds)
            rates.append(try await pair.exchange(6000))
            await pair.close()
        }
        await recorder.record("from openLink to the first keys", connects, unit: "ms", better: .lower)
        await recorder.record(
            "sealed messages of 100 B through a data channel", rates, unit: "messages/s", better: .higher)
    }
}

/// Two services that share a room, at a server in the same process.
private struct RoomPair {
    let server: RendezvousServer
    let ada: RoomOwner
    let ben: RoomOwner
    let connectMilliseconds: Double

    init() async throws {
        var configuration = RendezvousConfiguration()
        configuration.limits = .unlimited
        server = try RendezvousServer(configuration)
        let url = "http://127.0.0.1:\(try await server.start())"
        ada = try RoomOwner()
        ben = try RoomOwner()
        var adas = RoomAddress(room: "room", role: .initiator, server: url, device: "ada")
        let code = try await ada.service.create(adas, expiresIn: 60)
        var bens = RoomAddress(room: "room", role: .responder, server: url, device: "ben", digits: code.digits)
        bens.serverRoom = try await ben.service.join(bens)
        adas.serverRoom = bens.serverRoom
        adas.digits = code.digits
        let start = ContinuousClock.now
        try await ada.service.openLink(adas, number: 1, words: code.words, iceServers: [])
        try await ben.service.openLink(bens, number: 1, words: code.words, iceServers: [])
        for owner in [ada, ben] { await owner.untilKeys() }
        connectMilliseconds = seconds(.now - start) * 1000
    }

    /// Messages a second, from the first that is handed over to the last receipt.
    func exchange(_ count: Int) async throws -> Double {
        let hearing = Task { [ben] in try await ben.storeAll(count) }
        let receipts = Task { [ada] in await ada.untilAcknowledged(count) }
        let text = String(repeating: "x", count: 100)
        let start = ContinuousClock.now
        for number in 1...count {
            let id = try MessageID(String(format: "%032x", number))
            let message = OutgoingMessage(id: id, sentAt: 0, content: .ready(.text(text)))
            try await ada.service.deliver(message, in: "room")
        }
        try await hearing.value
        await receipts.value
        return Double(count) / seconds(.now - start)
    }

    func close() async {
        for owner in [ada, ben] { await owner.close() }
        await server.stop()
    }
}

/// One person's side: what it keeps is in memory, but for the keys.
private struct RoomOwner: Sendable {
    let service: RoomsService
    private let folder: String
    private let keys: FolderStore

    init() throws {
        folder = NSTemporaryDirectory() + "alcove-benchmark-\(UUID().uuidString)"
        keys = try FolderStore(folder)
        service = RoomsService(
            network: RoomsNetwork(bindAddresses: ["127.0.0.1"]), keys: KeptKeys(), deliveries: KeptNumbers(),
            sealing: keys, filesFolder: folder)
    }

    func untilKeys() async {
        for await report in service.reports {
            if case .keys(_, let state) = report, state.keysToSeal > 0 { return }
        }
    }

    /// Marks the key of each message where an owner would store it, and says so.
    func storeAll(_ count: Int) async throws {
        for await report in service.reports {
            guard case .received(let room, let message) = report else { continue }
            try keys.write(durably: false) { try SealingTables.mark([message.use], in: $0) }
            try await service.acknowledge(upTo: message.sequence, in: room)
            if message.sequence == count { return }
        }
    }

    func untilAcknowledged(_ count: Int) async {
        var left = count
        for await report in service.reports {
            if case .acknowledged = report { left -= 1 }
            if left == 0 { return }
        }
    }

    func close() async {
        await service.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
}

private final class KeptKeys: RoomKeyStore {
    private let kept = Mutex<[String: RoomKeys]>([:])

    func load(room: String) throws -> RoomKeys? { kept.withLock { $0[room] } }
    func save(_ keys: RoomKeys, room: String) throws { kept.withLock { $0[room] = keys } }
    func delete(rooms: [String]) throws { kept.withLock { kept in for room in rooms { kept[room] = nil } } }
}

/// Numbers of a process that does not begin again need not be kept.
private struct KeptNumbers: DeliveryStore {
    func delivery(room: String) throws -> StoredDelivery { StoredDelivery() }
    func append(_ message: MessageID, sequence: UInt64, room: String) throws {}
    func renumber(_ messages: [(sequence: UInt64, id: MessageID)], lastSent: UInt64, room: String) throws {}
    func acknowledged(upTo sequence: UInt64, room: String) throws {}
    func received(upTo sequence: UInt64, room: String) throws {}
    func file(_ id: MessageID, room: String) throws -> StoredFile? { nil }
    func files(room: String) throws -> [StoredFile] { [] }
    func save(_ file: StoredFile, room: String) throws {}
    func forgetFile(_ id: MessageID, room: String) throws {}
    func forget(rooms: [String]) throws {}
}
