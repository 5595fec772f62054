/// Where text stands, as far as its escapes depend on it.
struct TextPlace {
    var isLineStart = false
    var isLineEnd = false
    /// A table's cell, where a bar ends the text.
    var isCell = false
    var isHeading = false
    /// Between the brackets of a link, where brackets are all escaped.
    var isLink = false
}

enum Escaping {
    /// Text that CommonMark reads back as it is.
    static func text(_ text: String, _ place: TextPlace) -> String {
        if isPlain(text, place) { return text }
        let scalars = Array(text.unicodeScalars)
        let verbatim = place.isLink ? [] : linkBrackets(in: text)
        var escaped = String.UnicodeScalarView()
        let start = place.isLineStart ? lineStart(scalars) : nil
        for (index, scalar) in scalars.enumerated() {
            let before = index > 0 ? scalars[index - 1] : nil
            let after = index + 1 < scalars.count ? scalars[index + 1] : nil
            let isEdge = (before == nil && place.isLineStart) || (after == nil && place.isLineEnd)
            if needsEntity(scalar) || (scalar == " " && isEdge) {
                escaped.append(contentsOf: entity(scalar).unicodeScalars)
                continue
            }
            let isLastOfHeading = place.isHeading && scalar == "#" && after == nil
            let isMeant = verbatim.contains(index)
            if !isMeant, index == start || isLastOfHeading || isSpecial(scalar, before, after, place) {
                escaped.append("\\")
            }
            escaped.append(scalar == "\0" ? "\u{fffd}" : scalar)
        }
        return String(escaped)
    }

    /// Whether nothing in a text could mean anything, as in most texts.
    private static func isPlain(_ text: String, _ place: TextPlace) -> Bool {
        guard let first = text.utf8.first, let last = text.utf8.last else { return true }
        let isStartPlain = !place.isLineStart || first.isASCIILetter
        let isEndPlain =
            !(place.isLineEnd && last == UInt8(ascii: " ")) && !(place.isHeading && last == UInt8(ascii: "#"))
        return isStartPlain && isEndPlain && text.utf8.allSatisfy { isPlain[Int($0)] }
    }

    private static let isPlain: [Bool] = (0..<256).map { byte in
        byte >= 0x20 && byte != 0x7F && byte != 0xEF && !"\\*`[]_~<&!|".utf8.contains(UInt8(byte))
    }

    /// Controls, which would end the line or be trimmed, and the byte order mark.
    private static func needsEntity(_ scalar: Unicode.Scalar) -> Bool {
        (scalar.value < 0x20 && scalar.value > 0) || scalar.value == 0x7F || scalar.value == 0xFEFF
    }

    static func entity(_ scalar: Unicode.Scalar) -> String { "&#\(scalar.value);" }

    private static func isSpecial(
        _ scalar: Unicode.Scalar, _ before: Unicode.Scalar?, _ after: Unicode.Scalar?, _ place: TextPlace
    ) -> Bool {
        switch scalar {
        case "\\", "*", "`", "[", "]": true
        case "_": !(before?.isASCIIAlphanumeric == true && after?.isASCIIAlphanumeric == true)
        case "~": before == nil || after == nil || before == "~" || after == "~"
        case "<": after.map { $0.isASCIIAlphanumeric || "/!?".unicodeScalars.contains($0) } ?? true
        case "&": after.map { $0.isASCIIAlphanumeric || $0 == "#" } ?? true
        case "!": after == nil
        case "|": place.isCell || (before == nil && place.isLineStart)
        default: false
        }
    }

    /// The index of what would begin a block if it stood at the beginning of a line as it is.
    private static func lineStart(_ scalars: [Unicode.Scalar]) -> Int? {
        guard let first = scalars.first else { return nil }
        switch first {
        case "#":
            let after = scalars.drop { $0 == "#" }.first
            return after == nil || after == " " || after == "\t" ? 0 : nil
        case ">": return 0
        case "-", "+", "=", ":":
            return scalars.count > 1 && scalars[1].isASCIIAlphanumeric ? nil : 0
        case "0"..."9":
            let digits = scalars.prefix { ("0"..."9").contains($0) }.count
            guard digits <= 9, digits < scalars.count, scalars[digits] == "." || scalars[digits] == ")" else {
                return nil
            }
            return digits + 1 == scalars.count || scalars[digits + 1] == " " || scalars[digits + 1] == "\t"
                ? digits : nil
        default: return nil
        }
    }

    /// The indices of the brackets of note links, which are not links for CommonMark.
    private static func linkBrackets(in text: String) -> Set<Int> {
        let ranges = RichText.linkRanges(in: text)
        if ranges.isEmpty { return [] }
        var brackets: Set<Int> = []
        let scalars = text.unicodeScalars
        for (range, _) in ranges {
            // What follows in parentheses would make it a link.
            if range.upperBound < text.endIndex, scalars[range.upperBound] == "(" { continue }
            let start = scalars.distance(from: scalars.startIndex, to: range.lowerBound)
            let end = scalars.distance(from: scalars.startIndex, to: range.upperBound)
            brackets.formUnion([start, start + 1, end - 2, end - 1])
        }
        return brackets
    }

    /// The destination of a link.
    static func destination(_ url: String) -> String {
        let plain = "-._~:/?#@!$'+,;=%"
        let isPlain = url.unicodeScalars.allSatisfy { $0.isASCIIAlphanumeric || plain.unicodeScalars.contains($0) }
        if isPlain, !url.isEmpty { return url }
        return "<" + quoted(url) { "<>\\".unicodeScalars.contains($0) ? "\\" + String($0) : $0 == " " ? "&#32;" : nil }
            + ">"
    }

    /// The title of a link. Its end is looked for before its backslashes are, so it has none.
    static func title(_ text: String) -> String {
        "\"" + quoted(text) { $0 == "\"" ? "&quot;" : $0 == "\\" ? "&#92;&#92;" : nil } + "\""
    }

    private static func quoted(_ text: String, _ spelling: (Unicode.Scalar) -> String?) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": quoted += "&amp;"
            case "\0": quoted += "\u{fffd}"
            case _ where scalar == "|" || needsEntity(scalar): quoted += entity(scalar)
            default:
                if let spelling = spelling(scalar) { quoted += spelling } else { quoted.unicodeScalars.append(scalar) }
            }
        }
        return quoted
    }
}

extension Unicode.Scalar {
    var isASCIIAlphanumeric: Bool { isASCII && (UInt8(value).isASCIILetter || UInt8(value).isASCIIDigit) }
}
