/// An array kept in chunks, so that copies share every chunk that neither of them has changed.
///
/// A change copies one chunk at most, an element is reached in constant time, and what two copies share is found without a
/// look at the elements. In JSON it is an array like any other.
package struct ChunkedArray<Element> {
    /// Each holds ``chunkSize`` elements, but for the last, which may be shorter, and the first, which lacks ``missing``.
    private(set) var chunks: [[Element]] = []
    /// How many elements went from the front of the first chunk.
    private(set) var missing = 0

    static var chunkSize: Int { 128 }

    package init() {}

    package init(_ elements: some Sequence<Element>) {
        let all = Array(elements)
        guard all.count > Self.chunkSize else {
            if !all.isEmpty { chunks = [all] }
            return
        }
        chunks = stride(from: 0, to: all.count, by: Self.chunkSize).map { start in
            Array(all[start..<Swift.min(start + Self.chunkSize, all.count)])
        }
    }

    /// Takes chunks that were made one for one from those of another array.
    init<Other>(chunks: [[Element]], shapedLike other: ChunkedArray<Other>) {
        self.chunks = chunks
        missing = other.missing
    }

    package mutating func append(_ element: Element) {
        let isFull = chunks.isEmpty || chunks[chunks.count - 1].count == capacity(of: chunks.count - 1)
        if isFull { chunks.append([]) }
        chunks[chunks.count - 1].append(element)
    }

    /// Takes up to `count` elements out at the front, in time that depends on the number of chunks.
    package mutating func removeFirst(_ count: Int) {
        guard count < self.count else {
            self = ChunkedArray()
            return
        }
        let (chunk, place) = position(of: count)
        if chunk > 0 {
            chunks.removeFirst(chunk)
            missing = 0
        }
        chunks[0].removeFirst(place)
        missing += place
    }

    private func capacity(of chunk: Int) -> Int { chunk == 0 ? Self.chunkSize - missing : Self.chunkSize }

    private func position(of index: Int) -> (chunk: Int, place: Int) {
        let slot = index + missing
        return slot < Self.chunkSize ? (0, index) : (slot / Self.chunkSize, slot % Self.chunkSize)
    }
}

extension ChunkedArray: RandomAccessCollection, MutableCollection {
    package var startIndex: Int { 0 }

    package var endIndex: Int {
        guard let last = chunks.last else { return 0 }
        return chunks.count == 1 ? last.count : (chunks.count - 1) * Self.chunkSize - missing + last.count
    }

    package subscript(index: Int) -> Element {
        // A getter and not `_read`: Swift 6.3.1 goes on to use what that yields after its frame is gone, in debug builds.
        get {
            let (chunk, place) = position(of: index)
            return chunks[chunk][place]
        }
        _modify {
            let (chunk, place) = position(of: index)
            yield &chunks[chunk][place]
        }
    }
}

extension ChunkedArray {
    /// The chunks that both hold as the same piece of memory, as far as they stand in the same order in both.
    func sharedChunks(with other: Self) -> [(start: Int, otherStart: Int, count: Int)] {
        let places = Dictionary(zip(other.chunks.map(\.storage), other.chunks.indices)) { first, _ in first }
        var shared: [(start: Int, otherStart: Int, count: Int)] = []
        var next = 0
        for (chunk, elements) in chunks.enumerated() {
            guard let place = places[elements.storage], place >= next else { continue }
            shared.append((start(of: chunk), other.start(of: place), elements.count))
            next = place + 1
        }
        return shared
    }

    private func start(of chunk: Int) -> Int { chunk == 0 ? 0 : chunk * Self.chunkSize - missing }
}

extension Array {
    /// Where the elements are: the same memory holds the same elements, as long as both arrays are held.
    var storage: UnsafeRawPointer? { withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) } }
}

extension ChunkedArray: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension ChunkedArray: Sendable where Element: Sendable {}

extension ChunkedArray: Equatable where Element: Equatable {
    /// Arrays do not look at the elements of storage that they share.
    package static func == (left: Self, right: Self) -> Bool {
        left.missing == right.missing ? left.chunks == right.chunks : left.elementsEqual(right)
    }
}

extension ChunkedArray: Hashable where Element: Hashable {
    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in self { hasher.combine(element) }
    }
}

extension ChunkedArray: Encodable where Element: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}

extension ChunkedArray: Decodable where Element: Decodable {
    package init(from decoder: any Decoder) throws { self.init(try [Element](from: decoder)) }
}
