/// Why bytes are not a key store, or why a key in one cannot be used. It never contains key material.
public struct KeyStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, for code that decides.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// There is less than the count promises.
        case truncated
        /// There is more than the count promises.
        case trailingBytes
        /// The format does not know the curve.
        case unknownCurve
        /// A key is invalid, is on another curve, or does not belong to the public key beside it.
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
