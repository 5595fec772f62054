/// Why a foreign core cannot be used, or did not do what it was asked.
package struct ForeignCoreError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: String, Sendable, Hashable {
        /// The file cannot be loaded as a library.
        case cannotLoad = "cannot_load"
        /// The library lacks functions that it should have.
        case notACore = "not_a_core"
        /// The library speaks another version of the interface.
        case wrongVersion = "wrong_version"
        /// The library made no core.
        case cannotStart = "cannot_start"
        /// A function returned NULL where it should return text.
        case noAnswer = "no_answer"
        /// A text that it returned is longer than the limit.
        case tooLarge = "too_large"
        case tooDeep = "too_deep"
        case notUTF8 = "not_utf8"
        case notJSON = "not_json"
        /// The JSON has another shape than the interface says.
        case unexpected = "unexpected"
        /// The core refused the input; the message holds its reason.
        case refused = "refused"
        /// The text to pass in holds a NUL byte, which C cannot pass on.
        case badInput = "bad_input"
    }

    package let code: Code
    /// What is wrong, and where.
    package let message: String
    /// The code of the core's own error, when it gave one.
    package let reason: String?

    init(_ code: Code, _ message: String, reason: String? = nil) {
        self.code = code
        self.message = message
        self.reason = reason
    }

    package var description: String { message }
}
