extension RichText {
    /// The hashtags of the document, without `#`, in lower case, each once, in the order in which they first occur.
    public var tags: [String] { Self.tags(in: contentText) }

    /// A tag is `#`, an ASCII letter, then ASCII letters, digits and `_`. It needs nothing before it (`a#b` has the tag
    /// `b`), and ends where something else follows (`#naïve` is `na`). It is cut to 50 characters.
    ///
    /// Not tags are fragments of web addresses and the ids of headings (`h_` and eight characters).
    public static func tags(in text: String) -> [String] {
        guard text.utf8.contains(UInt8(ascii: "#")) else { return [] }
        let bytes = text.utf8
        let addresses = webURLRanges(in: text)
        var tags: [String] = []
        var seen: Set<String> = []
        var start = bytes.startIndex
        while let hash = bytes[start...].firstIndex(of: UInt8(ascii: "#")) {
            let name = bytes[bytes.index(after: hash)...].prefix(while: \.isASCIIWord)
            start = name.isEmpty ? bytes.index(after: hash) : name.endIndex
            guard name.first?.isASCIILetter == true, !addresses.contains(where: { $0.contains(hash) }) else { continue }
            guard let whole = String(name), !isHeadingID(whole) else { continue }
            let tag = String(whole.lowercased().prefix(50))
            if seen.insert(tag).inserted { tags.append(tag) }
        }
        return tags
    }

    static func isHeadingID(_ name: some StringProtocol) -> Bool {
        name.hasPrefix("h_") && name.utf8.count == 10 && name.utf8.dropFirst(2).allSatisfy(\.isASCIIWord)
    }
}

extension UInt8 {
    var isASCIILetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
    var isASCIIWord: Bool { isASCIILetter || isASCIIDigit || self == UInt8(ascii: "_") }
}
