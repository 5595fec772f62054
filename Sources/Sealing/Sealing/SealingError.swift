/// Why a message could not be sealed or opened, or why a control message of the other side was refused. It never
/// contains key material or content.
public struct SealingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, for code that decides.
    public enum Code: String, Hashable, Sendable, CaseIterable {
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

    /// What went wrong, for code that decides.
    public let code: Code
    /// One sentence for a person.
    public let message: String

    /// An error with one sentence for a person.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { "\(code.rawValue): \(message)" }
}
