/// A queue in a ring: constant time at both ends, and the first element can be changed in place.
struct RingQueue<Value> {
    private var slots: [Value?] = []
    private var head = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    var first: Value? { count == 0 ? nil : slots[head] }

    mutating func append(_ value: Value) {
        if count == slots.count { grow() }
        slots[(head + count) & (slots.count - 1)] = value
        count += 1
    }

    mutating func removeFirst() -> Value? {
        guard count > 0 else { return nil }
        let value = slots[head].take()
        head = (head + 1) & (slots.count - 1)
        count -= 1
        // What a burst needed is given back.
        if count == 0, slots.count > 256 { (slots, head) = ([], 0) }
        return value
    }

    private mutating func grow() {
        var larger = [Value?](repeating: nil, count: max(4, slots.count * 2))
        for index in 0..<count { larger[index] = slots[(head + index) & (slots.count - 1)] }
        (slots, head) = (larger, 0)
    }
}
