/// Bytes that wait for a socket to take them. A plain value; holds no memory while it is empty.
struct OutputBuffer {
    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { start == bytes.count }

    mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

    /// Hands the bytes to `body`, which says how many are done with.
    mutating func consume(_ body: (UnsafeRawBufferPointer) -> Int) {
        start += bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        if isEmpty {
            self = OutputBuffer()
        } else if start > 1 << 16 {
            bytes.removeFirst(start)
            start = 0
        }
    }

    mutating func removeAll() { self = OutputBuffer() }
}
