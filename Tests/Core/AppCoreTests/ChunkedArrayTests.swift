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
            case 1:
                let rest = Int.random(in: 0..<10, using: &random)
                let gone = chunked.removeAll { $0 % 10 == rest }
                #expect(gone == plain.filter { $0 % 10 == rest })
                plain.removeAll { $0 % 10 == rest }
            case 2..<12 where !plain.isEmpty:
                let index = plain.indices.randomElement(using: &random) ?? 0
                #expect(chunked.remove(at: index) == plain.remove(at: index))
            case 12..<20 where !plain.isEmpty:
                let index = plain.indices.randomElement(using: &random) ?? 0
                plain[index] = step
                chunked[index] = step
            default:
                plain.append(step)
                chunked.append(step)
            }
            #expect(chunked.count == plain.count && chunked.last == plain.last)
            #expect(chunked.chunks.allSatisfy { (1...Self.size).contains($0.count) })
        }
        #expect(Array(chunked) == plain && chunked.indices.map { chunked[$0] } == plain)
        // The same elements in chunks of another shape are equal, too.
        #expect(chunked == ChunkedArray(plain) && chunked.hashValue == ChunkedArray(plain).hashValue)
        #expect(chunked != ChunkedArray(plain.reversed()))
    }

    @Test func oneRemovalCostsOneChunk() {
        let old = ChunkedArray(0..<5 * Self.size)
        var new = old
        new.remove(at: 2 * Self.size + 7)
        #expect(new.sharedChunks(with: old).map(\.otherStart) == [0, 1, 3, 4].map { $0 * Self.size })
        #expect(new.removeAll { $0 == 1 } == [1])
        #expect(new.sharedChunks(with: old).map(\.otherStart) == [1, 3, 4].map { $0 * Self.size })
    }

    @Test func removalsLeaveFewSmallChunks() {
        var array = ChunkedArray(0..<100 * Self.size)
        // All but every 32nd.
        for number in 0..<100 * Self.size where number % 32 > 0 {
            array.remove(at: number / 32 + 1)
        }
        #expect(Array(array) == Array(stride(from: 0, to: 100 * Self.size, by: 32)))
        #expect(array.chunks.count <= 2 * 100 / 16 + 1)
    }

    @Test func theFirstElementThatIsNotBeforeIsFound() {
        var array = ChunkedArray((0..<3 * Self.size).map { 2 * $0 })
        array.remove(at: Self.size)
        let plain = Array(array)
        for sought in -1...6 * Self.size {
            #expect(array.lowerBound { $0 < sought } == plain.firstIndex { $0 >= sought } ?? plain.count)
        }
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
