/// A queue that costs constant time at both ends, on average.
struct FIFO<Element> {
    private var elements: [Element?] = []
    private var start = 0

    var isEmpty: Bool { start == elements.count }

    var first: Element? { isEmpty ? nil : elements[start] }

    mutating func append(_ element: Element) { elements.append(element) }

    @discardableResult
    mutating func removeFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[start]
        elements[start] = nil
        start += 1
        // The gap is closed when it is half of the queue.
        if start * 2 > elements.count {
            elements.removeFirst(start)
            start = 0
        }
        return element
    }

    /// Keeps only the first element.
    mutating func removeAllButFirst() {
        let kept = first
        self = FIFO()
        if let kept { append(kept) }
    }
}

extension FIFO: Sendable where Element: Sendable {}
