/// What the file system refused to do.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        case missing
        case alreadyExists
        case denied
        /// The disk or the quota is full.
        case full
        /// The file is longer than the reader allows.
        case tooLong
        /// The file is not what it should be.
        case damaged
        case failed
    }

    public let code: Code
    /// One sentence for a person, with the path.
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
