internal import Storage

/// Which parts of a file were never written, as the sink that made it knew: what a later sink shows as empty in the base.
///
/// It is only shown. What is in a file is read from the file, whatever this says.
enum EmptyRanges {
    /// The most ranges. A file with more has none kept.
    private static let limit = 64

    static func keep(_ ranges: [Range<Int64>], of file: FileDescriptor) {
        guard !ranges.isEmpty, ranges.count <= limit, let mark = mark(of: file) else { return }
        let text = ([mark] + ranges.map { "\($0.lowerBound)-\($0.upperBound)" }).joined(separator: " ")
        // Nothing but what is shown of it depends on it.
        try? file.attributes.set(StoredVersion.emptyRangesName, to: Array(text.utf8))
    }

    /// In order; none if the file was changed since.
    static func of(_ file: FileDescriptor) -> [Range<Int64>] {
        guard let bytes = try? file.attributes.value(StoredVersion.emptyRangesName, atMost: 4096) ?? nil else {
            return []
        }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard let mark = mark(of: file), words.first.map(String.init) == mark, words.count <= limit + 1 else {
            return []
        }
        var (ranges, end) = ([Range<Int64>](), Int64(0))
        for word in words.dropFirst() {
            let bounds = word.split(separator: "-").compactMap { Int64($0) }
            guard bounds.count == 2, bounds[0] >= end, bounds[0] < bounds[1] else { return [] }
            ranges.append(bounds[0]..<bounds[1])
            end = bounds[1]
        }
        return ranges
    }

    /// What changes with the content: size, and time of the last change.
    private static func mark(of file: FileDescriptor) -> String? {
        guard let status = try? file.status() else { return nil }
        return "\(status.size)@\(status.modified.milliseconds)"
    }
}

extension ByteLayout {
    /// The sections as apps are shown them: each where it lies in the file, neighbours of one source as one, and what is empty in the
    /// base as empty.
    /// - Parameter holes: the empty ranges of the base.
    func shown(holes: [Range<Int64>]) -> [Section] {
        var shown: [Section] = []
        var position: Int64 = 0
        func add(_ source: Source, _ length: Int64) {
            guard length > 0 else { return }
            if shown.last?.source == source {
                shown[shown.count - 1].length += length
            } else {
                shown.append(Section(source: source, offset: position, length: length))
            }
            position += length
        }
        for section in sections {
            guard section.source == .base else {
                add(section.source, section.length)
                continue
            }
            var start = section.offset
            let end = section.offset + section.length
            for hole in holes where hole.upperBound > start && hole.lowerBound < end {
                let inner = hole.clamped(to: start..<end)
                add(.base, inner.lowerBound - start)
                add(.empty, inner.upperBound - inner.lowerBound)
                start = inner.upperBound
            }
            add(.base, end - start)
        }
        return shown
    }
}
