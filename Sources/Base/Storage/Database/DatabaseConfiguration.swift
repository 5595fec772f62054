/// How a ``Database`` is opened.
public struct DatabaseConfiguration: Sendable {
    /// What a committed transaction survives. In both cases a killed process loses nothing and the file stays sound.
    public enum Durability: Sendable {
        /// Every commit waits for the disk: it also survives a power cut. For secrets and for acknowledged messages.
        case everyCommit
        /// Only checkpoints wait for the disk, so a power cut may undo the last commits. Many times faster.
        case checkpoints
    }

    /// What a commit survives.
    public var durability: Durability
    /// How long a statement waits for another connection's lock before it throws `busy`.
    public var busyTimeout: Duration
    /// The largest size of the file in pages of 4096 bytes; nil leaves it to the disk.
    public var maximumPageCount: Int?
    /// How many prepared statements are kept for the next use.
    public var statementCacheSize: Int
    /// Whether the log (`-wal`) stays when the last connection closes. SQLite removes it by its name. After the
    /// database was moved away, that name may belong to another database's log; so it stays wherever that can happen.
    public var keepsLog: Bool
    /// Whether this connection is the only one. The index of the log is then in memory instead of in a file (`-shm`),
    /// so that a database opens even on a full disk.
    public var isExclusive: Bool

    public init(
        durability: Durability = .everyCommit,
        busyTimeout: Duration = .seconds(5),
        maximumPageCount: Int? = nil,
        statementCacheSize: Int = 64,
        keepsLog: Bool = false,
        isExclusive: Bool = false
    ) {
        self.durability = durability
        self.busyTimeout = busyTimeout
        self.maximumPageCount = maximumPageCount
        self.statementCacheSize = statementCacheSize
        self.keepsLog = keepsLog
        self.isExclusive = isExclusive
    }
}
