internal import Foundation

/// Finds in an original text what the search index found in the transformed one: words without regard to case and accents, and
/// tags as tags. A word of ASCII is compared where it is; only the others are copied.
struct WordScanner {
    /// The first word of a term; the rest of a phrase is beside it.
    private struct Wanted {
        let folded: [UInt8]
        let isTag: Bool
        let isPrefix: Bool
    }

    private let wanted: [Wanted]

    init(_ terms: [SearchQuery.Term]) { wanted = terms.compactMap(Self.wanted) }

    private static func wanted(_ term: SearchQuery.Term) -> Wanted? {
        let scalars = term.typed.unicodeScalars
        guard let start = scalars.firstIndex(where: { isLetter($0) }) else { return nil }
        let isTag = start > scalars.startIndex && scalars[scalars.index(before: start)] == "#"
        let end = scalars[start...].firstIndex { !isLetter($0, inTag: isTag) } ?? scalars.endIndex
        return Wanted(
            folded: folded(Substring(scalars[start..<end])), isTag: isTag,
            isPrefix: term.isPrefix && !scalars[end...].contains { isLetter($0) })
    }

    /// Where the first word is that matches any of the terms.
    func firstMatch(in text: Substring) -> Range<String.Index>? {
        let utf8 = text.utf8
        let match = utf8.withContiguousStorageIfAvailable { firstMatch(in: $0) } ?? nil
        return match.map { match in
            let start = utf8.index(utf8.startIndex, offsetBy: match.lowerBound)
            return start..<utf8.index(start, offsetBy: match.count)
        }
    }

    private func firstMatch(in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        var index = 0
        var isTag = false
        while index < bytes.count {
            guard Self.isLetter(bytes[index], inTag: isTag) else {
                isTag = bytes[index] == UInt8(ascii: "#")
                index += 1
                continue
            }
            let start = index
            var isASCII = true
            while index < bytes.count, Self.isLetter(bytes[index], inTag: isTag) {
                isASCII = isASCII && bytes[index] < 0x80
                index += 1
            }
            if let match = match(start..<index, in: bytes, isTag: isTag, isASCII: isASCII) { return match }
            isTag = false
        }
        return nil
    }

    private func match(
        _ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>, isTag: Bool, isASCII: Bool
    ) -> Range<Int>? {
        let word = UnsafeBufferPointer(rebasing: bytes[range])
        if isASCII {
            let isMatch = wanted.contains { wanted in
                wanted.isTag == isTag && word.count >= wanted.folded.count
                    && (wanted.isPrefix || word.count == wanted.folded.count)
                    && zip(word, wanted.folded).allSatisfy { Self.lowered($0) == $1 }
            }
            return isMatch ? range : nil
        }
        // Other scripts: there can be dashes and quotation marks in what looked like one word.
        let scalars = String(decoding: word, as: UTF8.self).unicodeScalars
        var offset = range.lowerBound
        for part in scalars.split(
            omittingEmptySubsequences: false, whereSeparator: { !Self.isLetter($0, inTag: isTag) })
        {
            let folded = Self.folded(Substring(part))
            let isMatch = wanted.contains { wanted in
                wanted.isTag == isTag
                    && (wanted.isPrefix ? folded.starts(with: wanted.folded) : folded == wanted.folded)
            }
            let count = Substring(part).utf8.count
            if isMatch, count > 0 { return offset..<offset + count }
            offset += count
            if part.endIndex < scalars.endIndex { offset += UTF8.width(scalars[part.endIndex]) }
        }
        return nil
    }

    /// Without case and without accents, as the search index compares.
    private static func folded(_ word: Substring) -> [UInt8] {
        if word.utf8.allSatisfy({ $0 < 0x80 }) { return word.utf8.map(lowered) }
        let plain = word.lowercased().decomposedStringWithCanonicalMapping.unicodeScalars
            .filter { $0.properties.generalCategory != .nonspacingMark }
        return Array(String(plain).utf8)
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func isLetter(_ byte: UInt8, inTag: Bool) -> Bool {
        byte >= 0x80 || SearchText.isWord(byte) && (inTag || byte != UInt8(ascii: "_"))
    }

    private static func isLetter(_ scalar: Unicode.Scalar, inTag: Bool = false) -> Bool {
        if scalar.value < 0x80 { return isLetter(UInt8(scalar.value), inTag: inTag) }
        let properties = scalar.properties
        return properties.isAlphabetic || properties.numericType != nil || properties.generalCategory == .nonspacingMark
    }
}
