internal import Cryptography

/// Why bytes are not a NanoTDF, or why one cannot be opened or made. It never contains key material or plaintext.
public struct NanoTDFError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, for code that decides.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The bytes end inside a field.
        case truncated
        /// Bytes follow the end.
        case trailingBytes
        /// The bytes do not begin with `L1L` or `L1M`.
        case badMagic
        /// A field has a value without a meaning in the format.
        case invalidField
        /// Something does not fit the format, or a limit.
        case limitExceeded
        /// The policy or its binding was changed after it was bound.
        case wrongBinding
        /// The signature does not match these bytes and the key in the file.
        case wrongSignature
        /// The signature matches the bytes only with the signature flag cleared: OpenTDFKit signs before it sets the
        /// flag.
        case signedBeforeFlag
        /// The private key is not the one that the file was sealed to.
        case wrongKey
        /// The key is right, but the bytes were changed.
        case altered
        /// The key is wrong or the bytes were changed; nothing in the file says which.
        case cannotOpen
        /// The file, or an argument, does not allow this operation.
        case unsupported
        /// OpenSSL refused or ran out of memory.
        case libraryFailure
    }

    /// What went wrong, for code that decides.
    public let code: Code
    /// One sentence for a person.
    public let message: String
    /// The byte where the problem is, if it has a place.
    public let offset: Int?

    /// An error with one sentence for a person, and the byte where the problem is, if it has a place.
    public init(_ code: Code, _ message: String, at offset: Int? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
    }

    public var description: String {
        "\(code.rawValue): \(message)" + (offset.map { " (at byte \($0))" } ?? "")
    }

    init(_ error: CryptographyError) {
        self.init(.libraryFailure, error.message)
    }
}
