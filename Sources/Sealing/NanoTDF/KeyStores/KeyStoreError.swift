/// Why bytes are no key store, or why a key in one is no good. It never carries key material.
public struct KeyStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, for code that decides.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// There is less than the count promises.
        case truncated
        /// There is more than the count promises.
        case trailingBytes
        /// The curve is none of those that the format knows.
        case unknownCurve
        /// A key is none, is on another curve, or does not belong to the public key beside it.
        case invalidKey
        /// A key is there twice: it would be used twice.
        case duplicateKey
    }

    /// What went wrong, for code that decides.
    public let code: Code
    /// One sentence for a person.
    public let message: String

    /// An error with one sentence for a person.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { "\(code.rawValue): \(message)" }
}
