/// The lines that were entered, for the keys Up and Down. They are in memory only, because they are not meant for a person who
/// finds the disk.
struct LineHistory: Sendable {
    /// Lines that are kept.
    static let countLimit = 500
    /// Bytes of UTF-8 of a line that is kept.
    static let lineLimit = 1 << 14

    private var lines: [String] = []
    /// What is shown: the count of lines for the one that is being written.
    private var place = 0
    /// What was written before Up was pressed.
    private var draft = ""

    mutating func add(_ line: String) {
        if line.utf8.count <= Self.lineLimit, lines.last != line { lines.append(line) }
        if lines.count > Self.countLimit { lines.removeFirst() }
        (place, draft) = (lines.count, "")
    }

    /// The line before the one that is shown; nil if that is the first.
    mutating func previous(to text: String) -> String? {
        guard place > 0 else { return nil }
        if place == lines.count { draft = text }
        place -= 1
        return lines[place]
    }

    /// The line after the one that is shown; at the end what was being written.
    mutating func next() -> String? {
        guard place < lines.count else { return nil }
        place += 1
        return place == lines.count ? draft : lines[place]
    }
}
