import Platform
import Testing

@Suite("Queues")
struct FIFOTests {
    @Test("elements come out in order, however appends and removals alternate", arguments: 1...7)
    func order(rhythm: Int) {
        var queue = FIFO<Int>()
        var (next, expected) = (0, 0)
        for round in 0..<200 {
            for _ in 0..<(round % rhythm + 1) {
                queue.append(next)
                next += 1
            }
            if round % 3 != 0 {
                #expect(queue.first == expected)
                #expect(queue.removeFirst() == expected)
                expected += 1
            }
        }
        while let element = queue.removeFirst() {
            #expect(element == expected)
            expected += 1
        }
        #expect(expected == next && queue.isEmpty && queue.first == nil)
    }

    @Test("matching elements are removed in order")
    func removal() {
        var queue = FIFO<Int>()
        for number in 0..<200 { queue.append(number) }
        for _ in 0..<100 { queue.removeFirst() }
        #expect(queue.removeAll { $0.isMultiple(of: 2) } == Array(stride(from: 100, to: 200, by: 2)))
        #expect(queue.removeFirst() == 101)
        queue.removeAllButFirst()
        #expect(queue.removeFirst() == 103 && queue.isEmpty)
    }

    @Test("output stays until all of it was taken, in pieces of any size", arguments: [1, 1000, 70_000, 1 << 20])
    func output(piece: Int) {
        var buffer = OutputBuffer()
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
        var taken: [UInt8] = []
        for part in [0..<100_000, 100_000..<300_000] {
            bytes[part].withUnsafeBytes { buffer.append($0) }
            buffer.consume { waiting in
                taken += waiting.prefix(piece)
                return min(piece, waiting.count)
            }
        }
        while !buffer.isEmpty {
            #expect(buffer.count == bytes.count - taken.count)
            buffer.consume { waiting in
                taken += waiting.prefix(max(piece, 10_000))
                return min(max(piece, 10_000), waiting.count)
            }
        }
        #expect(taken == bytes && buffer.count == 0)
    }
}

@Suite("Threads")
struct ThreadTests {
    @Test("a thread runs its function with the requested stack")
    func start() async {
        let used = await withCheckedContinuation { continuation in
            let isStarted = PlatformThread.start(name: "a name of more than 15 bytes", stackSize: 4 << 20) {
                continuation.resume(
                    returning: withUnsafeTemporaryAllocation(byteCount: 3 << 20, alignment: 1) { $0.count })
            }
            if !isStarted { continuation.resume(returning: 0) }
        }
        #expect(used == 3 << 20)
    }
}

#if os(Linux)
@Suite("Waiting for descriptors")
struct PollerTests {
    @Test("it reports readable descriptors, wakes up, and stops at the timeout")
    func events() throws {
        let poller = try #require(Poller())
        var ends: [Int32] = [-1, -1]
        try #require(pipe2(&ends, O_CLOEXEC) == 0)
        defer { for end in ends { close(end) } }
        #expect(poller.add(ends[0], id: 7, reads: true, writes: false))
        poller.wait(atMost: 0) { _ in Issue.record("nothing can be read") }
        poller.wake()
        poller.wait { _ in Issue.record("nothing can be read") }
        try #require(write(ends[1], "a", 1) == 1)
        var heard: [UInt64] = []
        poller.wait { if $0.isReadable { heard.append($0.id) } }
        #expect(heard == [7])
        poller.remove(ends[0])
        poller.wait(atMost: 0) { _ in Issue.record("it was removed") }
    }
}
#endif
