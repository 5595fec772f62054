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
