/// Why a core did not do what it was asked for.
public struct CoreError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        /// The bundle is no core, or threw when it was evaluated.
        case invalidBundle
        /// A function of the core failed.
        case failed
        /// A function of the core did not answer in time.
        case timeout
        /// The core answered with what cannot be read.
        case malformedAnswer
        /// The core has ended, after a sign-out for example.
        case ended
        /// What was asked for is not there.
        case missing
        case limit
    }

    public let code: Code
    /// One sentence for a person.
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
