import Notes

/// Somebody who edits at random, by every way there is.
struct RandomEditor {
    let library: NoteLibrary
    let name: String
    var random: SeededGenerator
    private(set) var counter = 0

    private static let lines = [
        "plain words", "**bold** and *italic*", "# A heading", "- one\n- two", "1. first\n2. second",
        "- [ ] open\n- [x] done",
        "> quoted\n> twice", "```swift\nlet x = 1\n```", "| a | b |\n| - | - |\n| c | d |", "see [[default-note]] #tag",
        "émigré 😀 naïve", "a `code` ~~gone~~",
    ]

    init(_ library: NoteLibrary, name: String, seed: UInt64) {
        self.library = library
        self.name = name
        random = SeededGenerator(seed: seed)
    }

    /// Makes one change to one note. Each has a word of its own, so that what is lost is missed.
    mutating func edit(_ note: String) async throws {
        counter += 1
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3: try await library.append(fresh(), to: note)
        case 3..<8: try await rewrite(note)
        case 8: try await library.rename(note, to: "Title by \(word)")
        default: try await library.pin(note, Bool.random(using: &random))
        }
    }

    private var word: String { "\(name)\(counter)" }

    private mutating func fresh() -> String {
        (Self.lines.randomElement(using: &random) ?? "") + "\n\nand \(word)"
    }

    private mutating func rewrite(_ note: String) async throws {
        let text = try await library.text(of: note)
        var lines = text.markdown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let place = Int.random(in: 0..<max(lines.count, 1), using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where lines.count > 4: lines.remove(at: min(place, lines.count - 1))
        case 1: lines.insert(contentsOf: ["", fresh(), ""], at: min(place, lines.count))
        default:
            let line = lines.isEmpty ? "" : lines[place]
            if lines.isEmpty { lines = [""] }
            let spot = line.indices.randomElement(using: &random) ?? line.endIndex
            lines[place] = line[..<spot] + " \(word) " + line[spot...]
        }
        try await library.replace(note, markdown: lines.joined(separator: "\n"), base: text.revision)
    }
}
