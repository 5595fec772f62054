/// The part of a resource that a `Range` field asks for (RFC 9110 section 14).
package enum ByteRange: Sendable, Hashable {
    /// All of it: the field is missing, is not understood, or asks for several parts.
    ///
    /// Several parts would need `multipart/byteranges`. Players, browsers and `curl` ask for one, and many small or
    /// overlapping parts are a known way to make a server work for little. A server may ignore the field (section 14.2).
    case whole
    /// These bytes; never empty.
    case part(Range<Int>)
    /// No byte of the resource.
    case unsatisfiable

    /// - Parameters:
    ///   - field: `bytes=0-99`, `bytes=100-` or `bytes=-100`.
    ///   - size: bytes of the resource.
    package init(_ field: String?, size: Int) {
        guard let field, let range = Self.specified(field) else {
            self = .whole
            return
        }
        let (first, last) = range
        // Without a first position, the last number counts from the end.
        let lower = first ?? max(0, size - (last ?? 0))
        let upper = first == nil ? size : min(size, (last ?? .max - 1) + 1)
        self = lower < upper ? .part(lower..<upper) : .unsatisfiable
    }

    /// The two numbers of the only range; nil if there is none, or more than one.
    private static func specified(_ field: String) -> (first: Int?, last: Int?)? {
        let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let ranges = parts[1].split(separator: ",").filter { !$0.allSatisfy(blank) }
        guard ranges.count == 1 else { return nil }
        let range = ranges[0].drop(while: blank)
        let end = range.lastIndex { !blank($0) } ?? range.startIndex
        let numbers = range[...end].split(separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 2, numbers.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } }) else { return nil }
        // A number that is too large for this machine is beyond the end of everything.
        let values = numbers.map { $0.isEmpty ? nil : Int($0) ?? .max - 1 }
        guard values[0] != nil || values[1] != nil else { return nil }
        if let first = values[0], let last = values[1], last < first { return nil }
        return (values[0], values[1].map { min($0, .max - 1) })
    }
}
