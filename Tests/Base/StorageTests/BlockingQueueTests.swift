import Storage
import Synchronization
import Testing

@Suite("Work that waits for the disk")
struct BlockingQueueTests {
    private struct Refusal: Error {}

    @Test("A queue runs its work in order, and rethrows errors")
    func blockingQueue() async throws {
        let queue = BlockingQueue("test")
        let seen = Mutex<[Int]>([])
        for number in 0..<100 { queue.add { seen.withLock { $0.append(number) } } }
        #expect(await queue.run { seen.withLock { $0 } } == Array(0..<100))
        await #expect(throws: Refusal.self) { try await queue.run { () throws(Refusal) in throw Refusal() } }
    }
}
