/// Cuts a stream of bytes into lines, as they come. A plain value: bytes in, lines out. A line that is too long is passed over up to its end, and
/// takes no memory; the lines after it are read.
package struct LineSplitter: Sendable {
    /// Bytes of one line. A tool may put a whole file into one.
    package static let limit = 16 << 20

    /// What stands between two line feeds.
    package enum Line: Sendable, Hashable {
        case complete([UInt8])
        /// It was longer than the limit; its first ``beginningBytes``.
        case tooLong(beginning: [UInt8])
    }

    /// Bytes that are kept of a line that is too long.
    package static let beginningBytes = 4096

    private let limit: Int
    private var pending: [UInt8] = []
    /// Whether the line is too long, and `pending` the beginning of it.
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
                lines.append(.tooLong(beginning: pending))
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
        guard pending.count + bytes.count <= limit else {
            let kept = min(limit, Self.beginningBytes)
            pending = Array(pending.prefix(kept))
            pending += bytes.prefix(kept - pending.count)
            isPassingOver = true
            return
        }
        pending += bytes
    }
}
