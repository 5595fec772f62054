/// How much and how long, for every bond.
public enum SealingLimits {
    /// The most keys that an epoch has, and how many it has unless told otherwise.
    public static let capacity = 8192
    /// The part that is made first, so that a new connection soon has keys.
    static let firstPart = 64
    /// How many keys are reserved at once: so many are lost, never used twice, when the process is killed.
    static let reservation = 64
    /// The most epochs whose private keys are kept.
    static let epochs = 4
    /// How long others may seal to an epoch, in milliseconds: 90 days.
    static let lifetime: Int64 = 90 * 86_400_000
    /// How long its private keys wait after that for what is still on its way: 30 days.
    static let grace: Int64 = 30 * 86_400_000
    /// Erased slots are awaited on the disk in groups of this size.
    static let erasures = 64
    /// How often keys are announced again on one connection because the other side says that they did not come.
    static let repetitions = 16

    /// Below this share of what there was, keys are low.
    static func lowWater(of count: Int) -> Int { count / 10 }
}
