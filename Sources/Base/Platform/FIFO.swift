/// A queue that costs constant time at both ends, on average.
@frozen package struct FIFO<Element> {
    @usableFromInline package var elements: [Element?] = []
    @usableFromInline package var start = 0

    @inlinable package init() {}

    @inlinable package var isEmpty: Bool { start == elements.count }

    @inlinable package var first: Element? { isEmpty ? nil : elements[start] }

    @inlinable package mutating func append(_ element: Element) { elements.append(element) }

    @inlinable
    @discardableResult
    package mutating func removeFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[start]
        elements[start] = nil
        start += 1
        if start == elements.count {
            elements.removeAll(keepingCapacity: elements.count <= 64)
            start = 0
        } else if start > 64, start * 2 > elements.count {
            // The gap at the front is closed when it is half of the storage.
            elements.removeFirst(start)
            start = 0
        }
        return element
    }

    /// Keeps only the first element.
    @inlinable package mutating func removeAllButFirst() {
        let kept = first
        self = FIFO()
        if let kept { append(kept) }
    }

    /// Takes out what matches, in order.
    @inlinable package mutating func removeAll(where matches: (Element) -> Bool) -> [Element] {
        let all = elements.compactMap { $0 }
        elements = all.filter { !matches($0) }
        start = 0
        return all.filter(matches)
    }
}

extension FIFO: Sendable where Element: Sendable {}
