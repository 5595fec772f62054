internal import Foundation

/// A Markdown file of an import in which numbers stand for what is no Markdown: links by title, embeds and footnotes.
///
/// They are looked for before the Markdown is read, as a title may have any characters in it. Those that stand in code are put back.
struct ImportedText {
    enum Part {
        /// `[[Title#Heading|words]]`
        case link(WikiLink)
        /// `![[Title]]`
        case embed(WikiLink)
        /// `![[picture.png|words|300]]`, the address of a picture that is there.
        case picture(address: String, words: String, width: String?)
        /// `[^1]`
        case footnote
    }

    private(set) var markdown = ""
    private(set) var parts: [(part: Part, source: String)] = []
    /// Whether the embedded file is a picture that can be taken along.
    private let isPicture: (String) -> Bool

    /// How long a link may be in the text, in bytes.
    private static let limit = 1_000

    init(_ text: String, isPicture: @escaping (String) -> Bool) {
        self.isPicture = isPicture
        guard text.utf8.contains(UInt8(ascii: "[")) else {
            markdown = text
            return
        }
        var fence: Substring?
        var isBlank = true
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let indent = line.prefix { $0 == " " }.count
            let words = line.dropFirst(indent)
            let mark = words.prefix { $0 == words.first }
            if indent < 4, mark.count >= 3, mark.first == "`" || mark.first == "~" {
                if let open = fence {
                    if mark.hasPrefix(open), words.allSatisfy({ $0 == mark.first || $0.isWhitespace }) { fence = nil }
                } else if mark.first == "~" || !words.dropFirst(mark.count).contains("`") {
                    fence = mark
                }
                markdown += line + "\n"
            } else if fence != nil {
                markdown += line + "\n"
            } else {
                // Footnotes below each other are paragraphs, and none is a definition of a link.
                if indent < 4, !isBlank, let label = Self.footnote(in: words), words[label.endIndex...].hasPrefix(":") {
                    markdown += "\n"
                }
                add(line)
                markdown += "\n"
            }
            isBlank = words.isEmpty
        }
        markdown.removeLast()
    }

    private mutating func add(_ line: Substring) {
        var rest = line
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "[")) {
            let before = rest[..<open]
            let behind = rest[open...]
            let isEscaped = before.endsUnescaped(with: UInt8(ascii: "\\"))
            guard !isEscaped, let (end, inner) = Self.link(in: behind) else {
                if !isEscaped, let label = Self.footnote(in: behind) {
                    markdown += before
                    append(.footnote, source: String(label))
                    rest = rest[label.endIndex...]
                } else {
                    markdown += rest[...open]
                    rest = rest[rest.utf8.index(after: open)...]
                }
                continue
            }
            let source = String(behind[..<end])
            if before.endsUnescaped(with: UInt8(ascii: "!")) {
                markdown += before.dropLast()
                embed(WikiLink(inner), source: "!" + source)
            } else {
                markdown += before
                append(.link(WikiLink(inner)), source: source)
            }
            rest = rest[end...]
        }
        markdown += rest
    }

    private mutating func append(_ part: Part, source: String) {
        markdown += Placeholders.text(parts.count)
        parts.append((part, source))
    }

    private mutating func embed(_ link: WikiLink, source: String) {
        guard isPicture(link.name) else { return append(.embed(link), source: source) }
        var words = (link.words ?? "").split(separator: "|").map(String.init)
        let size = words.last?.prefix { $0.isASCII && $0.isNumber } ?? ""
        let width = size.isEmpty || size.count > 5 ? nil : "\(size)px"
        if width != nil { words.removeLast() }
        let index = parts.count
        markdown += "!["
        append(.picture(address: link.name, words: words.joined(separator: " "), width: width), source: source)
        markdown += "](\(Self.scheme)\(index))"
    }

    private static let scheme = "import:"

    /// What stands for a picture that was embedded.
    func part(behind address: String) -> (index: Int, address: String)? {
        guard address.hasPrefix(Self.scheme), let index = Int(address.dropFirst(Self.scheme.count)),
            parts.indices.contains(index), case .picture(let address, _, _) = parts[index].part
        else { return nil }
        return (index, address)
    }

    /// The text as it was in the file.
    func restoring(_ text: String) -> String {
        let restored = Placeholders.replace(in: text, count: parts.count) { index, _, _ in parts[index].source }
        guard restored.contains("](\(Self.scheme)") else { return restored }
        return restored.replacing(/!\[(!\[\[[^\[\]\n]*\]\])\]\(import:\d+\)/) { String($0.1) }
    }

    /// A link at the start of the text, without what stands in it.
    private static func link(in text: Substring) -> (end: Substring.Index, inner: Substring)? {
        guard text.hasPrefix("[[") else { return nil }
        let start = text.utf8.index(text.startIndex, offsetBy: 2)
        let inner = text.utf8[start...].prefix(limit).prefix { $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: "[") }
        let behind = text[inner.endIndex...]
        guard !inner.isEmpty, behind.hasPrefix("]]") else { return nil }
        let end = text.utf8.index(inner.endIndex, offsetBy: 2)
        // Then it is the text of a link.
        guard !text[end...].hasPrefix("("), !text[end...].hasPrefix("[") || text[end...].hasPrefix("[[") else {
            return nil
        }
        return (end, text[start..<inner.endIndex])
    }

    /// `[^label]` at the start of the text.
    private static func footnote(in text: Substring) -> Substring? {
        guard text.hasPrefix("[^") else { return nil }
        let label = text.dropFirst(2).prefix(100).prefix { $0 != "]" && $0 != "[" && !$0.isWhitespace }
        let behind = text[label.endIndex...]
        guard !label.isEmpty, behind.hasPrefix("]"), !behind.hasPrefix("](") else { return nil }
        return text[...label.endIndex]
    }
}

/// What stands between the brackets: a name, a heading, and the words that are shown.
struct WikiLink {
    let name: String
    let heading: String?
    let words: String?

    init(_ inner: Substring) {
        // In a table a bar has a backslash.
        let parts = inner.replacing("\\|", with: "|").split(
            separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        let target = (parts.first ?? "").split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        name = (target.first ?? "").trimmingCharacters(in: .whitespaces)
        heading = target.count > 1 ? target[1].trimmingCharacters(in: .whitespaces) : nil
        words = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : nil
    }
}
