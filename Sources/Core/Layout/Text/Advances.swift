/// How wide characters are, in thousandths of an em: the built-in table that stands for a font, so that text is measured
/// alike on every machine.
///
/// ASCII has the advances of Helvetica. Of the rest, what East Asian typography calls wide, and emoji, are one em;
/// combining marks, joiners and other format characters are nothing; letters have a common width.
enum Advances {
    /// The advance of a scalar that stands alone.
    static func of(_ scalar: Unicode.Scalar) -> Int {
        let value = Int(scalar.value)
        if value < near.count { return Int(near[value]) }
        if isWide(scalar.value) { return 1000 }
        return looked(up: scalar)
    }

    /// The advance of a grapheme: that of its widest scalar. An emoji sequence, a flag and a letter with marks are drawn
    /// in the room of one.
    static func of(_ character: Character) -> Int {
        character.unicodeScalars.reduce(0) { widest, scalar in
            max(widest, scalar == "\u{FE0F}" ? 1000 : of(scalar))
        }
    }

    @inline(__always)
    static func ofASCII(_ byte: UInt8) -> Int { Int(near[Int(byte)]) }

    static let tab = 4 * 278

    /// The advances of U+0020 to U+007E.
    private static let ascii: [Int16] = [
        278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,  // space to /
        556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,  // 0 to ?
        1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,  // @ to O
        667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,  // P to _
        333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,  // ` to o
        556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,  // p to ~
    ]

    /// The first three blocks of Unicode that text is mostly made of, looked up once.
    private static let near: [Int16] = (0..<0x1100).map { value in
        if (0x20...0x7E).contains(value) { return ascii[value - 0x20] }
        guard let scalar = Unicode.Scalar(UInt32(value)) else { return 0 }
        return Int16(looked(up: scalar))
    }

    private static func looked(up scalar: Unicode.Scalar) -> Int {
        if scalar == "\t" { return tab }
        if scalar == "\u{A0}" { return 278 }
        if !scalar.isShown { return 1000 }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator: return 0
        case .uppercaseLetter, .titlecaseLetter: return 722
        case .spaceSeparator: return 278
        default: return properties.isEmojiPresentation ? 1000 : 600
        }
    }

    /// East Asian Wide and Fullwidth, and the blocks of emoji.
    static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0..<0x1100: false
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
            0x1F000...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}

extension Unicode.Scalar {
    /// Whether XML can say it and a person can see it. What is not shown is drawn as U+FFFD: control characters, and what
    /// is not a character.
    var isShown: Bool {
        switch value {
        case 0..<0x20: self == "\t" || self == "\n" || self == "\r"
        case 0x7F...0x9F: value == 0x85
        default: value & 0xFFFE != 0xFFFE
        }
    }
}
