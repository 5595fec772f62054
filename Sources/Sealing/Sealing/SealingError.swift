@_exported public import Errors

/// Why a message could not be sealed or opened, or why the other side's control message was refused. It never contains
/// key material or content.
public typealias SealingError = CodedError<SealingErrorCode>

/// What went wrong, for code that decides.
public enum SealingErrorCode: String, CaseIterable, NamedErrorCode {
    /// The other side's keys are not known yet: it was not introduced, or announced none.
    case noKeysYet = "no_keys_yet"
    /// The bytes are not a sealed message of this protocol.
    case unreadable
    /// The key was used before: the same message came again.
    case replayed
    /// The key was used before, by another message: the sender's profile was reset to an older copy.
    case reused = "key_reused"
    /// The sender is not the one it claims to be, or the message was altered.
    case forged
    /// The epoch or the key is unknown: it has expired, or was never announced.
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
