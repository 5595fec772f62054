extension RichText {
    /// A link to a note, written in the text: `[[id]]`, `[[id#heading]]`, or `[[#heading]]` for a heading of the same note.
    public struct NoteLink: Hashable, Sendable {
        /// The id of the note, 22 or 36 characters; nil for the note itself.
        public var note: String?
        /// The id of the heading: `h_` and eight characters.
        public var heading: String?

        /// A link to a note, or to one of its headings.
        public init(note: String?, heading: String? = nil) {
            self.note = note
            self.heading = heading
        }
    }

    /// All note links in order, also repeated ones.
    public var noteLinks: [NoteLink] { Self.noteLinks(in: contentText) }

    /// The note links in a text, in order, also repeated ones.
    public static func noteLinks(in text: String) -> [NoteLink] { linkRanges(in: text).map(\.link) }

    /// A title or snippet as lists show it: for each link the title of its note, or `[[deleted note]]` if `title` knows
    /// none. Links within a title that comes in this way stay as they are.
    public static func showingTitles(in text: String, title: (_ note: String) -> String?) -> String {
        var shown = ""
        var start = text.startIndex
        for (range, link) in linkRanges(in: text) {
            guard let note = link.note else { continue }
            shown += text[start..<range.lowerBound] + "[[" + (title(note) ?? "deleted note") + "]]"
            start = range.upperBound
        }
        return shown + text[start...]
    }

    /// The note links in a text, and where they stand.
    package static func linkRanges(in text: String) -> [(range: Range<String.Index>, link: NoteLink)] {
        let bytes = text.utf8
        var links: [(range: Range<String.Index>, link: NoteLink)] = []
        var start = bytes.startIndex
        while let open = bytes[start...].firstIndex(of: UInt8(ascii: "[")) {
            start = bytes.index(after: open)
            guard bytes[start...].first == UInt8(ascii: "[") else { continue }
            let body = bytes[bytes.index(after: start)...].prefix(upTo: 2 * 64) { $0.isIDCharacter || $0 == 0x23 }
            guard bytes[body.endIndex...].starts(with: "]]".utf8), let link = NoteLink(String(text[body.range])) else {
                continue
            }
            start = bytes.index(body.endIndex, offsetBy: 2)
            links.append((open..<start, link))
        }
        return links
    }
}

extension RichText.NoteLink {
    /// Reads what stands between the brackets.
    init?(_ text: String) {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard let note = parts.first else { return nil }
        let heading = parts.count > 1 ? parts[1] : nil
        if let heading, !RichText.isHeadingID(heading) { return nil }
        guard [22, 36].contains(note.utf8.count) || (note.isEmpty && heading != nil) else { return nil }
        self.init(note: note.isEmpty ? nil : String(note), heading: heading.map(String.init))
    }
}

extension UInt8 {
    var isIDCharacter: Bool { isASCIIWord || self == UInt8(ascii: "-") }
}

extension Substring.UTF8View {
    fileprivate var range: Range<String.Index> { startIndex..<endIndex }

    fileprivate func prefix(upTo limit: Int, while isPart: (UInt8) -> Bool) -> Substring.UTF8View {
        prefix(limit).prefix(while: isPart)
    }
}
