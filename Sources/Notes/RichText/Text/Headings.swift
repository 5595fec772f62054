extension RichText {
    /// A heading of the document, for an outline.
    public struct Heading: Hashable, Sendable {
        /// Where the heading is.
        public var path: Path
        /// The level, 1 for the largest.
        public var level: Int
        /// The text of the heading, trimmed.
        public var text: String
        /// What links to it name; headings that no editor has opened yet have none.
        public var id: String?
        /// For links in exported files.
        public var slug: String { RichText.slug(text) }
    }

    /// All headings in order, also those inside of lists, quotes and tables.
    public var headings: [Heading] {
        elements.compactMap { path, element in
            guard element.name == "heading" else { return nil }
            return Heading(
                path: path, level: element.headingLevel ?? 1,
                text: RichText.Node.element(element).text(between: " ").trimmed, id: element.attributes["id"]?.string)
        }
    }

    /// A heading's text in lower case with only ASCII letters, digits, `_` and `-`: `Two words!` is `two-words`.
    public static func slug(_ text: String) -> String {
        var slug = ""
        for scalar in text.lowercased().trimmed.unicodeScalars {
            let isSpace = scalar.isSpace || scalar == "-"
            guard isSpace || (scalar.isASCII && UInt8(scalar.value).isASCIIWord) else { continue }
            if !isSpace {
                slug.unicodeScalars.append(scalar)
            } else if !slug.isEmpty, slug.last != "-" {
                slug += "-"
            }
        }
        return slug.last == "-" ? String(slug.dropLast()) : slug
    }

    /// All elements with their paths, parents before children.
    var elements: [(path: Path, element: Element)] {
        var elements: [(path: Path, element: Element)] = []
        Self.collect(blocks, at: [], into: &elements)
        return elements
    }

    private static func collect(_ nodes: [Node], at path: Path, into elements: inout [(path: Path, element: Element)]) {
        for (index, node) in nodes.enumerated() {
            guard case .element(let element) = node else { continue }
            elements.append((path + [index], element))
            collect(element.children, at: path + [index], into: &elements)
        }
    }
}

extension RichText.Element {
    /// The level of a heading, 1 to 6. Some old notes have it as a string.
    var headingLevel: Int? {
        let level = attributes["level"]
        guard let number = level?.integer ?? level?.string.flatMap({ Int($0) }), (1...6).contains(number) else {
            return attributes["level"] == nil ? 1 : nil
        }
        return number
    }
}
