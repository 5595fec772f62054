internal import RichText
internal import Synchronization

/// Takes a text apart into the words of the search index, which are the words of a question and of a snippet, too.
///
/// * Words are letters and digits, without case and accents: see ``FoldedScalar``.
/// * `#work` is the word `__hashtag__work`, and `/date` at the start or after a space `__slash__date`, so that `#work` finds only tags
///   and `work` does not find them.
/// * Of a script without spaces, each two characters beside each other are a word, and the last one by itself: `日本語` is
///   `日本 本語 語`. So any part of it is found: `本語` as a word, `語` as the beginning of one, more as a phrase.
/// * Each picture is a word: `__symbol__1f44d`.
struct SearchTokenizer {
    /// How the last word of a question ends.
    enum Ending {
        /// More letters may follow.
        case word
        /// It is whole.
        case closed
        /// It is one character of a script without spaces: others have to be allowed to follow.
        case open
    }

    /// One word, and where it stands in the bytes of the text.
    typealias Take = (_ word: [UInt8], _ place: Range<Int>) -> Bool

    private let isQuestion: Bool
    private var tags: ArraySlice<(place: Range<Int>, name: String)>
    private var word: [UInt8] = []
    private var wordStart = 0
    /// Whether the underscore is a letter of the word.
    private var isMark = false
    /// The last character of a run of them without spaces, empty if there is none.
    private var last: [UInt8] = []
    private var lastStart = 0
    private var runLength = 0
    private var flag: (half: Unicode.Scalar, start: Int)?
    private var isDone = false
    private var ending = Ending.closed

    private static let hashtag = Array("__hashtag__".utf8)
    private static let slash = Array("__slash__".utf8)

    /// - Parameters:
    ///   - hasTags: whether `#` begins tags; otherwise what follows is a word.
    ///   - isQuestion: whether what the text ends with may go on.
    ///   - take: says whether it wants no more.
    @discardableResult
    static func forEachWord(
        of text: String, hasTags: Bool = true, isQuestion: Bool = false, _ take: Take
    ) -> Ending {
        var text = composed(text)
        let tags = hasTags ? RichText.hashtags(in: text) : []
        let places = tags.map { tag in
            let start = text.utf8.distance(from: text.startIndex, to: tag.range.lowerBound)
            return (place: start..<start + text[tag.range].utf8.count, name: tag.name)
        }
        var tokenizer = SearchTokenizer(isQuestion: isQuestion, tags: places[...])
        return FoldingTable.shared.withLock { table in
            text.withUTF8 { tokenizer.run($0, &table, take) }
            return tokenizer.ending
        }
    }

    private init(isQuestion: Bool, tags: ArraySlice<(place: Range<Int>, name: String)>) {
        self.isQuestion = isQuestion
        self.tags = tags
    }

    private mutating func run(_ bytes: UnsafeBufferPointer<UInt8>, _ table: inout FoldingTable, _ take: Take) {
        var index = 0
        while index < bytes.count, !isDone {
            if bytes[index] < 0x80 {
                index = readASCII(bytes, index, take)
            } else {
                let (scalar, end) = Self.scalar(bytes, index)
                read(table[scalar], scalar, index..<end, take)
                index = end
            }
        }
        endWord(index, take)
        endFlag(index, take)
        if isQuestion, runLength > 0 {
            ending = runLength == 1 ? .open : .closed
            if runLength > 1 { (last, runLength) = ([], 0) }
        }
        endRun(index, take)
    }

