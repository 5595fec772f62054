package import Cryptography

/// The code that one person gives another so that they can meet: `482913-maple-otter`.
///
/// The digits find the room and are known to the server. The words never leave the two machines: they authenticate
/// the connection (``RoomVerification``). A code without words works too, and leads to an unverified room.
package struct JoinCode: Hashable, Sendable, CustomStringConvertible {
    package static let digitCount = 6
    package static let wordCount = 2

    /// Six ASCII digits.
    package let digits: String
    /// Two words of ``WordList``, or none.
    package let words: [String]

    private init(digits: String, words: [String]) {
        self.digits = digits
        self.words = words
    }

    /// A fresh code with words.
    package static func random() -> JoinCode {
        let number = String(SecureRandom.number(below: 1_000_000))
        let words = (0..<wordCount).map { _ in
            WordList.words[Int(SecureRandom.number(below: UInt32(WordList.words.count)))]
        }
        return JoinCode(digits: String(repeating: "0", count: digitCount - number.count) + number, words: words)
    }

    /// Reads what a person typed. Letter case, blanks and dashes do not matter; words may be cut after three letters.
    package init(parsing text: String) throws(JoinCodeError) {
        guard text.utf8.count <= 80 else { throw JoinCodeError(.malformed) }
        let parts = text.lowercased().split { $0.isWhitespace || "-‐‑–—_.,/+".contains($0) }
        let digits = parts.prefix { $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
        guard digits.joined().count == Self.digitCount else { throw JoinCodeError(.malformed) }
        let spoken = parts.dropFirst(digits.count)
        guard spoken.isEmpty || spoken.count == Self.wordCount else { throw JoinCodeError(.wrongWordCount) }
        var words: [String] = []
        for word in spoken {
            guard let known = WordList.word(beginningWith: word) else {
                throw JoinCodeError(.unknownWord(position: words.count + 1))
            }
            words.append(known)
        }
        self.init(digits: digits.joined(), words: words)
    }

    /// Reads digits and words that were given apart. Whoever gives the whole code as the words means its words.
    package init(digits: String, words: String) throws(JoinCodeError) {
        let isDigits = words.prefix { $0.isASCII && !$0.isLetter }.filter(\.isNumber) == digits
        try self.init(parsing: isDigits ? words : "\(digits)-\(words)")
    }

    /// The whole code, to show only to the person who made it.
    package var display: String { ([digits] + words).joined(separator: "-") }

    /// The words as the password of the exchange; nil without words.
    package var secret: SecretBytes? {
        words.isEmpty ? nil : SecretBytes(copying: words.joined(separator: "-").utf8)
    }

    /// The code with its words left out, fit for logs.
    package var description: String { words.isEmpty ? digits : digits + "-…" }
}

/// Why a text is not a join code. It never repeats what was typed.
package struct JoinCodeError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// There are not exactly six digits in front.
        case malformed
        /// There are words, but not two of them.
        case wrongWordCount
        /// A word is not of the list. The first word has position 1.
        case unknownWord(position: Int)
    }

    package let code: Code

    init(_ code: Code) {
        self.code = code
    }

    /// One sentence for a person.
    package var message: String {
        switch code {
        case .malformed: "a join code begins with six digits, as in 482913-maple-otter"
        case .wrongWordCount: "a join code ends with two words, or with none: 482913-maple-otter"
        case .unknownWord(let position): "word \(position) is not one that codes are made of; check its spelling"
        }
    }

    package var description: String { message }
}
