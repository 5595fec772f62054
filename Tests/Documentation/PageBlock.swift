import Foundation
import ProgramRunner

/// A fenced block of a page: what it is written in, what the page says about it behind the fence, and its lines.
struct PageBlock: Sendable, CustomStringConvertible {
    let page: String
    /// Of the opening fence, from 1.
    let line: Int
    /// The first word behind the fence.
    let language: String
    /// The other words: `name=value`, `name="some words"`, or a name alone.
    let attributes: [String: String]
    let lines: [String]

    var description: String { "\(page):\(line)" }
    var text: String { lines.joined(separator: "\n") }
    func has(_ attribute: String) -> Bool { attributes[attribute] != nil }

    struct Mistake: Error, CustomStringConvertible {
        let description: String
        init(_ block: PageBlock, _ text: String) { description = "\(block): \(text)" }
        init(_ text: String) { description = text }
    }
}

/// A Markdown file of the repository.
struct Page: Sendable, CustomStringConvertible {
    /// Within the repository.
    let path: String
    let text: String
    let blocks: [PageBlock]

    var description: String { path }

    init(path: String, text: String) throws {
        (self.path, self.text) = (path, text)
        blocks = try Self.blocks(of: text, in: path)
    }

    /// All of them: what a person reads at the top, in `docs`, and beside apps and examples.
    static let all: [Page] = {
        do {
            return try paths().map { path in
                try Page(
                    path: path,
                    text: String(contentsOf: Program.repository.appending(path: path), encoding: .utf8))
            }
        } catch {
            // A page that cannot be read shows itself in every test, by the name of what is wrong.
            return [Page(unreadable: "\(error)")]
        }
    }()

    private init(unreadable reason: String) { (path, text, blocks) = (reason, "", []) }

    private static func paths() throws -> [String] {
        let top = try FileManager.default.contentsOfDirectory(atPath: Program.repository.path)
        var paths = top.filter { $0.hasSuffix(".md") }
        for folder in ["docs", "Apps", "Examples"] {
            let inside = try FileManager.default.subpathsOfDirectory(
                atPath: Program.repository.appending(path: folder).path)
            paths += inside.filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
        }
        return paths.sorted()
    }

    /// The blocks, in order, also those in comments: they prepare what a reader has already, and do what somebody else does.
    private static func blocks(of text: String, in path: String) throws -> [PageBlock] {
        var blocks: [PageBlock] = []
        var open: (fence: Substring, line: Int, words: [String], lines: [String])?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let trimmed = line.drop { $0 == " " }
            let fence = trimmed.prefix { $0 == trimmed.first }
            let isFence = fence.count >= 3 && (fence.first == "`" || fence.first == "~")
            if var block = open {
                if isFence, fence.count >= block.fence.count, fence.first == block.fence.first,
                    trimmed.dropFirst(fence.count).allSatisfy(\.isWhitespace)
                {
                    let attributes = Dictionary(
                        block.words.dropFirst().map(attribute), uniquingKeysWith: { $1 })
                    blocks.append(
                        PageBlock(
                            page: path, line: block.line, language: block.words.first ?? "", attributes: attributes,
                            lines: block.lines))
                    open = nil
                } else {
                    block.lines.append(String(line))
                    open = block
                }
            } else if isFence {
                open = (fence, index + 1, words(String(trimmed.dropFirst(fence.count))), [])
            }
        }
        if let open { throw PageBlock.Mistake("\(path):\(open.line): this block has no end") }
        return blocks
    }

    /// Separated by blanks, but for those between quotation marks.
    private static func words(_ text: String) -> [String] {
        var words = [""]
        var isQuoted = false
        for character in text {
            switch character {
            case "\"": isQuoted.toggle()
            case " " where !isQuoted: words.append("")
            default: words[words.count - 1].append(character)
            }
        }
        return words.filter { !$0.isEmpty }
    }

    private static func attribute(_ word: String) -> (String, String) {
        guard let equals = word.firstIndex(of: "=") else { return (word, "") }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }
}
