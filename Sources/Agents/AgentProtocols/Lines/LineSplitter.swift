/// Cuts a stream of bytes into lines, as they come. A plain value: bytes in, lines out. A line that is too long is passed over up to its end, and
/// takes no memory; the lines after it are read.
package struct LineSplitter: Sendable {
    /// Bytes of one line. A tool may put a whole file into one.
    package static let limit = 16 << 20

    /// What stands between two line feeds.
    package enum Line: Sendable, Hashable {
        case complete([UInt8])
        /// It was longer than the limit.
        case tooLong
    }

    private let limit: Int
    private var pending: [UInt8] = []
    private var isPassingOver = false

    package init(limit: Int = Self.limit) { self.limit = limit }

    /// Bytes that wait for the end of their line.
    package var heldBytes: Int { pending.count }

    /// Takes bytes as they come in, and returns the lines that they complete. Lines without text are left out.
    package mutating func read(_ bytes: some Collection<UInt8>) -> [Line] {
        var lines: [Line] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            keep(rest[..<end])
            rest = rest[rest.index(after: end)...]
            if isPassingOver {
                lines.append(.tooLong)
            } else {
                if pending.last == UInt8(ascii: "\r") { pending.removeLast() }
                if !pending.isEmpty { lines.append(.complete(pending)) }
            }
            (pending, isPassingOver) = ([], false)
        }
        keep(rest)
        return lines
    }

    private mutating func keep(_ bytes: some Collection<UInt8>) {
        guard !isPassingOver else { return }
        guard pending.count + bytes.count <= limit else { return (pending, isPassingOver) = ([], true) }
        pending += bytes
    }
}
