extension RichText {
    /// The addresses in a text that begin with `http://` or `https://`, in order.
    ///
    /// An address ends before white space, `<` and `>`. Punctuation at its end belongs to the sentence around it.
    public static func webURLs(in text: String) -> [String] { webURLRanges(in: text).map { String(text[$0]) } }

    static func webURLRanges(in text: String) -> [Range<String.Index>] {
        let scalars = text.unicodeScalars
        var ranges: [Range<String.Index>] = []
        var start = scalars.startIndex
        while let found = scalars[start...].firstIndex(of: "h") {
            start = scalars.index(after: found)
            let rest = scalars[found...]
            guard let scheme = ["https://", "http://"].first(where: { rest.starts(with: $0.unicodeScalars) }) else {
                continue
            }
            let body = rest.dropFirst(scheme.unicodeScalars.count)
            let end = body.firstIndex { $0.isSpace || $0 == "<" || $0 == ">" } ?? scalars.endIndex
            start = end
            guard let last = body[..<end].lastIndex(where: { !closing.contains($0) }) else { continue }
            ranges.append(found..<scalars.index(after: last))
        }
        return ranges
    }

    private static let closing: Set<Unicode.Scalar> = [".", ",", ";", ":", "!", "?", "'", "\"", ")", "]", "}", ">"]
}
