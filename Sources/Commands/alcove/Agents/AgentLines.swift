/// The text of an agent on its way to the screen: whole lines, and the line that is not over yet.
struct AgentLines {
    /// Bytes of a line before it is broken.
    let limit: Int

    /// The line that is not over yet.
    private(set) var rest = ""

    init(limit: Int) { self.limit = limit }

    /// Takes a piece.
    /// - Returns: the lines that are whole now.
    mutating func add(_ piece: String) -> [String] {
        var lines: [String] = []
        let parts = piece.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index > 0 { lines.append(take()) }
            var part = part
            while !part.isEmpty {
                rest.unicodeScalars += part.prefix(limit)
                part = part.dropFirst(limit)
                while rest.utf8.count > limit { lines.append(takeSome()) }
            }
        }
        return lines
    }

    /// Ends the line.
    mutating func take() -> String {
        defer { rest = "" }
        // A line end may be two characters.
        return rest.unicodeScalars.last == "\r" ? String(rest.unicodeScalars.dropLast()) : rest
    }

    /// As much of the line as may be shown at once, up to a blank if there is one.
    private mutating func takeSome() -> String {
        let scalars = rest.unicodeScalars
        var (end, bytes) = (scalars.startIndex, 0)
        while end < scalars.endIndex, case let width = UTF8.width(scalars[end]), bytes + width <= limit {
            bytes += width
            end = scalars.index(after: end)
        }
        let cut = scalars[..<end].lastIndex(of: " ").map(scalars.index(after:)) ?? end
        defer { rest = String(scalars[cut...]) }
        return String(scalars[..<cut])
    }
}
