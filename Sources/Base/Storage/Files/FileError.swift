internal import Platform

/// Why the file system refused an operation.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, for code that decides.
    package enum Code: Hashable, Sendable {
        case missing
        case alreadyExists
        case notDirectory
        /// Neither a file nor a folder.
        case notFile
        /// A symbolic link, where none may be.
        case symbolicLink
        case isDirectory
        case notEmpty
        case endOfFile
        /// The file system does not allow it, or the path leads out of a confined folder.
        case denied
        case busy
        /// The disk or the quota is full.
        case full
        /// The file is longer than the reader allows.
        case tooLong
        /// The file is not what it should be.
        case damaged
        /// The file system cannot do this.
        case notImplemented
        /// Anything else; the reason says more.
        case failed

        /// The code that apps see: POSIX names, and `ENOTFILE` and `EEOF`.
        package var name: String {
            switch self {
            case .missing: "ENOENT"
            case .alreadyExists: "EEXIST"
            case .notDirectory: "ENOTDIR"
            case .notFile, .symbolicLink: "ENOTFILE"
            case .isDirectory: "EISDIR"
            case .notEmpty: "ENOTEMPTY"
            case .endOfFile: "EEOF"
            case .denied: "EPERM"
            case .busy: "EBUSY"
            case .notImplemented: "ENOSYS"
            case .full, .tooLong, .damaged, .failed: "EIO"
            }
        }

        /// The flag that an exception with this code carries as a field: `notFound`, `opNotPermitted`, …
        package var flag: String {
            switch self {
            case .missing: "notFound"
            case .alreadyExists: "alreadyExists"
            case .notDirectory: "notDirectory"
            case .notFile, .symbolicLink: "notFile"
            case .isDirectory: "isDirectory"
            case .notEmpty: "notEmpty"
            case .endOfFile: "endOfFile"
            case .denied: "opNotPermitted"
            case .busy: "busy"
            case .notImplemented: "notImplemented"
            case .full, .tooLong, .damaged, .failed: "ioError"
            }
        }
    }

    /// What went wrong.
    package let code: Code
    /// One sentence for a person, with the path where there is one.
    package let message: String
    /// One clause without a path, for apps, which may not see paths of this machine: `the disk is full`.
    package let reason: String

    /// - Parameters:
    ///   - message: may name paths.
    ///   - reason: names no path; nil for only the name of the code.
    package init(_ code: Code, _ message: String, reason: String? = nil) {
        (self.code, self.message, self.reason) = (code, message, reason ?? code.name)
    }

    /// - Parameter reason: names no path.
    package init(_ code: Code, reason: String) {
        (self.code, message, self.reason) = (code, reason, reason)
    }

    /// The error of a call of the system, without a path.
    init(number: Int32) {
        let code: Code =
            switch number {
            case ENOENT: .missing
            case EEXIST: .alreadyExists
            case ENOTDIR: .notDirectory
            case EISDIR: .isDirectory
            case ENOTEMPTY: .notEmpty
            case EPERM, EACCES, EROFS: .denied
            case EBUSY, ETXTBSY: .busy
            case ENOSPC, EDQUOT, EFBIG: .full
            case ENOSYS, ENOTSUP, EOPNOTSUPP: .notImplemented
            default: .failed
            }
        self.init(code, reason: String(cString: strerror(number)))
    }

    /// The error that the last call left behind, without a path.
    static var last: FileError { FileError(number: errno) }

    /// The error that the last call left behind: `cannot ACTION PATH: the disk is full`.
    static func last(_ action: String, _ path: String) -> FileError {
        let number = errno
        let error = FileError(number: number)
        return switch number {
        case ELOOP:
            FileError(.symbolicLink, "cannot \(action) \(path): it is a symbolic link", reason: "it is a link")
        // A step of the path is a file, so nothing can be at its end.
        case ENOTDIR: FileError(.missing, "cannot \(action) \(path): \(error.reason)", reason: error.reason)
        default: FileError(error.code, "cannot \(action) \(path): \(error.reason)", reason: error.reason)
        }
    }

    static let outside = FileError(.denied, reason: "the path leads out of the folder")

    package var description: String { message }
}
