internal import Platform

/// Why a file operation in a confined folder failed, in the words that apps know.
package struct ConfinedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The codes that apps act on. All but `ENOTFILE` and `EEOF` are POSIX ones.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        case notFound = "ENOENT"
        case alreadyExists = "EEXIST"
        case notDirectory = "ENOTDIR"
        case notFile = "ENOTFILE"
        case isDirectory = "EISDIR"
        case notEmpty = "ENOTEMPTY"
        case endOfFile = "EEOF"
        /// Not allowed by the file system, or a path that leads out of the folder.
        case notPermitted = "EPERM"
        case busy = "EBUSY"
        /// Anything else; the reason says more.
        case ioError = "EIO"
        case notImplemented = "ENOSYS"

        /// The flag that an exception with this code carries as a field: `notFound`, `opNotPermitted`, …
        package var flag: String {
            switch self {
            case .notFound: "notFound"
            case .alreadyExists: "alreadyExists"
            case .notDirectory: "notDirectory"
            case .notFile: "notFile"
            case .isDirectory: "isDirectory"
            case .notEmpty: "notEmpty"
            case .endOfFile: "endOfFile"
            case .notPermitted: "opNotPermitted"
            case .busy: "busy"
            case .ioError: "ioError"
            case .notImplemented: "notImplemented"
            }
        }
    }

    package let code: Code
    /// One clause for a log, without any path: `the disk is full`.
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { "\(code.rawValue): \(reason)" }

    static let outside = ConfinedError(.notPermitted, "the path leads out of the folder")

    /// The error that the last call left behind.
    static var last: ConfinedError { ConfinedError(number: errno) }

    init(number: Int32) {
        let code: Code =
            switch number {
            case ENOENT: .notFound
            case EEXIST: .alreadyExists
            case ENOTDIR: .notDirectory
            case EISDIR: .isDirectory
            case ENOTEMPTY: .notEmpty
            case EPERM, EACCES, EROFS: .notPermitted
            case EBUSY, ETXTBSY: .busy
            case ENOSYS, ENOTSUP, EOPNOTSUPP: .notImplemented
            default: .ioError
            }
        self.init(code, String(cString: strerror(number)))
    }
}
