/// Bytes that wait for a socket to take them. A plain value; holds no memory while it is empty.
package struct OutputBuffer: Sendable {
    private var bytes: [UInt8] = []
    private var start = 0

    package init() {}

    /// Bytes that wait.
    package var count: Int { bytes.count - start }
    /// Whether nothing waits.
    package var isEmpty: Bool { start == bytes.count }

    /// Adds bytes at the end.
    package mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

    /// Passes the bytes to `body`, which returns how many it took.
    package mutating func consume(_ body: (UnsafeRawBufferPointer) -> Int) {
        start += bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        if isEmpty {
            self = OutputBuffer()
        } else if start > 1 << 16, start > count {
            // On average every byte is moved at most once.
            bytes.removeFirst(start)
            start = 0
        }
    }

    /// Drops everything.
    package mutating func removeAll() { self = OutputBuffer() }
}
