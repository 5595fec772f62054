/// How the bytes of a file that is being written are put together: from the file as it was, from what was written, and from zeros.
struct ByteLayout: Hashable, Sendable {
    enum Source: String, Hashable, Sendable {
        case base
        case new
        /// Zeros.
        case empty
    }

    struct Section: Hashable, Sendable {
        var source: Source
        /// In the source; 0 for zeros.
        var offset: Int64
        var length: Int64

        /// What is left of it without its first bytes.
        func dropping(_ count: Int64) -> Section {
            Section(source: source, offset: source == .empty ? 0 : offset + count, length: length - count)
        }

        func keeping(_ count: Int64) -> Section { Section(source: source, offset: offset, length: count) }

        func isContinued(by next: Section) -> Bool {
            source == next.source && (source == .empty || offset + length == next.offset)
        }
    }

    /// No range is empty, and no two neighbours could be joined.
    private(set) var sections: [Section] = []
    private(set) var size: Int64 = 0

    init(baseSize: Int64 = 0) { append(Section(source: .base, offset: 0, length: baseSize)) }

    /// Puts `count` new bytes, which lie at `offset` in what was written, in place of `deleted` bytes at `position`.
    ///
    /// What lies between the end and a position behind it is zeros. The sum of all must fit.
    mutating func splice(at position: Int64, deleting deleted: Int64, inserting count: Int64, from offset: Int64) {
        let inserted = Section(source: .new, offset: offset, length: count)
        if position >= size {
            append(Section(source: .empty, offset: 0, length: position - size))
            return append(inserted)
        }
        let old = self
        self = old.prefix(position)
        append(inserted)
        for section in old.suffix(position + min(deleted, old.size - position)).sections { append(section) }
    }

    /// Cuts the end off, or adds zeros.
    mutating func resize(to newSize: Int64) {
        if newSize < size { self = prefix(newSize) }
        append(Section(source: .empty, offset: 0, length: newSize - size))
    }

    private mutating func append(_ section: Section) {
        guard section.length > 0 else { return }
        size += section.length
        if let last = sections.last, last.isContinued(by: section) {
            sections[sections.count - 1].length += section.length
        } else {
            sections.append(section)
        }
    }

    private func prefix(_ count: Int64) -> ByteLayout {
        var part = ByteLayout()
        for section in sections {
            if part.size >= count { break }
            part.append(section.keeping(min(section.length, count - part.size)))
        }
        return part
    }

    private func suffix(_ start: Int64) -> ByteLayout {
        var (part, position) = (ByteLayout(), Int64(0))
        for section in sections {
            let end = position + section.length
            if end > start { part.append(section.dropping(max(0, start - position))) }
            position = end
        }
        return part
    }
}
