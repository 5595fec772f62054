internal import Foundation
internal import RichText

/// What stands between two lines `---` at the beginning of a file: its properties, in YAML.
///
/// The title and the tags of the note are taken from it. All else is kept as it stands.
struct FrontMatter {
    private(set) var title: String?
    /// Other names of the note in links.
    private(set) var aliases: [String] = []
    /// Without `#`.
    private(set) var tags: [String] = []
    /// The lines that say something else, and the names of these properties.
    private(set) var rest: [Substring] = []
    private(set) var unknown: [String] = []

    private static let lineLimit = 1_000

    /// Takes the front matter off a text that has line feeds at the ends of its lines. A text that only looks so stays as it is.
    init?(takenFrom text: inout String) {
        guard text.hasPrefix("---\n") else { return nil }
        var lines: [Substring] = []
        var start = text.utf8.index(text.startIndex, offsetBy: 4)
        while true {
            guard lines.count < Self.lineLimit, start < text.endIndex else { return nil }
            let end = text.utf8[start...].firstIndex(of: 0x0A) ?? text.endIndex
            let line = text[start..<end]
            start = end < text.endIndex ? text.utf8.index(after: end) : end
            if line.trimmingCharacters(in: .whitespaces) == "---" || line == "..." { break }
            lines.append(line)
        }
        guard take(lines) else { return nil }
        text = String(text[start...])
    }

    /// - Returns: false if these are not properties.
    private mutating func take(_ lines: [Substring]) -> Bool {
        var properties: [(name: String, lines: [Substring])] = []
        for line in lines {
            let isInside = line.isEmpty || " \t-#".contains(line.first ?? " ")
            if isInside {
                if properties.isEmpty { properties.append(("", [])) }
                properties[properties.count - 1].lines.append(line)
            } else {
                guard let colon = line.firstIndex(of: ":") else { return false }
                let behind = line[line.index(after: colon)...].first
                guard behind == nil || behind == " " || behind == "\t" else { return false }
                properties.append((String(line[..<colon]), [line]))
            }
        }
        guard properties.contains(where: { !$0.name.isEmpty }) || lines.allSatisfy(\.isEmpty) else { return false }
        for property in properties { take(property.name.lowercased(), property.lines) }
        return true
    }

    private mutating func take(_ name: String, _ lines: [Substring]) {
        let values = Self.values(lines)
        switch name {
        case "title" where values.count == 1 && title == nil: return title = values[0]
        case "tags", "tag", "keywords":
            let words = values.flatMap { value in
                value.split { $0 == " " || $0 == "," }.map { word in String(word.drop { $0 == "#" }) }
            }
            // A tag that notes cannot have stays where it is.
            guard words.allSatisfy({ RichText.tags(in: "#" + $0) == [$0.lowercased()] }) else { break }
            return tags += words
        case "aliases", "alias":
            aliases += values
            return rest += lines
        case "": return rest += lines.filter { !$0.isEmpty }
        default: break
        }
        rest += lines
        unknown.append(name)
    }

    /// A value, or those of a list, which stands in brackets or below.
    private static func values(_ lines: [Substring]) -> [String] {
        guard let first = lines.first, let colon = first.firstIndex(of: ":") else { return [] }
        var inline = first[first.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        var values: [String] = []
        if inline.hasPrefix("["), inline.hasSuffix("]") {
            inline = String(inline.dropFirst().dropLast())
            values = inline.split(separator: ",").map(String.init)
        } else if !inline.isEmpty {
            values = [inline]
        }
        for line in lines.dropFirst() {
            let item = line.trimmingCharacters(in: .whitespaces)
            if item.hasPrefix("- ") { values.append(String(item.dropFirst(2))) }
        }
        return values.map { value in
            let value = value.trimmingCharacters(in: .whitespaces)
            guard value.count > 1, let quote = value.first, quote == "\"" || quote == "'", value.last == quote else {
                return value
            }
            return String(value.dropFirst().dropLast())
        }.filter { !$0.isEmpty }
    }

    /// What comes below the title: the tags that the text does not have, and what was not understood.
    func blocks(besides content: RichText) -> [RichText.Node] {
        var blocks: [RichText.Node] = []
        let known = Set(content.tags)
        let missing = tags.filter { !known.contains($0.lowercased()) }
        if !missing.isEmpty {
            let words = missing.map { "#" + $0 }.joined(separator: " ")
            blocks.append(.element(.init("paragraph", [:], [.text([.init(words)])])))
        }
        let text = rest.joined(separator: "\n").trimmingCharacters(in: .newlines)
        if !text.isEmpty {
            blocks.append(.element(.init("codeBlock", ["language": "yaml"], [.text([.init(text)])])))
        }
        return blocks
    }
}