    /// - Returns: where to go on.
    private mutating func readASCII(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ take: Take) -> Int {
        let byte = bytes[index]
        if isPart(byte) {
            if word.isEmpty { beginWord(index, take) }
            var end = index
            while end < bytes.count, isPart(bytes[end]) {
                word.append(Self.lowered(bytes[end]))
                end += 1
            }
            return end
        }
        endAll(index, take)
        if byte == UInt8(ascii: "#"), let tag = tags.first, tag.place.lowerBound == index {
            tags.removeFirst()
            give(Self.hashtag + tag.name.utf8, tag.place, .word, take)
            return tag.place.upperBound
        }
        let next = index + 1 < bytes.count ? bytes[index + 1] : 0
        let isStart = index == 0 || Self.isSpace(bytes[index - 1])
        if byte == UInt8(ascii: "/"), isStart, Self.isAlphanumeric(next) || next == UInt8(ascii: "_") {
            (word, wordStart, isMark) = (Self.slash, index, true)
        }
        return index + 1
    }

    private mutating func read(
        _ folded: FoldedScalar, _ scalar: Unicode.Scalar, _ place: Range<Int>, _ take: Take
    ) {
        switch folded {
        case .ignored: break
        case .separator: endAll(place.lowerBound, take)
        case .word(let letters):
            if word.isEmpty { beginWord(place.lowerBound, take) }
            word += letters
        case .unspaced(let characters):
            endWord(place.lowerBound, take)
            endFlag(place.lowerBound, take)
            for character in characters {
                if !last.isEmpty { give(last + character, lastStart..<place.upperBound, .closed, take) }
                (last, lastStart, runLength) = (character, place.lowerBound, runLength + 1)
            }
        case .symbol(let name):
            endAll(place.lowerBound, take)
            give(name, place, .closed, take)
        case .regional:
            endWord(place.lowerBound, take)
            endRun(place.lowerBound, take)
            guard let flag else { return self.flag = (scalar, place.lowerBound) }
            self.flag = nil
            give(FoldedScalar.symbol([flag.half, scalar]), flag.start..<place.upperBound, .closed, take)
        }
    }

    // What ends where something else begins.

    private mutating func beginWord(_ index: Int, _ take: Take) {
        endRun(index, take)
        endFlag(index, take)
        wordStart = index
    }

    private mutating func endAll(_ index: Int, _ take: Take) {
        endWord(index, take)
        endRun(index, take)
        endFlag(index, take)
    }

    private mutating func endWord(_ index: Int, _ take: Take) {
        guard !word.isEmpty else { return }
        give(word, wordStart..<index, .word, take)
        word.removeAll(keepingCapacity: true)
        isMark = false
    }

    private mutating func endRun(_ index: Int, _ take: Take) {
        guard !last.isEmpty else { return }
        give(last, lastStart..<index, ending == .open ? .open : .closed, take)
        (last, runLength) = ([], 0)
    }

    private mutating func endFlag(_ index: Int, _ take: Take) {
        guard let half = flag else { return }
        flag = nil
        give(FoldedScalar.symbol([half.half]), half.start..<index, .closed, take)
    }

    private mutating func give(_ word: [UInt8], _ place: Range<Int>, _ ending: Ending, _ take: Take) {
        guard !isDone else { return }
        self.ending = ending
        isDone = take(word, place)
    }
}

extension SearchTokenizer {
    /// Joins what was typed in pieces and is one character: the letters of a Korean syllable, the marks of Japanese ones. Other texts
    /// stay as they are.
    static func composed(_ text: String) -> String {
        let needsIt = text.unicodeScalars.contains { scalar in
            (0x1100...0x11FF).contains(scalar.value) || scalar.value == 0x3099 || scalar.value == 0x309A
        }
        return needsIt ? text.precomposed : text
    }

    /// The text of a string is sound UTF-8.
    private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> (Unicode.Scalar, Int) {
        let first = bytes[index]
        let count = min(first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4, bytes.count - index)
        var value = UInt32(first) & (0x7F >> UInt32(count))
        for byte in bytes[index + 1..<index + count] { value = value << 6 | UInt32(byte & 0x3F) }
        return (Unicode.Scalar(value) ?? "\u{fffd}", index + count)
    }

    private func isPart(_ byte: UInt8) -> Bool {
        Self.isAlphanumeric(byte) || (isMark && byte == UInt8(ascii: "_"))
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (9...13).contains(byte) }
}
