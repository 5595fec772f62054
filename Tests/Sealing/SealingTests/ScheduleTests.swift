import AppCore
import Dispatch
import Foundation
import Sealing
import SealingSupport
import Synchronization
import Testing

@Suite("Random schedules")
struct ScheduleTests {
    @Test(
        "No key is used twice, and every message is opened once or still waits, whatever happens on the way",
        arguments: UInt64(1)...24)
    func schedule(seed: UInt64) throws {
        var world = try World(seed: seed)
        for _ in 0..<250 { try world.step() }
        try world.settle()
        try world.checkReplays()
    }

    @Test("Threads that seal at the same time never take the same key, across epochs")
    func threads() throws {
        let pair = try SealedPair(target: 64)
        try pair.connect()
        let sealed = Mutex<[[UInt8]]>([])
        let session = pair.left.session
        for round in UInt64(0)..<4 {
            DispatchQueue.concurrentPerform(iterations: 32) { number in
                let bytes = try? session.seal([UInt8(number)], sequence: round * 32 + UInt64(number))
                sealed.withLock { $0.append(bytes ?? []) }
            }
            try pair.exchange()
        }
        let messages = sealed.withLock { $0 }
        let headers = try messages.map { try SealingSession.peek($0) }.filter { !$0.isLastResort }
        #expect(Set(headers.map { KeyUse(pairing: "", epoch: $0.epoch, index: $0.index) }).count == headers.count)
        for message in messages { try pair.right.take(message) }
        #expect(try pair.right.store.messages().count == 128)
    }
}

/// Two sides that write to each other over a network that loses, repeats and reorders, and processes that end.
private struct World {
    enum End: CaseIterable {
        case left, right
        var other: End { self == .left ? .right : .left }
    }

    let pair: SealedPair
    var random: SplitMix64
    var isConnected = false
    /// What was written and has no receipt yet.
    var outboxes: [End: [UInt64: [UInt8]]] = [.left: [:], .right: [:]]
    var written: [End: [UInt64: [UInt8]]] = [.left: [:], .right: [:]]
    /// Sealed messages on their way to a side.
    var network: [End: [[UInt8]]] = [.left: [], .right: []]
    /// Everything that was ever sealed for a side, by key.
    var sealed: [End: [KeyUse: [UInt8]]] = [.left: [:], .right: [:]]
    var opened: [End: [[UInt8]]] = [.left: [], .right: []]

    init(seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        pair = try SealedPair(target: [32, 48, 128][Int(seed % 3)])
    }

    func side(_ end: End) -> SealedPair.Side { end == .left ? pair.left : pair.right }

