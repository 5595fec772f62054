@_exported public import Errors
internal import Storage

/// Why a storage directory could not be used.
///
/// Its message: what happened to which file and what to do, for a person.
package typealias NoteFilesError = CodedError<NoteFilesErrorCode>

/// The codes of ``NoteFilesError``.
package enum NoteFilesErrorCode: String, ErrorCode {
    /// An identifier or a file name is not one.
    case invalidName
    /// A file or folder is not there, or no longer.
    case missing
    /// The folder may be read but not written.
    case readOnly
    /// The disk or the quota is full. The last write is not kept; writes acknowledged before it are.
    case full
    /// Another program is changing the folder as a whole.
    case locked
    /// A newer program wrote the folder; this one would damage it.
    case tooNew
    /// Something is above a limit.
    case tooLarge
    /// The bytes of a file do not follow its format.
    case damaged
    /// Too many processes write at once.
    case busy
    case failed
}

extension NoteFilesError {
    init(_ error: FileError) {
        switch error.code {
        case .missing: self.init(.missing, error.message)
        case .denied:
            self.init(.readOnly, "\(error.message). Give yourself the right to it, or use another folder")
        case .full: self.init(.full, "\(error.message). Make room and try again; nothing that was saved is lost")
        case .tooLong: self.init(.tooLarge, error.message)
        case .damaged, .notFile, .isDirectory, .notDirectory: self.init(.damaged, error.message)
        default: self.init(.failed, error.message)
        }
    }

    /// Runs what may fail with an error of a file.
    static func wrapping<Value: ~Copyable>(
        _ body: () throws(FileError) -> Value
    ) throws(NoteFilesError) -> Value {
        do throws(FileError) { return try body() } catch { throw NoteFilesError(error) }
    }
}
