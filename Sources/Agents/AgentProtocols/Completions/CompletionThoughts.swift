/// Tells thoughts from the answer where a server leaves them in the text: open models write `<think>…</think>` at its very beginning. A later mark is
/// text, because an answer may be about such marks.
package struct CompletionThoughts: Sendable, Hashable {
    /// A piece of the text.
    package enum Piece: Sendable, Hashable {
        case thought(String)
        case text(String)
    }

    private enum Place: Sendable, Hashable {
        /// Nothing came but blanks, and perhaps some of the mark.
        case beginning
        case thoughts
        /// Behind the thoughts. Blanks there belong to neither.
        case gap
        case answer
    }

    private static let (opening, closing) = ("<think>", "</think>")
    /// Characters that may stand before the thoughts. They are held back, so there is an end to them.
    private static let blanks = 64

    private var place = Place.beginning
    /// What may be a part of a mark.
    private var held = ""

    package init() {}

    /// Takes a piece of the text as it comes.
    package mutating func take(_ text: String) -> [Piece] {
        guard place != .answer else { return text.isEmpty ? [] : [.text(text)] }
        held += text
        var pieces: [Piece] = []
        if place == .beginning { begin() }
        if place == .thoughts {
            let thought = think()
            if !thought.isEmpty { pieces.append(.thought(thought)) }
        }
        if place == .gap {
            held = String(held.unicodeScalars.drop { $0.properties.isWhitespace })
            if !held.isEmpty { place = .answer }
        }
        if place == .answer, !held.isEmpty {
            pieces.append(.text(held))
            held = ""
        }
        return pieces
    }

    /// What was held back, when nothing follows. Thoughts that do not end are thoughts.
    package mutating func end() -> [Piece] {
        let (rest, isThought) = (held, place == .thoughts)
        (held, place) = ("", .answer)
        guard !rest.isEmpty else { return [] }
        return isThought ? [.thought(rest)] : [.text(rest)]
    }

    /// Goes on into the thoughts or the answer, as soon as it is known which of them begins.
    private mutating func begin() {
        let count = held.unicodeScalars.prefix { $0.properties.isWhitespace }.count
        let rest = held.unicodeScalars.dropFirst(count)
        if count <= Self.blanks, rest.starts(with: Self.opening.unicodeScalars) {
            held = String(rest.dropFirst(Self.opening.unicodeScalars.count))
            place = .thoughts
        } else if count > Self.blanks || !Self.opening.unicodeScalars.starts(with: rest) {
            place = .answer
        }
    }

    /// Takes the thoughts out of what is held, and goes on into the gap if they end in it.
    private mutating func think() -> String {
        if let mark = held.utf8.firstRange(of: Self.closing.utf8) {
            let thought = String(held[..<mark.lowerBound])
            held = String(held[mark.upperBound...])
            place = .gap
            return thought
        }
        var count = min(Self.closing.utf8.count - 1, held.utf8.count)
        while count > 0, !held.utf8.suffix(count).elementsEqual(Self.closing.utf8.prefix(count)) { count -= 1 }
        let end = held.utf8.index(held.endIndex, offsetBy: -count)
        let thought = String(held[..<end])
        held = String(held[end...])
        return thought
    }
}
