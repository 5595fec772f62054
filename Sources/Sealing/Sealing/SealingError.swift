@_exported public import Errors

/// Why a message could not be sealed or opened, or why a word of the other side about keys was refused. It never carries
/// key material or content.
public typealias SealingError = CodedError<SealingErrorCode>

/// What went wrong, for code that decides.
public enum SealingErrorCode: String, CaseIterable, NamedErrorCode {
    /// Nothing is known of the other side's keys yet: no introduction, no announcement.
    case noKeysYet = "no_keys_yet"
    /// The bytes are no sealed message of this protocol.
    case unreadable
    /// The key was used before: somebody sends an opened message again.
    case replayed
    /// The key was used before, by another message: the sender's profile went back to an older copy of itself.
    case reused = "key_reused"
    /// The sender is not the one it claims to be, or the message was altered.
    case forged
    /// No pool of that epoch, or no such key in it: it ran out of its time, or was never announced.
    case unknownKey = "unknown_key"
    /// The other side showed an identity that is not the one that was met.
    case identityChanged = "identity_changed"
    /// Trust in this identity was revoked, here or by the other side.
    case revoked
    /// A signature or a bound of an announcement does not hold.
    case invalidAnnouncement = "invalid_announcement"
    /// The message is larger than a NanoTDF can carry.
    case tooLarge = "too_large"
    /// The disk refused.
    case storageFailed = "storage_failed"
}
