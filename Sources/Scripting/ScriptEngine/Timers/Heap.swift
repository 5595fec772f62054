/// A binary heap: the least element is first.
struct Heap<Element: Comparable> {
    private var elements: [Element] = []

    init(_ elements: [Element] = []) {
        // A sorted array is a heap.
        self.elements = elements.sorted()
    }

    var first: Element? { elements.first }
    var count: Int { elements.count }

    mutating func insert(_ element: Element) {
        var index = elements.count
        elements.append(element)
        while index > 0, elements[index] < elements[(index - 1) / 2] {
            elements.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func removeFirst() {
        guard let last = elements.popLast(), !elements.isEmpty else { return }
        elements[0] = last
        var index = 0
        while true {
            let children = (2 * index + 1)..<min(2 * index + 3, max(2 * index + 1, elements.count))
            guard let least = children.min(by: { elements[$0] < elements[$1] }), elements[least] < elements[index]
            else { return }
            elements.swapAt(index, least)
            index = least
        }
    }
}
