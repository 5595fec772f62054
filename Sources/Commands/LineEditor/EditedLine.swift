/// A text that is being written, and the place in it where the next character goes. A character is what a person takes for
/// one: a letter with its marks, an emoji of many parts.
package struct EditedLine: Sendable {
    /// Bytes of UTF-8 in a text. A message has at most 64 KiB; the core refuses a longer one with a sentence.
    package static let limit = 1 << 20

    package private(set) var characters: [Character] = []
    /// The number of characters before the place.
    package private(set) var cursor = 0
    /// Bytes of UTF-8.
    private var bytes = 0
    /// Bytes of one character to which marks may still be added: more than any script or emoji has.
    static let characterLimit = 256
    /// What was deleted last by a key that deletes more than a character.
    private var deleted: [Character] = []

    package init() {}

    package var text: String { String(characters) }
    package var isEmpty: Bool { characters.isEmpty }

    /// The same with a dot for each character.
    var covered: EditedLine {
        var line = EditedLine()
        line.characters = characters.map { _ in "•" }
        line.cursor = cursor
        return line
    }

    /// Makes this the text, and goes to its end.
    package mutating func replace(with text: String) {
        characters = Array(text)
        cursor = characters.count
        bytes = text.utf8.count
    }

    /// Puts a text in at the cursor.
    /// - Returns: false if there is no room for it.
    mutating func insert(_ text: String) -> Bool {
        guard bytes + text.utf8.count <= Self.limit else { return false }
        // A mark joins the letter before it, and both are one character then.
        let before = cursor > 0 ? String(characters[cursor - 1]) : ""
        if before.utf8.count > Self.characterLimit, (before + text).count == 1 { return false }
        bytes += text.utf8.count
        let joined = Array(before + text)
        characters.replaceSubrange(max(cursor - 1, 0)..<cursor, with: joined)
        cursor = max(cursor - 1, 0) + joined.count
        return true
    }

    mutating func move(to place: Int) { cursor = min(max(place, 0), characters.count) }

    /// Deletes the characters between the cursor and another place.
    mutating func delete(to place: Int, keeps: Bool) {
        let other = min(max(place, 0), characters.count)
        let range = min(cursor, other)..<max(cursor, other)
        guard !range.isEmpty else { return }
        if keeps { deleted = Array(characters[range]) }
        bytes -= characters[range].reduce(0) { $0 + $1.utf8.count }
        characters.removeSubrange(range)
        cursor = range.lowerBound
    }

    mutating func yank() -> Bool { insert(String(deleted)) }

    /// Where the word before the cursor begins.
    var wordStart: Int {
        var place = cursor
        while place > 0, characters[place - 1].isWhitespace { place -= 1 }
        while place > 0, !characters[place - 1].isWhitespace { place -= 1 }
        return place
    }

    /// Where the word after the cursor ends.
    var wordEnd: Int {
        var place = cursor
        while place < characters.count, characters[place].isWhitespace { place += 1 }
        while place < characters.count, !characters[place].isWhitespace { place += 1 }
        return place
    }
}
