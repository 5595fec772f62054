internal import Foundation

extension RichText {
    /// A hashtag in a text.
    public struct Hashtag: Hashable, Sendable {
        /// From the `#` to the end of the word.
        public var range: Range<String.Index>
        /// As ``RichText/tagName(_:)`` spells it.
        public var name: String
    }

    /// The hashtags of the document, without `#`, in lower case, each once, in the order in which they first occur.
    public var tags: [String] { Self.tags(in: contentText) }

    /// The hashtags of a text, each once: see ``hashtags(in:)``.
    public static func tags(in text: String) -> [String] {
        var seen: Set<String> = []
        return hashtags(in: text).map(\.name).filter { seen.insert($0).inserted }
    }

    /// A tag is `#`, a letter of any script, then letters, digits and `_`. It needs nothing before it (`a#b` has the tag `b`),
    /// and ends where something else follows (`#e-mail` is `e`). Lists, searches and the index all go by this.
    ///
    /// Not tags are fragments of web addresses and the ids of headings (`h_` and eight characters).
    public static func hashtags(in text: String) -> [Hashtag] {
        guard text.utf8.contains(UInt8(ascii: "#")) else { return [] }
        let scalars = text.unicodeScalars
        var addresses = webURLRanges(in: text)[...]
        var tags: [Hashtag] = []
        var start = scalars.startIndex
        while let hash = scalars[start...].firstIndex(of: "#") {
            start = scalars.index(after: hash)
            guard start < scalars.endIndex, scalars[start].isLetter else { continue }
            addresses = addresses.drop { $0.upperBound <= hash }
            let end = scalars[start...].firstIndex { !$0.isTagPart } ?? scalars.endIndex
            defer { start = end }
            if addresses.first?.contains(hash) == true || isHeadingID(text[start..<end]) { continue }
            tags.append(Hashtag(range: hash..<end, name: tagName(text[start..<end])))
        }
        return tags
    }

    /// A tag as it is kept and compared: without `#`, in lower case, its accents composed, at most 50 characters.
    public static func tagName(_ tag: some StringProtocol) -> String {
        let name = (tag.hasPrefix("#") ? String(tag.dropFirst()) : String(tag)).lowercased()
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        let scalars = (isASCII ? name : name.precomposedStringWithCanonicalMapping).unicodeScalars
        // Not of what a person sees as one: that may be of any length.
        return String(scalars.prefix(50))
    }

    static func isHeadingID(_ name: some StringProtocol) -> Bool {
        name.hasPrefix("h_") && name.utf8.count == 10 && name.utf8.dropFirst(2).allSatisfy(\.isASCIIWord)
    }
}

extension Unicode.Scalar {
    fileprivate var isLetter: Bool {
        if isASCII { return UInt8(value).isASCIILetter }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return true
        default: return false
        }
    }

    /// Marks belong to the letter before them; those that only choose a picture do not.
    fileprivate var isTagPart: Bool {
        if isASCII { return UInt8(value).isASCIIWord }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark: return !properties.isVariationSelector
        case .decimalNumber, .letterNumber: return true
        default: return isLetter
        }
    }
}

extension UInt8 {
    var isASCIILetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
    var isASCIIWord: Bool { isASCIILetter || isASCIIDigit || self == UInt8(ascii: "_") }
}
