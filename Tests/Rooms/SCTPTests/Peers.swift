@testable import SCTP

/// An association as an object, with what came out of it.
final class TestPeer {
    var association: Association
    var batch = PacketBatch()
    var events: [AssociationEvent] = []
    var deliveries: [Delivery] = []
    var receivedBytes = 0
    /// Whether messages are kept, or only counted.
    var keepsMessages = true
    var reads = true

    init(_ configuration: Configuration = Configuration(), seed: UInt8) {
        association = Association(configuration, seed: [UInt8](repeating: seed, count: 32))
    }

    func receive(_ packet: [UInt8], _ now: Nanoseconds) { association.receive(packet.span.bytes, now: now) }

    /// Packets that leave now.
    func transmit(_ now: Nanoseconds) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        while true {
            batch.removeAll()
            association.transmit(into: &batch, now: now)
            if batch.isEmpty { return packets }
            packets += batch.packets
        }
    }

    /// Takes events and deliveries.
    func take() {
        while let event = association.nextEvent() { events.append(event) }
        while reads, let delivery = association.nextDelivery() {
            if case .message(_, _, let bytes) = delivery { receivedBytes += bytes.count }
            if keepsMessages { deliveries.append(delivery) }
        }
    }

    /// When the association wants to be called again.
    var deadline: Nanoseconds { association.nextDeadline ?? .max }

    func messages(on stream: UInt16) -> [[UInt8]] {
        deliveries.compactMap { if case .message(stream, _, let bytes) = $0 { bytes } else { nil } }
    }

    var messages: [[UInt8]] {
        deliveries.compactMap { if case .message(_, _, let bytes) = $0 { bytes } else { nil } }
    }

    func send(
        _ bytes: [UInt8], stream: UInt16 = 0, identifier: UInt32 = 53, isOrdered: Bool = true,
        reliability: Reliability = .reliable, now: Nanoseconds = 0
    ) throws {
        try association.send(
            OutgoingMessage(
                bytes, stream: stream, identifier: identifier, isOrdered: isOrdered, reliability: reliability),
            now: now)
    }
}

/// Random numbers that are the same in every run.
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
