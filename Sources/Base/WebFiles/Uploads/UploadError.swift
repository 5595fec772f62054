/// Why an upload does not go on.
package enum UploadError: Error, Sendable, Hashable {
    /// There is no such upload, or no longer.
    case missing
    /// Another request is writing to it.
    case busy
    /// The bytes belong somewhere else: the upload has `expected` bytes.
    case wrongOffset(expected: Int)
    /// The client said another length before, or sent more than it said.
    case inconsistentLength
    /// All bytes have come before.
    case completed
    /// It is longer than the limit.
    case tooLarge
    /// There are too many unfinished uploads.
    case tooMany
    /// The disk is full. What came before is kept: so many bytes, if that is known.
    case full(offset: Int?)
    /// The connection ended, or was given up, before the body did. What came is kept.
    case interrupted
    /// The disk refuses: a sentence for a person.
    case failed(String)
}
