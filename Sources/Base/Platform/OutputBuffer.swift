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

    /// Hands the bytes to `body`, which says how many are done with.
    package mutating func consume(_ body: (UnsafeRawBufferPointer) -> Int) {
        start += bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        if isEmpty {
            self = OutputBuffer()
        } else if start > 1 << 16, start > count {
            // Every byte is moved at most once for each time that it was appended.
            bytes.removeFirst(start)
            start = 0
        }
    }

    /// Drops everything.
    package mutating func removeAll() { self = OutputBuffer() }
}
