// Text from outside, made fit to be kept and shown.

extension String {
    /// Without white space at both ends.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    /// What a person said: without empty lines ahead of it and white space behind it. The blanks that it begins with belong to it,
    /// as in a line of code or a verse.
    package var said: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        let start = self[..<first].lastIndex(where: \.isNewline).map(index(after:)) ?? startIndex
        return String(self[start...last])
    }

    /// Without control characters, marks that change the direction of the text around them, and other invisible ones: two names
    /// that look the same are the same. Joiners stay, which scripts and emoji need.
    package var withoutControls: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.filter { scalar in
                    switch scalar.value {
                    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F,
                        0xFEFF,
                        0xFFF9...0xFFFB, 0xE0000...0xE001F:
                        false
                    default: true
                    }
                }))
    }

    /// As many whole characters from the start as fit in `bytes` of UTF-8.
    package func limited(to bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var size = 0
        let end = indices.first { index in
            size += self[index].utf8.count
            return size > bytes
        }
        return String(self[..<(end ?? endIndex)])
    }

    /// A name that is safe to save a file under: no folders, no hidden file, no control characters, of limited length.
    var fileName: String {
        let last = split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
        let name = String(last.withoutControls.trimmed.drop { $0 == "." })
        guard name.utf8.count > RoomLimits.fileNameBytes else { return name }
        // The ending says what kind of file it is.
        let end = name.lastIndex(of: ".").map { name[$0...] } ?? ""
        guard end.utf8.count <= 32 else { return name.limited(to: RoomLimits.fileNameBytes) }
        return String(name.dropLast(end.count)).limited(to: RoomLimits.fileNameBytes - end.utf8.count) + end
    }
}
