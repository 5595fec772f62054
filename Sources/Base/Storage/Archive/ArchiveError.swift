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
    /// The archive is sound as far as that can be told, and opens with another passphrase.
    case wrongPassphrase = "wrong_passphrase"
    /// Bytes were changed, are missing or are too many.
    case damaged
    /// It was sealed with the passphrase, and holds what no archive holds.
    case invalid
    case diskFull = "disk_full"
    /// A file could not be read or written, or there was not enough memory.
    case failed
}

extension ArchiveError {
    init(_ error: FileError) { self.init(error.code == .full ? .diskFull : .failed, error.message) }
}

/// Says of what the file system refused that an archive could not be handled.
func archiving<Value: ~Copyable>(_ body: () throws(FileError) -> Value) throws(ArchiveError) -> Value {
    do throws(FileError) { return try body() } catch { throw ArchiveError(error) }
}
