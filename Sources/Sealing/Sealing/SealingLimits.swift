/// The limits of every pairing.
public enum SealingLimits {
    /// The most keys of an epoch, which is also the default.
    public static let capacity = 8192
    /// The size of the part that is made first, so that a new connection soon has keys.
    static let firstPart = 64
    /// The most keys that are reserved ahead. If the process is killed, these are lost, but never used twice.
    static let reservation = 64
    /// How many keys a process uses for each one that it reserves ahead. So a killed process loses only a small share
    /// of the keys that it used, and none if it used few.
    static let usesForOneAhead = 8
    /// The most epochs whose private keys are kept when a new epoch is requested, or keys run out.
    static let epochs = 4
    /// The same when a new epoch begins because of the clock, which may be wrong.
    static let epochsByAge = 8
    /// How long others may seal to an epoch, in milliseconds: 90 days.
    static let lifetime: Int64 = 90 * 86_400_000
    /// How far the other side's clock may be ahead of this machine's, in milliseconds. Later times count as this much
    /// ahead.
    static let peerClockLead = lifetime
    /// How long its private keys are kept after that, for messages still on their way: 30 days.
    static let grace: Int64 = 30 * 86_400_000
    /// On how many days the profile must have been used before keys are destroyed: as many as both times together.
    static let days: Int64 = 120
    /// The same if the other side's clock also says that their time is over.
    static let confirmedDays: Int64 = 4
    /// How many erased slots are flushed to the disk together.
    static let erasures = 64
    /// How often keys are announced again on one connection because the other side says that they did not arrive.
    static let repetitions = 16

    /// Keys are low below this share of an epoch.
    static func lowWater(of count: Int) -> Int { count / 10 }
}
