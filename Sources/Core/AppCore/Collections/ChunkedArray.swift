/// An array kept in chunks, so that copies share every chunk that neither of them has changed.
///
/// A change copies one chunk at most, wherever it is; an element is found by a search among the chunks; and what two copies share
/// is found without a look at the elements. In JSON it is an array like any other.
package struct ChunkedArray<Element> {
    /// Each holds 1 to ``chunkSize`` elements.
    private(set) var chunks: [[Element]] = []
    /// For each chunk, how many elements stand before it.
    private var starts: [Int] = []

    static var chunkSize: Int { 128 }
    /// Neighbours that hold no more than this together become one chunk, so that removals leave few small chunks.
    private static var smallSize: Int { chunkSize / 2 }

    package init() {}

    package init(_ elements: some Sequence<Element>) {
        let all = Array(elements)
        self.init(
            chunks: stride(from: 0, to: all.count, by: Self.chunkSize).map { start in
                Array(all[start..<Swift.min(start + Self.chunkSize, all.count)])
            })
    }

    /// Takes chunks as they are. None of them may be empty or longer than ``chunkSize``.
    init(chunks: [[Element]]) {
        self.chunks = chunks
        renumber(from: 0)
    }

    package mutating func append(_ element: Element) {
        if chunks.isEmpty || chunks[chunks.count - 1].count == Self.chunkSize {
            starts.append(count)
            chunks.append([])
        }
        chunks[chunks.count - 1].append(element)
    }

    /// Takes up to `count` elements out at the front, in time that depends on the number of chunks.
    package mutating func removeFirst(_ count: Int) {
        guard count < self.count else {
            self = ChunkedArray()
            return
        }
        let (chunk, place) = position(of: count)
        chunks.removeFirst(chunk)
        chunks[0].removeFirst(place)
        renumber(from: 0)
    }

    /// Takes one element out. Copies its chunk, and a neighbour if the two become one.
    @discardableResult package mutating func remove(at index: Int) -> Element {
        let (chunk, place) = position(of: index)
        let element = chunks[chunk].remove(at: place)
        if chunks[chunk].isEmpty {
            chunks.remove(at: chunk)
        } else if chunk + 1 < chunks.count, isSmall(chunks[chunk], chunks[chunk + 1]) {
            chunks[chunk] += chunks.remove(at: chunk + 1)
        } else if chunk > 0, isSmall(chunks[chunk - 1], chunks[chunk]) {
            chunks[chunk - 1] += chunks.remove(at: chunk)
        }
        renumber(from: Swift.max(chunk - 1, 0))
        return element
    }

    /// Puts elements in at a place. Makes a few chunks anew.
    mutating func insert(contentsOf elements: [Element], at index: Int) {
        guard !elements.isEmpty else { return }
        guard index < count else { return elements.forEach { append($0) } }
        let (chunk, place) = position(of: index)
        let whole = Array(chunks[chunk][..<place]) + elements + chunks[chunk][place...]
        chunks.replaceSubrange(chunk...chunk, with: ChunkedArray(whole).chunks)
        renumber(from: chunk)
    }

    /// Takes the elements at these places out.
    mutating func removeSubrange(_ places: Range<Int>) {
        guard !places.isEmpty else { return }
        let (first, start) = position(of: places.lowerBound)
        let (last, end) = position(of: places.upperBound - 1)
        let rest = Array(chunks[first][..<start]) + chunks[last][(end + 1)...]
        chunks.replaceSubrange(first...last, with: ChunkedArray(rest).chunks)
        renumber(from: first)
    }

    /// Takes every element out that fulfils `condition`, and returns them. Chunks without one are not copied.
    package mutating func removeAll(where condition: (Element) throws -> Bool) rethrows -> [Element] {
        var removed: [Element] = []
        var kept: [[Element]] = []
        for var chunk in chunks {
            let gone = try chunk.filter(condition)
            if !gone.isEmpty {
                removed += gone
                try chunk.removeAll(where: condition)
            }
            if let last = kept.last, isSmall(last, chunk) {
                kept[kept.count - 1] += chunk
            } else if !chunk.isEmpty {
                kept.append(chunk)
            }
        }
        if !removed.isEmpty { self = ChunkedArray(chunks: kept) }
        return removed
    }

    /// The first index whose element is not before what is sought, in an array where all elements for which `isBefore` holds
    /// stand at the front. Takes log n steps.
    func lowerBound(where isBefore: (Element) -> Bool) -> Int {
        let chunk = chunks.lowerBound { $0.last.map(isBefore) ?? false }
        guard chunk < chunks.count else { return count }
        return starts[chunk] + chunks[chunk].lowerBound(where: isBefore)
    }

    private func isSmall(_ first: [Element], _ second: [Element]) -> Bool {
        first.count + second.count <= Self.smallSize
    }

    private mutating func renumber(from first: Int) {
        starts.removeSubrange(Swift.min(first, starts.count)...)
        var start = first > 0 ? starts[first - 1] + chunks[first - 1].count : 0
        for chunk in chunks[Swift.min(first, chunks.count)...] {
            starts.append(start)
            start += chunk.count
        }
    }

    private func position(of index: Int) -> (chunk: Int, place: Int) {
        let chunk = starts.lowerBound { $0 <= index } - 1
        return (chunk, index - starts[chunk])
    }
}

extension Array {
    /// As ``ChunkedArray/lowerBound(where:)``.
    fileprivate func lowerBound(where isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension ChunkedArray: RandomAccessCollection, MutableCollection {
    package var startIndex: Int { 0 }

    package var endIndex: Int { chunks.last.map { starts[starts.count - 1] + $0.count } ?? 0 }

    /// Goes from chunk to chunk, without a search for each element.
    package func makeIterator() -> FlattenSequence<[[Element]]>.Iterator { chunks.joined().makeIterator() }

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
            shared.append((starts[chunk], other.starts[place], elements.count))
            next = place + 1
        }
        return shared
    }
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
        left.starts == right.starts ? left.chunks == right.chunks : left.elementsEqual(right)
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
