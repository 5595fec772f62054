/// The limits of every pairing.
public enum SealingLimits {
    /// The most keys that an epoch has, and how many it has unless told otherwise.
    public static let capacity = 8192
    /// The part that is made first, so that a new connection soon has keys.
    static let firstPart = 64
    /// The most keys that are reserved beyond those that are needed at once: so many are lost, never used twice, when the process
    /// is killed.
    static let reservation = 64
    /// How many keys a process uses for each one that it reserves ahead: what is lost at a kill stays a small share of what
    /// was used, and nothing of a few.
    static let usesForOneAhead = 8
    /// The most epochs whose private keys are kept when a new one is asked for, or its keys run out.
    static let epochs = 4
    /// The most when a new one begins because the clock says that the newest is old: the clock may be wrong.
    static let epochsByAge = 8
    /// How long others may seal to an epoch, in milliseconds: 90 days.
    static let lifetime: Int64 = 90 * 86_400_000
    /// How far the other side's clock may be ahead of this machine's, in milliseconds. Later times count as this much
    /// ahead.
    static let peerClockLead = lifetime
    /// How long its private keys wait after that for what is still on its way: 30 days.
    static let grace: Int64 = 30 * 86_400_000
    /// On how many days the profile must have been used since they were made before they are destroyed: as many as both take.
    static let days: Int64 = 120
    /// On how many if the other side's clock says, too, that their time is over.
    static let confirmedDays: Int64 = 4
    /// So many erased slots are written to the disk together.
    static let erasures = 64
    /// How often keys are announced again on one connection because the other side says that they did not come.
    static let repetitions = 16

    /// Below this share of what there was, keys are low.
    static func lowWater(of count: Int) -> Int { count / 10 }
}
