/// What a document may consist of when it is written.
///
/// The desktop app takes away whatever breaks these rules from the shared document. So all that is written here keeps
/// to them, while documents that are read may hold anything.
public enum Schema {
    /// What an element may have inside.
    enum Content: Sendable {
        case nothing
        /// One or more blocks.
        case blocks
        /// Text with marks and inline elements, or nothing.
        case inline
        /// Text without marks, or nothing.
        case plainText
        /// One or more elements with these names.
        case elements(Set<String>)
        /// A paragraph, then any blocks.
        case item
    }

    struct Rule: Sendable {
        var content: Content
        var attributes: [String: Attribute] = [:]
        /// The one attribute that may not be missing.
        var required: String?

        func admits(_ value: RichText.Value?, for name: String) -> Bool {
            guard let value, value != .null else { return name != required }
            return attributes[name]?.admits(value) ?? false
        }
    }

    /// What a value may be. Null is the same as no attribute.
    enum Attribute: Sendable {
        case string
        case bool
        case integer(ClosedRange<Int>)
        case number
        case oneOf(Set<String>)
        case numbers

        func admits(_ value: RichText.Value) -> Bool {
            switch self {
            case .string: return value.string != nil
            case .bool: return value.bool != nil
            case .integer(let range): return value.integer.map(range.contains) ?? false
            case .number: return value.number != nil
            case .oneOf(let choices): return value.string.map(choices.contains) ?? false
            case .numbers:
                guard case .array(let values) = value else { return false }
                return values.allSatisfy { $0.number != nil }
            }
        }
    }

    /// CommonMark takes no more than nine digits.
    static let listStartLimit = 999_999_999

    static let blocks: Set<String> = [
        "paragraph", "heading", "bulletList", "orderedList", "blockquote", "codeBlock", "horizontalRule", "table",
        "notecoveImage", "oembedUnfurl",
    ]
    static let inlines: Set<String> = ["hardBreak", "mentionNode"]

    static let rules: [String: Rule] = [
        "paragraph": Rule(content: .inline),
        "heading": Rule(
            content: .inline,
            attributes: ["level": .integer(1...6), "collapsed": .bool, "id": .string], required: "level"),
        "bulletList": Rule(content: .elements(["listItem", "taskItem"])),
        "orderedList": Rule(
            content: .elements(["listItem", "taskItem"]),
            attributes: ["start": .integer(0...listStartLimit), "type": .string]),
        "listItem": Rule(content: .item),
        "taskItem": Rule(content: .item, attributes: ["checked": .oneOf(["unchecked", "checked", "nope"])]),
        "blockquote": Rule(content: .blocks),
        "codeBlock": Rule(content: .plainText, attributes: ["language": .string, "showLineNumbers": .bool]),
        "horizontalRule": Rule(content: .nothing),
        "table": Rule(content: .elements(["tableRow"])),
        "tableRow": Rule(content: .elements(["tableHeader", "tableCell"])),
        "tableHeader": cell,
        "tableCell": cell,
        "notecoveImage": Rule(
            content: .nothing,
            attributes: [
                "imageId": .string, "sdId": .string, "alt": .string, "caption": .string, "width": .string,
                "linkHref": .string,
            ], required: "imageId"),
        "oembedUnfurl": Rule(
            content: .nothing,
            attributes: [
                "url": .string, "oembedType": .string, "title": .string, "description": .string,
                "thumbnailUrl": .string, "providerName": .string, "providerUrl": .string, "authorName": .string,
                "html": .string, "width": .number, "height": .number, "fetchedAt": .number, "isLoading": .bool,
                "error": .string, "errorType": .string,
            ], required: "url"),
        "hardBreak": Rule(content: .nothing),
        "mentionNode": Rule(
            content: .nothing,
            attributes: ["profileId": .string, "handle": .string, "displayName": .string]),
    ]

    private static let cell = Rule(
        content: .blocks,
        attributes: [
            "colspan": .integer(1...1000), "rowspan": .integer(1...1000), "colwidth": .numbers,
            "textAlign": .oneOf(["left", "center", "right"]),
        ])

    /// Whether a mark may be written on text outside of code blocks.
    static func admits(mark name: String, _ value: RichText.Value) -> Bool {
        guard let object = value.object else { return false }
        switch baseName(ofMark: name) {
        case "bold", "italic", "underline", "strike", "code": return name == baseName(ofMark: name)
        case "link": return name == "link" && object["href"]?.string != nil
        case "commentMark": return object["threadId"]?.string != nil
        default: return false
        }
    }

    /// The name without the hash that keeps overlapping marks apart: `commentMark--mabJ5Uiu` is `commentMark`.
    public static func baseName(ofMark name: String) -> String {
        let bytes = name.utf8
        guard bytes.count > 10 else { return name }
        let hash = bytes.suffix(8)
        let isBase64 = hash.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+/=".utf8.contains($0) }
        guard isBase64, bytes.dropLast(8).suffix(2).elementsEqual("--".utf8) else { return name }
        return String(bytes.dropLast(10)) ?? name
    }
}
