internal import Foundation
internal import Synchronization

/// What a search makes of a character beyond ASCII.
enum FoldedScalar: Sendable {
    /// Part of a word, without case, accents and ligatures: `ß` is `ss`, `É` is `e`, `Ａ` is `a`.
    case word([UInt8])
    /// Characters of a script that puts no spaces between words.
    case unspaced([[UInt8]])
    /// A picture, which is a word by itself.
    case symbol([UInt8])
    /// Half of a flag.
    case regional
    /// Nothing: an accent by itself, the colour of a hand, what only joins.
    case ignored
    /// What stands between words.
    case separator

    init(_ scalar: Unicode.Scalar) {
        let (value, properties) = (scalar.value, scalar.properties)
        self =
            if (0x1F1E6...0x1F1FF).contains(value) {
                .regional
            } else if properties.isVariationSelector || properties.isEmojiModifier || Self.isAccent(scalar) {
                .ignored
            } else if properties.generalCategory == .format {
                // This one is an invisible space.
                value == 0x200B ? .separator : .ignored
            } else if Self.isPicture(scalar) {
                .symbol(Self.symbol([scalar]))
            } else {
                Self.letters(Self.folded(scalar))
            }
    }

    private static func letters(_ folded: [Unicode.Scalar]) -> FoldedScalar {
        guard let first = folded.first else { return .ignored }
        if isUnspaced(first.value) { return .unspaced(folded.map { Array(String($0).utf8) }) }
        let properties = first.properties
        let isPart =
            properties.isAlphabetic || properties.numericType != nil
            || [.nonspacingMark, .spacingMark, .privateUse].contains(properties.generalCategory)
        guard isPart else { return .separator }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: folded)
        return .word(Array(String(text).utf8))
    }

    /// Several of them are one flag. They are spelled by numbers, as SQLite knows the characters of 2012 only.
    static func symbol(_ scalars: [Unicode.Scalar]) -> [UInt8] {
        Array(("__symbol__" + scalars.map { String($0.value, radix: 16) }.joined(separator: "_")).utf8)
    }

    /// Also the ideographs that SQLite does not know. Squared words (`㎏`) are words.
    private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
        let isSquared = (0x3200...0x33FF).contains(scalar.value)
        let properties = scalar.properties
        return properties.isEmoji || (properties.generalCategory == .otherSymbol && !isSquared)
            || (0x30000...0x3FFFF).contains(scalar.value)
    }

    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF: true
        // The vowel points of Hebrew and Arabic.
        case 0x591...0x5BD, 0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7, 0x64B...0x65F, 0x670: true
        default: false
        }
    }

    /// Chinese, Japanese, Korean (which has spaces, but not before its particles), Thai, Lao, Burmese, Khmer.
    private static func isUnspaced(_ value: UInt32) -> Bool {
        switch value {
        case 0x30FB: false
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x3007, 0x3041...0x312F, 0x31A0...0x31BF,
            0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0x20000...0x2FFFF:
            true
        default: false
        }
    }

    /// By the upper case, as only that takes `ß` apart.
    private static func folded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        var folded = String.UnicodeScalarView()
        for part in String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars {
            for upper in part.properties.uppercaseMapping.unicodeScalars {
                folded.append(
                    contentsOf: upper.properties.lowercaseMapping.unicodeScalars.filter { !isAccent($0) })
            }
        }
        return Array(String(folded).precomposedStringWithCanonicalMapping.unicodeScalars)
    }
}

/// What was found out about characters; it takes a microsecond for each.
struct FoldingTable: Sendable {
    private var known: [UInt32: FoldedScalar] = [:]

    static let shared = Mutex(FoldingTable())

    subscript(scalar: Unicode.Scalar) -> FoldedScalar {
        mutating get {
            if let folded = known[scalar.value] { return folded }
            let folded = FoldedScalar(scalar)
            known[scalar.value] = folded
            return folded
        }
    }
}
