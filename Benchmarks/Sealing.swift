import Cryptography
import Foundation
import Sealing
import SealingSupport
import Storage

extension Suite {
    static let sealing = Suite(
        name: "sealing", about: "one-time keys: making, sealing, opening, erasing, beside what the curve itself costs"
    ) { recorder in
        let agreements = try OpenSSLSpeed.agreementsPerSecond()
        await recorder.record("openssl speed ecdhp256", agreements, unit: "agreements/s", better: .higher)
        try await measureKeys(recorder)
        try await measureMessages(recorder, agreement: 1_000_000 / agreements)
        try await measureErasing(recorder)
    }
}

private let poolCount = SealingLimits.capacity
private let content = [UInt8](repeating: 7, count: 256)

/// A whole pool, and the keys in it alone.
private func measureKeys(_ recorder: Recorder) async throws {
    var pools: [Double] = []
    var keys: [Double] = []
    for _ in 0..<3 {
        keys.append(try milliseconds { for _ in 0..<poolCount { _ = try EllipticCurve.PrivateKey(.p256) } })
        let pair = try SealedFolders()
        try pair.introduce()
        pools.append(try milliseconds { while try pair.left.nextAnnouncement() != nil {} })
    }
    await recorder.record("8192 key pairs alone", keys, unit: "ms", better: .lower)
    await recorder.record("pool of 8192 made, stored and announced", pools, unit: "ms", better: .lower)
    await recorder.record(
        "pool, against its key pairs alone", zip(pools, keys).map { $0 / $1 }, unit: "times", better: .lower, aim: 1.3)
}

private func measureMessages(_ recorder: Recorder, agreement: Double) async throws {
    let pair = try SealedFolders()
    try pair.introduce()
    try pair.announceAll()
    let count = 2000
    var sealed: [[UInt8]] = []
    let sealing = try milliseconds {
        for number in 0..<count { sealed.append(try pair.right.seal(content, sequence: UInt64(number))) }
    }
    let opening = try milliseconds { for message in sealed { _ = try pair.left.open(message) } }
    // The aims are for a machine of 30 000 agreements a second, and grow with what one costs on this machine.
    let scale = agreement * 30_000 / 1_000_000
    await recorder.record(
        "seal 256 bytes", sealing * 1000 / Double(count), unit: "µs", better: .lower, aim: (70 * scale).rounded())
    await recorder.record(
        "open 256 bytes", opening * 1000 / Double(count), unit: "µs", better: .lower, aim: (45 * scale).rounded())
    let messages = (0..<count).map { (content: content, sequence: UInt64($0)) }
    let batch = try ContinuousClock().measure { _ = try pair.right.sealBatch(messages) }
    await recorder.record(
        "seal a batch on all cores", Double(count) / seconds(batch), unit: "messages/s", better: .higher)
    let uses = try sealed.map { KeyUse(pairing: "pair", epoch: 1, index: try SealingSession.peek($0).index) }
    let marking = try milliseconds {
        for use in uses {
            try pair.leftStore.write(durably: false) { try SealingTables.mark([use], in: $0) }
            try pair.left.erase([use])
        }
    }
    await recorder.record(
        "mark a key in its own transaction, and erase it", marking * 1000 / Double(count), unit: "µs", better: .lower)
    let peeking = try milliseconds { for message in sealed { _ = try SealingSession.peek(message) } }
    await recorder.record("peek", peeking * 1000 / Double(count), unit: "µs", better: .lower)
    let replaying = milliseconds { for message in sealed { _ = try? pair.left.open(message) } }
    await recorder.record("refuse a replay", replaying * 1000 / Double(count), unit: "µs", better: .lower)
    let opened = try (0..<5).map { _ in
        try milliseconds { _ = try SealingSession(pairing: "pair", store: pair.leftStore) }
    }
    await recorder.record("open a pairing with 8192 keys", opened, unit: "ms", better: .lower)
}

/// One erasure, and ten million in one file: each costs the same.
private func measureErasing(_ recorder: Recorder) async throws {
    for count in [8192, 10_000_000] {
        let path = NSTemporaryDirectory() + "alcove-slots-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let slots = try SlotFile.create(at: path, count: count)
        let time = try milliseconds { for slot in 0..<count { try slots.erase(slot) } }
        await recorder.record(
            "erase a slot, \(count) times", time * 1000 / Double(count), unit: "µs", better: .lower)
    }
}

/// Time of the processor, as `openssl speed` counts it: what else the machine does matters less.
private func milliseconds(_ work: () throws -> Void) rethrows -> Double {
    let start = clock()
    try work()
    return Double(clock() - start) * 1000 / Double(CLOCKS_PER_SEC)
}

/// Two sides in folders that vanish. The left one announces keys, the right one seals to them.
private final class SealedFolders {
    let left: SealingSession
    let right: SealingSession
    let leftStore: FolderStore
    private let folder = NSTemporaryDirectory() + "alcove-benchmark-\(UUID().uuidString)"

    init() throws {
        leftStore = try FolderStore(folder + "/left")
        left = try SealingSession(pairing: "pair", store: leftStore)
        right = try SealingSession(pairing: "pair", store: try FolderStore(folder + "/right"), target: 64)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Leaves the left side with all but the first part of its keys to make.
    func introduce() throws {
        let (one, other) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        let fromLeft = try left.connected(
            to: ChannelBinding(localFingerprint: one, remoteFingerprint: other, room: "room", role: .creator))
        let fromRight = try right.connected(
            to: ChannelBinding(localFingerprint: other, remoteFingerprint: one, room: "room", role: .joiner))
        for message in fromLeft { _ = try right.receive(control: message) }
        for message in fromRight {
            for case .send(let part) in try left.receive(control: message) { _ = try right.receive(control: part) }
        }
    }

    func announceAll() throws {
        while let part = try left.nextAnnouncement() { _ = try right.receive(control: part) }
    }
}
