/// A mark that Markdown shows.
enum ShownMark: Hashable {
    case link(href: String, mode: String?)
    case bold
    case strike
    case underline
    case italic
    case code

    /// What a link may be shown as; `auto` is not shown.
    static let modes = ["chip", "unfurl", "link"]

    init?(_ name: String, _ value: RichText.Value) {
        guard value != .null else { return nil }
        switch name {
        case "bold": self = .bold
        case "italic": self = .italic
        case "underline": self = .underline
        case "strike": self = .strike
        case "code": self = .code
        case "link":
            // The scheme of mentions is taken.
            guard let link = value.object, let href = link["href"]?.string, !href.hasPrefix("mention:") else {
                return nil
            }
            self = .link(href: href, mode: link["displayMode"]?.string.flatMap { Self.modes.contains($0) ? $0 : nil })
        default: return nil
        }
    }

    var name: String {
        switch self {
        case .link: "link"
        case .bold: "bold"
        case .strike: "strike"
        case .underline: "underline"
        case .italic: "italic"
        case .code: "code"
        }
    }

    /// From the outermost to the innermost, among marks of the same length.
    var rank: Int {
        switch self {
        case .link: 0
        case .bold: 1
        case .strike: 2
        case .underline: 3
        case .italic: 4
        case .code: 5
        }
    }

    /// What stands on both sides where the rules of CommonMark allow it.
    var delimiter: String? {
        switch self {
        case .bold: "**"
        case .italic: "_"
        case .strike: "~~"
        case .link, .underline, .code: nil
        }
    }

    /// What stands on both sides otherwise, in angle brackets.
    var tag: String {
        switch self {
        case .link: "a"
        case .bold: "b"
        case .strike: "s"
        case .underline: "u"
        case .italic: "i"
        case .code: "code"
        }
    }

    static let names = ["b": "bold", "s": "strike", "u": "underline", "i": "italic", "code": "code"]
}
