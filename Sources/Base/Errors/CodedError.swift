/// An error with a code for programs and a sentence for people.
///
/// A module names its errors by a type alias over an enumeration of its codes:
///
///     public enum VaultErrorCode: ErrorCode { case missing, locked }
///     public typealias VaultError = CodedError<VaultErrorCode>
///
///     throw VaultError(.locked, "unlock the vault first")
public struct CodedError<Codes: ErrorCode>: Error, Hashable, Sendable, CustomStringConvertible {
    public typealias Code = Codes

    public let code: Code
    /// One sentence for a person. The declaration of the codes says what it may contain.
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { code.prefix + message }
}

/// The codes of one module's errors.
public protocol ErrorCode: Hashable, Sendable {
    /// What is printed before the message by ``CodedError/description``.
    var prefix: String { get }
}

extension ErrorCode {
    public var prefix: String { "" }
}

/// Codes that are printed before the message: `truncated: a value ends too early`.
public protocol NamedErrorCode: ErrorCode, RawRepresentable<String> {}

extension NamedErrorCode {
    public var prefix: String { "\(rawValue): " }
}
