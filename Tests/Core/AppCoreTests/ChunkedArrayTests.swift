import Testing

@testable import AppCore

@Suite struct ChunkedArrayTests {
    private static let size = ChunkedArray<Int>.chunkSize

    @Test(arguments: [0, 1, size - 1, size, size + 1, 3 * size, 3 * size + 1]) func isAnArrayOfItsElements(count: Int)
        throws
    {
        let plain = Array(0..<count)
        let chunked = ChunkedArray(plain)
        #expect(chunked.count == count && Array(chunked) == plain && chunked.last == plain.last)
        let json = try JSON.encode(chunked)
        #expect(try json == JSON.encode(plain))
        #expect(try JSON.decode(ChunkedArray<Int>.self, from: json) == chunked)
        var grown = ChunkedArray<Int>()
        for element in plain { grown.append(element) }
        #expect(grown == chunked && grown.hashValue == chunked.hashValue)
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func changesLikeAnArray(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var plain: [Int] = []
        var chunked: ChunkedArray<Int> = []
        for step in 0..<3000 {
            switch Int.random(in: 0..<100, using: &random) {
            case 0:
                let count = Int.random(in: 0...300, using: &random)
                plain.removeFirst(min(count, plain.count))
                chunked.removeFirst(count)
            case 1..<20 where !plain.isEmpty:
                let index = plain.indices.randomElement(using: &random) ?? 0
                plain[index] = step
                chunked[index] = step
            default:
                plain.append(step)
                chunked.append(step)
            }
            #expect(chunked.count == plain.count && chunked.last == plain.last)
        }
        #expect(Array(chunked) == plain)
        // The same elements in chunks of another shape are equal, too.
        #expect(chunked == ChunkedArray(plain) && chunked.hashValue == ChunkedArray(plain).hashValue)
        #expect(chunked != ChunkedArray(plain.reversed()))
    }

    @Test func copiesShareWhatNeitherChanged() {
        let old = ChunkedArray(0..<5 * Self.size)
        var new = old
        new[2 * Self.size + 1] = -1
        new.append(-2)
        new.removeFirst(Self.size)
        #expect(old[2 * Self.size + 1] == 2 * Self.size + 1 && old.count == 5 * Self.size && old[0] == 0)
        let shared = new.sharedChunks(with: old)
        #expect(shared.map(\.start) == [0, 2, 3].map { $0 * Self.size })
        #expect(shared.map(\.otherStart) == [1, 3, 4].map { $0 * Self.size })
        #expect(shared.allSatisfy { $0.count == Self.size })
        new.removeFirst(1)
        #expect(new.sharedChunks(with: old).map(\.start) == [2, 3].map { $0 * Self.size - 1 })
        #expect(old.sharedChunks(with: []).isEmpty && ChunkedArray<Int>().sharedChunks(with: old).isEmpty)
    }
}
