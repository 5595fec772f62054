internal import Components
internal import Storage
internal import Wire

extension RuntimeException {
    /// An exception of type `file`: `code`, `path` as the app wrote it, one flag, and `cause` in words.
    ///
    /// No path of the host is in it.
    static func file(code: String? = nil, flag: String, at path: String, cause: String? = nil) -> RuntimeException {
        var fields: JSONObject = [:]
        if let code { fields.append("code", .string(code)) }
        fields.append("path", .string(path))
        fields.append(flag, true)
        if let cause { fields.append("cause", .string(cause)) }
        return RuntimeException(type: "file", fields)
    }

    static func file(_ error: FileError, at path: String) -> RuntimeException {
        let isPlain = error.code.flag != FileError.Code.failed.flag && error.code != .denied
        var exception = file(
            code: error.code.name, flag: error.code.flag, at: path, cause: isPlain ? nil : error.reason)
        // Apps ask either: what is wanted is a file, and what is there is a folder.
        if error.code == .isDirectory { exception.fields.append(FileError.Code.notFile.flag, true) }
        return exception
    }

    /// A limit of ``StorageLimits``, with what to do about it.
    static func limit(_ cause: String, at path: String, code: String = "EMFILE") -> RuntimeException {
        file(code: code, flag: "limitExceeded", at: path, cause: cause)
    }

    /// Something has another version than the one that was named.
    static func versionMismatch(at location: Location, _ current: UInt64?) -> RuntimeException {
        .file(
            flag: "versionMismatch", at: location.shown,
            cause: current.map { "the current version is \($0)" } ?? "there is no such file any more")
    }

    static func badArguments(_ cause: String, at path: String = "") -> RuntimeException {
        file(flag: "badFnCallArguments", at: path, cause: cause)
    }
}
