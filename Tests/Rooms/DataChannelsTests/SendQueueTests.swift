import Testing

@testable import DataChannels

@Suite("The queue of messages to send")
struct SendQueueTests {
    typealias Priority = DataChannelConfiguration.Priority

    private func message(_ mark: UInt8, _ count: Int = 1, _ priority: Priority = .low) -> SendQueue.Message {
        SendQueue.Message(
            identifier: 53, bytes: Array(repeating: mark, count: count), policy: .init(priority: priority),
            counted: count)
    }

    /// Takes whole messages until that many bytes have gone out: the streams in their order, and the bytes of each.
    private func take(_ bytes: Int, _ queue: inout SendQueue) -> (order: [UInt16], sums: [UInt16: Int]) {
        var (order, sums, left) = ([UInt16](), [UInt16: Int](), bytes)
        while left > 0, let current = queue.current {
            let count = current.message.bytes.count
            _ = queue.taken()
            order.append(current.stream)
            sums[current.stream, default: 0] += count
            left -= count
        }
        return (order, sums)
    }

    @Test("a dropped stream has no messages, and the others go on")
    func drop() {
        var queue = SendQueue()
        for stream in [1, 2, 3] as [UInt16] {
            for mark in [1, 2] as [UInt8] { queue.append(message(mark, 2), to: stream) }
        }
        queue.drop(1)
        queue.drop(3)
        #expect(queue.isEmpty(1) && !queue.isEmpty(2) && queue.isEmpty(3))
        #expect(queue.current?.stream == 2)
        #expect(queue.taken()?.bytes == [1, 1])
        queue.drop(2)
        #expect(queue.isEmpty && queue.current == nil && queue.taken() == nil)
    }

    @Test("each channel keeps its own order, and everything comes out")
    func order() {
        var queue = SendQueue()
        var seen: [UInt16: [UInt8]] = [:]
        for mark in 0..<200 as Range<UInt8> {
            queue.append(message(mark, 1 + Int(mark) * 37 % 9000), to: UInt16(mark % 7))
        }
        while let current = queue.current {
            if let sent = queue.taken() { seen[current.stream, default: []].append(sent.bytes[0]) }
        }
        for stream in 0..<7 as Range<UInt16> {
            #expect(seen[stream] == (0..<200).filter { UInt16($0) % 7 == stream })
            #expect(queue.isEmpty(stream))
        }
    }

    @Test(
        "channels share by bytes, whatever the sizes of their messages",
        arguments: [
            (65536, 65536), (65536, 1024), (100, 65536), (4096, 4097), (1 << 20, 1000), (16, 16),
        ])
    func shares(_ one: Int, _ other: Int) {
        var queue = SendQueue()
        let total = 8 << 20
        for (stream, size) in [(1, one), (2, other)] as [(UInt16, Int)] {
            for _ in 0...(total / size) { queue.append(message(1, size), to: stream) }
        }
        let sums = take(total, &queue).sums
        let difference = abs((sums[1] ?? 0) - (sums[2] ?? 0))
        #expect(difference <= 2 * max(one, other) + 8192, "\(sums)")
    }

    @Test("priorities are shares: 1, 2, 4 and 8")
    func priorities() {
        var queue = SendQueue()
        for (stream, priority) in Priority.allCases.enumerated() {
            for _ in 0..<600 { queue.append(message(1, 10_000, priority), to: UInt16(stream)) }
        }
        let sums = take(6_000_000, &queue).sums
        for (stream, share) in [1, 2, 4, 8].enumerated() {
            let sum = Double(sums[UInt16(stream)] ?? 0)
            #expect(abs(sum - 400_000 * Double(share)) < 40_000, "\(sums)")
        }
    }

    @Test("a short message waits for one turn of a long transfer", arguments: [1, 2, 20])
    func short(_ transfers: Int) {
        var queue = SendQueue()
        for stream in 0..<transfers {
            for _ in 0..<100 { queue.append(message(1, 65536), to: UInt16(stream)) }
        }
        _ = take(3 << 20, &queue)
        // Again and again, each time at another place of the round.
        for turn in 0..<50 {
            queue.append(message(2, 64), to: 900)
            let before = take(1, &queue).order + take(1, &queue).order
            #expect(before.contains(900), "turn \(turn): \(before)")
            _ = take(65536 * (turn % 3), &queue)
            if queue.isEmpty { break }
        }
    }

    @Test("whoever sends little and often gets no more than a share")
    func often() {
        var queue = SendQueue()
        for _ in 0..<5000 { queue.append(message(1, 1000), to: 1) }
        var sums: [UInt16: Int] = [:]
        while sums[1, default: 0] < 4 << 20 {
            // The second channel always has exactly one message, given when the one before was taken.
            if queue.isEmpty(2) { queue.append(message(2, 4000), to: 2) }
            for (stream, sum) in take(1, &queue).sums { sums[stream, default: 0] += sum }
        }
        let share = Double(sums[2] ?? 0) / Double(sums[1] ?? 1)
        #expect(abs(share - 1) < 0.05, "\(sums)")
    }

    @Test("weights and priorities name each other", arguments: Priority.allCases)
    func weights(_ priority: Priority) {
        #expect(Priority(weight: priority.weight) == priority)
        #expect(Priority(weight: priority.weight - 1) == priority)
        #expect(Priority(weight: 0) == .veryLow)
        #expect(Priority(weight: .max) == .high)
    }
}
