import Testing

@testable import DataChannels

@Suite("Queues")
struct FIFOTests {
    @Test("elements come out in order, whatever the rhythm", arguments: 1...7)
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

    @Test("a stream that is dropped keeps only the message that was begun")
    func drop() {
        var queue = SendQueue()
        for stream in [1, 2] as [UInt16] {
            for mark in [1, 2] as [UInt8] {
                queue.append(
                    .init(identifier: 53, bytes: [mark, mark], policy: .init(), counted: 2), to: stream)
            }
        }
        #expect(queue.taken(1) == nil)
        queue.drop(1)
        queue.drop(2)
        #expect(queue.isEmpty(2) && !queue.isEmpty(1))
        #expect(queue.current?.offset == 1)
        #expect(queue.taken(1)?.bytes == [1, 1])
        #expect(queue.isEmpty && queue.current == nil)
    }
}
