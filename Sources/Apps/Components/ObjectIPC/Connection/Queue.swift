/// First in, first out, at constant cost an element.
struct Queue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard head < elements.count, let first = elements[head] else { return nil }
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: elements.count <= 64)
            head = 0
        } else if head > 64, head > elements.count / 2 {
            elements.removeSubrange(..<head)
            head = 0
        }
        return first
    }

    /// Takes out what matches, in order.
    mutating func removeAll(where matches: (Element) -> Bool) -> [Element] {
        let all = elements.compactMap { $0 }
        elements = all.filter { !matches($0) }
        head = 0
        return all.filter(matches)
    }
}
