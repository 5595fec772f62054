internal import Cryptography

/// Why bytes are no NanoTDF, or why one cannot be opened or made. It never contains key material or plaintext.
public struct NanoTDFError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, for code that decides.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The bytes end inside of a field.
        case truncated
        /// Bytes follow the end.
        case trailingBytes
        /// The bytes do not begin with `L1L` or `L1M`.
        case badMagic
        /// A field has a value that the format does not give a meaning to.
        case invalidField
        /// Something does not fit the format, or a limit.
        case limitExceeded
        /// The policy or its binding was changed after it was bound.
        case wrongBinding
        /// The signature is not one of these bytes by the key in the file.
        case wrongSignature
        /// The signature fits the bytes only with the signature flag cleared: OpenTDFKit signs before it sets the flag.
        case signedBeforeFlag
        /// The private key is not the one that this was sealed to.
        case wrongKey
        /// The key is right and the bytes are not.
        case altered
        /// The key is wrong or the bytes were changed; nothing in the file says which.
        case cannotOpen
        /// The operation does not fit what is in the file, or what it is given.
        case unsupported
        /// OpenSSL refused or ran out of memory.
        case libraryFailure
    }

    /// What went wrong, for code that decides.
    public let code: Code
    /// One sentence for a person.
    public let message: String
    /// Where in the bytes, if it is about a place.
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
