internal import Components
@_exported public import Errors
internal import Storage

/// Why a pack or an app cannot be used. The text says what to do.
package typealias AppPackError = CodedError<AppPackErrorCode>

/// The codes of ``AppPackError``.
package enum AppPackErrorCode: String, ErrorCode {
    /// What was given is not a pack, or one that is damaged.
    case notAPack
    /// It is a pack that may not be installed: it holds what no pack should, or too much of it.
    case refused
    /// Its manifest is wrong.
    case manifest
    /// The pack, or the installed app, is not what it was when it was inspected.
    case changed
    /// A newer version is installed.
    case older
    /// Somebody else put the app in place that would be replaced.
    case foreign
    case notInstalled
    /// The app did not ask for what should be granted.
    case notRequested
    /// Another process works on the library for too long.
    case busy
    /// There is no such file, in the app or where the app is said to be.
    case noSuchFile
    /// The file system refused.
    case file
}

extension AppPackError {
    init(_ error: FileError) { self.init(error.code == .tooLong ? .refused : .file, error.message) }

    init(_ error: ManifestError, in file: String) { self.init(.manifest, "\(file): \(error)") }
}

/// The value of an expression over files, whose errors become errors of this target.
func reporting<Value: ~Copyable>(
    _ expression: @autoclosure () throws(FileError) -> Value
) throws(AppPackError) -> Value {
    try reporting(expression)
}

func reporting<Value: ~Copyable>(_ body: () throws(FileError) -> Value) throws(AppPackError) -> Value {
    do throws(FileError) { return try body() } catch { throw AppPackError(error) }
}
