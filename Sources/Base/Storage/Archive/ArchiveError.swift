@_exported public import Errors

/// Why an archive cannot be written or read.
///
/// Its message: one sentence for a person that says what to do.
public typealias ArchiveError = CodedError<ArchiveErrorCode>

/// The codes of ``ArchiveError``.
public enum ArchiveErrorCode: String, ErrorCode {
    /// The bytes do not begin as an archive does.
    case notAnArchive = "not_an_archive"
    /// A later version of the format.
    case otherVersion = "other_version"
    /// The passphrase is wrong. The archive seems to be intact.
    case wrongPassphrase = "wrong_passphrase"
    /// Bytes were changed, are missing or were added.
    case damaged
    /// It opens with the passphrase, but its content is not an archive.
    case invalid
    case diskFull = "disk_full"
    /// A file could not be read or written, or there was not enough memory.
    case failed
}

extension ArchiveError {
    init(_ error: FileError) { self.init(error.code == .full ? .diskFull : .failed, error.message) }
}

/// The error of an archive whose file the file system refused.
func archiving<Value: ~Copyable>(_ body: () throws(FileError) -> Value) throws(ArchiveError) -> Value {
    do throws(FileError) { return try body() } catch { throw ArchiveError(error) }
}