    mutating func step() throws {
        let end = End.allCases[Int.random(in: 0..<2, using: &random)]
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25: write(end)
        case 25..<50: try send(from: end)
        case 50..<80: try deliver(to: end)
        case 80..<84: network[end]?.removeAll()
        case 84..<88: try restart(end)
        case 88..<95: try connect(interruptedAfter: Int.random(in: 0..<8, using: &random))
        case 95..<97: try renew(end)
        default: if isConnected { try pair.exchange() }
        }
    }

    mutating func write(_ end: End) {
        let sequence = UInt64(written[end]?.count ?? 0) + 1
        let content = (0..<Int.random(in: 0..<40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
        }
        written[end]?[sequence] = content
        outboxes[end]?[sequence] = content
    }

    mutating func send(from end: End) throws {
        guard let (sequence, content) = outboxes[end]?.sorted(by: { $0.key < $1.key }).randomElement(using: &random)
        else { return }
        let bytes: [UInt8]
        do throws(SealingError) {
            bytes = try side(end).session.seal(content, sequence: sequence)
        } catch {
            #expect(error.code == .noKeysYet)
            return
        }
        let header = try SealingSession.peek(bytes)
        if let index = header.index {
            let before = sealed[end.other]?.updateValue(
                bytes, forKey: KeyUse(pairing: "", epoch: header.epoch, index: index))
            #expect(before == nil, "key \(index) of epoch \(header.epoch) sealed two messages")
        }
        network[end.other]?.append(bytes)
    }

    mutating func deliver(to end: End) throws {
        guard let count = network[end]?.count, count > 0 else { return }
        let place = Int.random(in: 0..<count, using: &random)
        let bytes = network[end]?[place] ?? []
        if Int.random(in: 0..<4, using: &random) > 0 { network[end]?.remove(at: place) }
        try take(bytes, at: end)
    }

    mutating func take(_ bytes: [UInt8], at end: End) throws {
        let side = side(end)
        let header = try SealingSession.peek(bytes)
        do throws(SealingError) {
            let message = try side.session.open(bytes)
            #expect(message.content == written[end.other]?[message.sequence])
            opened[end]?.append(bytes)
            try storing { try side.store.keep(message) }
            // Sometimes the process ends before the key is overwritten.
            if Int.random(in: 0..<4, using: &random) > 0 { try side.session.erase([message.use]) }
            receipt(for: message.sequence, from: end)
        } catch {
            #expect([.replayed, .unknownKey].contains(error.code))
            if try side.store.contains(header.sequence) {
                receipt(for: header.sequence, from: end)
            } else {
                let refusal = side.session.refusal(of: header, because: error)
                #expect(try self.side(end.other).session.receive(control: refusal).count == 1)
            }
        }
    }

    private mutating func receipt(for sequence: UInt64, from end: End) {
        if Int.random(in: 0..<5, using: &random) > 0 { outboxes[end.other]?[sequence] = nil }
    }

    mutating func restart(_ end: End) throws {
        if Bool.random(using: &random) { side(end).session.disconnected() }
        try side(end).restart()
        side(end.other).session.disconnected()
        isConnected = false
    }

    /// A connection that ends after a few control messages, or stays.
    mutating func connect(interruptedAfter count: Int) throws {
        pair.disconnect()
        isConnected = false
        guard count < 6 else {
            try pair.connect()
            isConnected = true
            return
        }
        var toRight = try pair.left.session.connected(to: SealedPair.binding(.creator))
        var toLeft = try pair.right.session.connected(to: SealedPair.binding(.joiner))
        for _ in 0..<count {
            if let message = toRight.first {
                toRight = Array(toRight.dropFirst())
                toLeft += SealedPair.sent(try pair.right.session.receive(control: message))
            }
            if let message = toLeft.first {
                toLeft = Array(toLeft.dropFirst())
                toRight += SealedPair.sent(try pair.left.session.receive(control: message))
            }
            if let part = try pair.left.session.nextAnnouncement() { toRight.append(part) }
        }
        pair.disconnect()
    }

    mutating func renew(_ end: End) throws {
        guard isConnected else { return }
        let messages = try side(end).session.renew()
        try pair.exchange(end == .left ? messages : [], end == .right ? messages : [])
    }

    /// The network is good from now on: everything arrives.
    mutating func settle() throws {
        for _ in 0..<60 where !(outboxes.values.allSatisfy(\.isEmpty)) {
            try connect(interruptedAfter: 6)
            for end in End.allCases {
                for (sequence, content) in outboxes[end] ?? [:] {
                    let bytes = try side(end).session.seal(content, sequence: sequence)
                    try take(bytes, at: end.other)
                }
            }
        }
        for end in End.allCases {
            #expect(outboxes[end]?.isEmpty == true)
            #expect(try side(end).store.messages() == written[end.other])
        }
    }

    /// What was opened never opens again: not now, and not after a restart.
    mutating func checkReplays() throws {
        for end in End.allCases {
            try side(end).restart()
            for bytes in opened[end] ?? [] {
                let error = #expect(throws: SealingError.self) { try side(end).session.open(bytes) }
                #expect([.replayed, .unknownKey].contains(try #require(error).code))
            }
        }
    }

    private func storing(_ body: () throws -> Void) throws(SealingError) {
        do { try body() } catch { throw SealingError(.storageFailed, "\(error)") }
    }
}
