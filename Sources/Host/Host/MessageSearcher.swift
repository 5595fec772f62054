import AppCore
import Foundation

/// Looks for words in what was said and is kept: every word has to be there, in any case, with accents or without.
///
/// There is no index: it would hold on the disk what the vault seals. Messages are opened and read, the newest first.
struct MessageSearcher: Sendable {
    private let words: [String]
    /// The words in lower case, if they are ASCII: a saved message that is ASCII as well is told without being decoded.
    private let plain: [[UInt8]]?

    private static let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]
    /// Characters of a snippet before and from what was found.
    private static let (before, after) = (32, 160)

    init(_ query: String) {
        words = query.split(whereSeparator: \.isWhitespace).prefix(16).map(String.init)
        let letters = words.map { Array($0.lowercased().utf8) }
        // What JSON escapes stands there otherwise.
        let isPlain = letters.allSatisfy {
            $0.allSatisfy {
                $0 < 0x80 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "/")
            }
        }
        plain = isPlain ? letters : nil
    }

    /// Finds the words in a message as it is saved.
    func hit(_ json: [UInt8], in room: RoomID) -> MessageHit? {
        guard !words.isEmpty, mayHold(json), let message = try? JSON.decode(Message.self, from: json),
            let text = message.searchedText, let found = text.range(of: words[0], options: Self.options),
            words.dropFirst().allSatisfy({ text.range(of: $0, options: Self.options) != nil })
        else { return nil }
        return MessageHit(of: message, in: room, snippet: Self.snippet(of: text, around: found))
    }

    /// False only if the words are certainly not there.
    private func mayHold(_ json: [UInt8]) -> Bool {
        guard let plain else { return true }
        return json.withUnsafeBufferPointer { bytes in
            var letters: [UInt8] = []
            letters.reserveCapacity(bytes.count)
            for byte in bytes {
                if byte >= 0x80 { return true }
                letters.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
            }
            return plain.allSatisfy { letters.holds($0) }
        }
    }

    private static func snippet(of text: String, around found: Range<String.Index>) -> String {
        let start = text.index(found.lowerBound, offsetBy: -before, limitedBy: text.startIndex) ?? text.startIndex
        let end = text.index(found.lowerBound, offsetBy: after, limitedBy: text.endIndex) ?? text.endIndex
        let part = text[start..<end].split(whereSeparator: \.isNewline).joined(separator: " ")
        return (start > text.startIndex ? "…" : "") + part + (end < text.endIndex ? "…" : "")
    }
}

extension [UInt8] {
    /// Whether these bytes stand somewhere in a row.
    fileprivate func holds(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, count >= bytes.count else { return bytes.isEmpty }
        var place = 0
        while let next = self[place...(count - bytes.count)].firstIndex(of: first) {
            if self[next..<(next + bytes.count)].elementsEqual(bytes) { return true }
            place = next + 1
            if place > count - bytes.count { return false }
        }
        return false
    }
}
