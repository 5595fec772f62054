/// The state of a pairing, for people and for tests.
public struct SealingState: Hashable, Sendable {
    /// How many keys of the other side are left for sealing.
    public enum Level: String, Hashable, Sendable {
        /// None were announced, or their time is over: nothing can be sealed.
        case none
        /// A tenth or more of the announced keys.
        case enough
        /// Below a tenth of the announced keys.
        case low
        /// Only the last-resort key is left. It is used repeatedly until the other side announces new keys.
        case lastResort = "last_resort"
    }

    /// The digest of the other side's identity, 32 bytes; nil before it introduced itself.
    public var peerFingerprint: [UInt8]?
    /// Sixty digits that are equal on both sides only if there is no attacker in the middle; nil before the other side
    /// introduced itself.
    public var safetyNumber: String?
    /// How many keys of the other side are left for sealing.
    public var keysToSeal = 0
    /// How many of our keys the other side can still use, at most.
    public var keysToOpen = 0
    /// Whether these are below a tenth of those that there were.
    public var fewKeysToOpen = false
    /// The epoch that messages are sealed to; 0 if none.
    public var sealingEpoch: UInt32 = 0
    /// The newest epoch of our own keys; 0 if none.
    public var openingEpoch: UInt32 = 0
    /// Whether there are keys enough for sealing.
    public var level = Level.none
    /// What was refused since this session began.
    public var refusals: [SealingError.Code: Int] = [:]
}

/// What the caller of a session has to do, in this order.
public enum SealingOutput: Hashable, Sendable {
    /// Send these bytes to the other side as a control message.
    case send([UInt8])
    /// The other side's identity is now known.
    case peerKnown
    /// Keys of the other side arrived: messages that waited for them can be sealed.
    case keysChanged
    /// The other side revoked trust. Both sets of keys are deleted already.
    case revoked
    /// The other side cannot open a message: seal it again, at most ``SealingSession/retryLimit`` times.
    case refused(sequence: UInt64, code: SealingError.Code)
}
