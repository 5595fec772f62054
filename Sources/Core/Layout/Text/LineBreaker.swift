/// One line of a text: where it is, in bytes of UTF-8, and how far it reaches, in thousandths of an em. Spaces that hang
/// over its end count as bytes and not as width.
struct TextLine: Sendable, Hashable {
    var start: Int
    var end: Int
    var advance: Int
}

/// Breaks a text into lines as its graphemes come.
///
/// A line ends at a newline, after a space or a hyphen, beside a wide character, or, if a word is longer than a line,
/// between two graphemes; never within one.
struct LineBreaker {
    enum Kind { case newline, space, hyphen, wide, other }

    private let limit: Int
    private(set) var lines: [TextLine] = []
    private var offset = 0
    private var start = 0
    /// The advance of everything since `start`, and the same without the spaces at the end.
    private var advance = 0
    private var inked = 0
    /// The last place where the line may end, and what its advances were there.
    private var opportunity: (offset: Int, advance: Int, inked: Int)?

    init(limit: Int) { self.limit = limit }

    /// Takes the next grapheme, of `length` bytes.
    @inline(__always)
    mutating func take(length: Int, advance width: Int, _ kind: Kind) {
        switch kind {
        case .newline:
            endLine(at: offset, inked)
            start = offset + length
        case .space:
            advance += width
            opportunity = (offset + length, advance, inked)
        case .hyphen, .wide, .other:
            if kind == .wide, advance > 0 { opportunity = (offset, advance, inked) }
            if advance + width > limit { wrap(width) }
            advance += width
            inked = advance
            if kind != .other { opportunity = (offset + length, advance, inked) }
        }
        offset += length
    }

    /// Makes room for a grapheme that does not fit on the line.
    private mutating func wrap(_ width: Int) {
        if let last = opportunity, last.offset > start {
            let rest = advance - last.advance
            endLine(at: last.offset, last.inked)
            start = last.offset
            advance = rest
            inked = rest
        }
        guard advance + width > limit, offset > start else { return }
        endLine(at: offset, inked)
        start = offset
    }

    private mutating func endLine(at end: Int, _ width: Int) {
        lines.append(TextLine(start: start, end: end, advance: width))
        advance = 0
        inked = 0
        opportunity = nil
    }

    /// All lines; a text has at least one.
    mutating func finish() -> [TextLine] {
        endLine(at: offset, inked)
        return lines
    }
}

extension LineBreaker {
    /// The lines of `text` when none may be wider than `limit` thousandths of an em.
    static func lines(of text: String, limit: Int) -> [TextLine] {
        var breaker = LineBreaker(limit: limit)
        if text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) {
            for byte in text.utf8 { breaker.take(length: 1, advance: Advances.ofASCII(byte), Kind(byte)) }
        } else if text.unicodeScalars.allSatisfy(\.standsAlone) {
            for scalar in text.unicodeScalars {
                breaker.take(length: UTF8.width(scalar), advance: Advances.of(scalar), Kind(scalar))
            }
        } else {
            for character in text { breaker.take(character) }
        }
        return breaker.finish()
    }

    private mutating func take(_ character: Character) { take(character, advance: Advances.of(character)) }

    /// Takes the next grapheme, measured in whatever unit the limit has.
    mutating func take(_ character: Character, advance: Int) {
        take(length: character.utf8.count, advance: advance, character.unicodeScalars.first.map(Kind.init) ?? .other)
    }
}

extension LineBreaker.Kind {
    @inline(__always)
    init(_ byte: UInt8) {
        switch byte {
        case 0x0A...0x0D: self = .newline
        case UInt8(ascii: " "), UInt8(ascii: "\t"): self = .space
        case UInt8(ascii: "-"): self = .hyphen
        default: self = .other
        }
    }

    /// The class of a grapheme, by its first scalar.
    init(_ first: Unicode.Scalar) {
        switch first.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: self = .newline
        case 0x09, 0x20, 0x200B, 0x3000: self = .space
        case 0x2D, 0x2010, 0x2013, 0x2014: self = .hyphen
        // No break at the no-break spaces; and most text has no other spaces.
        case 0...0x167F, 0x2007, 0x202F: self = .other
        case _ where Advances.isWide(first.value): self = .wide
        default: self = first.properties.isWhitespace ? .space : .other
        }
    }
}

extension Unicode.Scalar {
    /// Whether this scalar is a grapheme whatever stands beside it, if the same is true of that: the letters and signs of
    /// Latin, Greek, Cyrillic and Armenian, common punctuation, kana and ideographs. Spares looking for graphemes.
    fileprivate var standsAlone: Bool {
        switch value {
        case 0x0D: false
        case 0...0x2FF, 0x370...0x482, 0x48A...0x590, 0x2010...0x2027, 0x3041...0x3096, 0x30A0...0x30FF,
            0x4E00...0x9FFF:
            true
        default: false
        }
    }
}
