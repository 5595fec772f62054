internal import Platform

/// The messages of all channels that SCTP has not taken yet.
///
/// Channels share by bytes, as deficit round robin does (Shreedhar and Varghese, 1995): a round gives each of them credit in
/// proportion to its weight, and it is served until its credit is used up. What its last message took too much is missing from
/// the credit of the next rounds.
///
/// A channel that had nothing to send is served next, as long as it has credit: so a short message beside a long transfer
/// waits for a turn of that and not for a round of all. Credit stays with its channel until the round is over, so that
/// nobody gains by sending little and often.
struct SendQueue {
    struct Message {
        var identifier: UInt32
        var bytes: [UInt8]
        var policy: SCTPPolicy
        /// Payload bytes for `bufferedAmount`; 0 for announcements.
        var counted: Int
    }

    /// The messages of one channel.
    private final class Line {
        let stream: UInt16
        let quantum: Int
        var messages = FIFO<Message>()
        /// Bytes that the channel may still send in this round; below zero after a long message.
        var credit: Int

        init(_ stream: UInt16, quantum: Int) {
            self.stream = stream
            self.quantum = quantum
            credit = quantum
        }
    }

    /// Bytes of a round for each unit of weight: 4 KiB for a channel of low priority, which is the usual one.
    private static let bytesOfWeight = 16

    /// Also channels without messages, while their credit differs from what a round gives.
    private var lines: [UInt16: Line] = [:]
    /// The channels that have messages, in the order in which they are served.
    private var turns: [Line] = []
    /// How many behind the first had nothing to send before.
    private var fresh = 0

    var isEmpty: Bool { turns.isEmpty }

    func isEmpty(_ stream: UInt16) -> Bool { lines[stream]?.messages.isEmpty ?? true }

    mutating func append(_ message: Message, to stream: UInt16) {
        let line = line(of: stream, message.policy.priority)
        defer { line.messages.append(message) }
        guard line.messages.isEmpty else { return }
        guard line.credit > 0, !turns.isEmpty else { return turns.append(line) }
        fresh += 1
        turns.insert(line, at: fresh)
    }

    private mutating func line(of stream: UInt16, _ priority: DataChannelConfiguration.Priority) -> Line {
        if let line = lines[stream] { return line }
        let line = Line(stream, quantum: Self.bytesOfWeight * Int(priority.weight))
        lines[stream] = line
        return line
    }

    /// The message whose turn it is.
    var current: (stream: UInt16, message: Message)? {
        guard let line = turns.first, let message = line.messages.first else { return nil }
        return (line.stream, message)
    }

    /// Takes ``current`` out.
    mutating func taken() -> Message? {
        guard let line = turns.first, let message = line.messages.removeFirst() else { return nil }
        line.credit -= message.bytes.count
        if line.messages.isEmpty {
            removeFirstTurn()
        } else if line.credit <= 0 {
            removeFirstTurn()
            turns.append(line)
        }
        beginRoundIfSpent()
        return message
    }

    private mutating func removeFirstTurn() {
        turns.removeFirst()
        fresh = max(0, fresh - 1)
    }

    /// When nobody has credit, as many rounds begin as give the first one some.
    private mutating func beginRoundIfSpent() {
        guard let first = turns.first else {
            lines.removeAll(keepingCapacity: true)
            return
        }
        guard first.credit <= 0 else { return }
        let rounds = turns.map { -$0.credit / $0.quantum + 1 }.min() ?? 1
        for line in lines.values {
            line.credit += rounds * line.quantum
            guard line.messages.isEmpty else { continue }
            // Nobody saves credit up for later.
            if line.credit >= line.quantum { lines[line.stream] = nil }
        }
        turns = turns.filter { $0.credit > 0 } + turns.filter { $0.credit <= 0 }
        fresh = 0
    }

    /// Drops the messages of a stream.
    mutating func drop(_ stream: UInt16) {
        guard let line = lines.removeValue(forKey: stream) else { return }
        guard let place = turns.firstIndex(where: { $0 === line }) else { return }
        turns.remove(at: place)
        if place <= fresh { fresh = max(0, fresh - 1) }
        beginRoundIfSpent()
    }
}
