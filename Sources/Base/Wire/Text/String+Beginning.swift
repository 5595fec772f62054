extension String {
    /// Its beginning, of at most so many bytes of UTF-8. It ends at a Unicode scalar, never within one.
    package func beginning(bytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: max(limit, 0))
        while end > utf8.startIndex, UTF8.isContinuation(utf8[end]) { utf8.formIndex(before: &end) }
        return String(self[..<end])
    }
}
