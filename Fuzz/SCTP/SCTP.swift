import Foundation
import SCTP
import Synchronization

/// Packets that an association was given, in this process. The total is printed at the end.
private let packets: Atomic<UInt64> = {
    atexit { FileHandle.standardError.write(Data("packets: \(packets.load(ordering: .relaxed))\n".utf8)) }
    return Atomic(0)
}()

/// Two associations that talk through a middle which the input directs: it delivers, loses, doubles, swaps and changes
/// packets, makes up others, lets time pass, and lets both sides send, reset, end. Nothing may trap, memory is bounded,
/// and as long as checksums count, what is delivered is what was sent.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSCTP(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var middle = Middle(UnsafeBufferPointer(start: start, count: count))
    middle.run()
    return 0
}

private final class End {
    var association: Association
    var batch = PacketBatch(packets: 16, capacity: 1 << 15)

    init(_ configuration: Configuration, seed: UInt8) {
        association = Association(configuration, seed: [UInt8](repeating: seed, count: 32))
    }
}

private struct Middle {
    private let input: UnsafeBufferPointer<UInt8>
    private var offset = 0
    private var now: Nanoseconds = 1
    private var ends: [End]
    private var waiting: [(to: Int, packet: [UInt8])] = []
    /// The header of the last packet to each side, for packets that are made up.
    private var headers: [[UInt8]] = [[], []]
    private var isIntact: Bool
    private let window = 64 << 10

    init(_ input: UnsafeBufferPointer<UInt8>) {
        self.input = input
        let first = input.first ?? 0
        var configuration = Configuration()
        configuration.interleaving = first & 1 != 0
        configuration.zeroChecksum = first & 2 != 0
        configuration.congestionControl = first & 4 != 0 ? .cubic : .bbr
        configuration.maximumPacketSize = first & 8 != 0 ? 1432 : 1184
        configuration.maxMessageSize = 16 << 10
        configuration.receiveWindow = window
        configuration.sendLimit = 64 << 10
        configuration.streams = 300
        isIntact = !configuration.zeroChecksum
        ends = [End(configuration, seed: 1), End(configuration, seed: 2)]
        offset = 1
    }

    private mutating func next() -> UInt8 {
        guard offset < input.count else { return 0 }
        defer { offset += 1 }
        return input[offset]
    }

    mutating func run() {
        ends[0].association.connect(now: now)
        if next() & 1 != 0 { ends[1].association.connect(now: now) }
        var steps = 0
        while offset < input.count, steps < 4096 {
            steps += 1
            step(next())
            for index in ends.indices { serve(index) }
        }
        // In peace it comes to an end: no timer may keep it busy at one instant.
        for _ in 0..<200 {
            while !waiting.isEmpty { deliver(0) }
            let due = ends.compactMap { $0.association.nextDeadline }.min() ?? now
            now = max(now + 1, min(due, now + .seconds(5)))
            for index in ends.indices { serve(index) }
        }
    }

    private mutating func step(_ order: UInt8) {
        let side = Int(order >> 7)
        switch order & 0x0F {
        case 0, 1, 2, 3: deliver(0)
        case 4: deliver(Int(next()))
        case 5: if !waiting.isEmpty { waiting.removeFirst() }
        case 6: if let first = waiting.first, waiting.count < 64 { waiting.append(first) }
        case 7: change()
        case 8: makeUp(side)
        case 9: now += Nanoseconds(next()) * 4_000_000
        case 10, 11: send(side, order)
        case 12: try? ends[side].association.reset([UInt16(next())], now: now)
        case 13: if next() > 250 { ends[side].association.shutdown(now: now) }
        case 14: if next() > 252 { ends[side].association.abort("x") }
        default: ends[side].association.discardUnsent(stream: UInt16(next()))
        }
    }

    private mutating func send(_ side: Int, _ order: UInt8) {
        let stream = UInt16(next())
        let size = 1 + Int(next()) * 40
        let reliability: Reliability =
            switch order >> 5 & 3 {
            case 0: .maxRetransmits(0)
            case 1: .lifetime(.milliseconds(30))
            default: .reliable
            }
        let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: stream), count: size)
        try? ends[side].association.send(
            OutgoingMessage(
                bytes, stream: stream, identifier: 53, isOrdered: order & 0x10 == 0, reliability: reliability),
            now: now)
    }

    private mutating func deliver(_ choice: Int) {
        guard !waiting.isEmpty else { return }
        let (to, packet) = waiting.remove(at: choice % waiting.count)
        give(packet, to: to)
    }

    private mutating func give(_ packet: [UInt8], to side: Int) {
        packets.wrappingAdd(1, ordering: .relaxed)
        ends[side].association.receive(packet.span.bytes, now: now)
    }

    /// Changes some bytes of the first packet that waits.
    private mutating func change() {
        guard !waiting.isEmpty else { return }
        for _ in 0..<1 + next() % 4 {
            let place = Int(next()) << 8 | Int(next())
            waiting[0].packet[place % waiting[0].packet.count] = next()
        }
        if next() & 1 != 0 { waiting[0].packet.removeLast(Int(next()) % waiting[0].packet.count) }
    }

    /// A packet with a right header and any chunks. Only where checksums do not count it is read at all.
    private mutating func makeUp(_ side: Int) {
        guard headers[side].count == 12 else { return }
        let count = min(Int(next()) * 2, input.count - min(offset, input.count))
        var packet = headers[side]
        for _ in 0..<count { packet.append(next()) }
        give(packet, to: side)
    }

    private mutating func serve(_ index: Int) {
        let end = ends[index]
        end.association.advance(to: now)
        for _ in 0..<8 {
            end.batch.removeAll()
            end.association.transmit(into: &end.batch, now: now)
            if end.batch.isEmpty { break }
            for packet in end.batch.packets where waiting.count < 256 {
                headers[1 - index] = Array(packet.prefix(8)) + [0, 0, 0, 0]
                waiting.append((1 - index, packet))
            }
        }
        while end.association.nextEvent() != nil {}
        while let delivery = end.association.nextDelivery() {
            guard isIntact, case .message(let stream, _, let bytes) = delivery else { continue }
            guard bytes.allSatisfy({ $0 == UInt8(truncatingIfNeeded: stream) }) else {
                fatalError("a message that nobody sent arrived")
            }
        }
        let held = end.association.statistics.heldBytes
        // The window is at least the largest message and 256 KiB.
        guard held <= (16 << 10) * 2 + (256 << 10) + 4096 else { fatalError("\(held) bytes are held") }
    }
}
