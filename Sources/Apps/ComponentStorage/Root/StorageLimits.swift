/// What one component may take of a storage. Whoever goes beyond gets an exception, and nobody else notices.
public struct StorageLimits: Hashable, Sendable, Codable {
    /// Bytes that everything in the storage may take together, attributes too, with ``entryCost`` for each file, folder and link;
    /// nil for no limit but the disk's.
    public var quota: Int64?
    /// How long nothing is counted anew for the quota after a count, but refused by what is known.
    public var recountPause: Duration = .seconds(3)
    /// Bytes of one file that is read or written in one call, and of one reading.
    public var bytesPerCall = 32 << 20
    /// Byte sources and sinks that one connection has open at the same time.
    public var openStreams = 256
    /// Folders, files and trees that one connection watches at the same time.
    public var watches = 32
    /// Entries of one folder that are listed, and of a whole tree that is copied or searched.
    public var entries = 100_000
    /// Folders in folders that are copied, searched or watched. Nothing lies deeper than a path can name, wherever it is moved, and
    /// whatever is there can be removed.
    public var depth = 64
    /// What one search finds.
    public var found = 5_000
    /// Steps of comparing names that one search takes: some seconds of computing.
    public var searchSteps = 200_000_000
    /// How long one search may take, with what it waits for.
    public var searchTime: Duration = .seconds(60)
    /// Versions of one file or folder that are archived.
    public var archivedVersions = 100
    /// Extended attributes of one file or folder.
    public var attributes = 64
    /// Bytes of one attribute. Many file systems have room for four thousand of all together.
    public var attributeBytes = 16 << 10

    /// Bytes that each entry is counted with beside its content: what most file systems take at least, so that the quota bounds how many
    /// there are, too (262 144 in a gigabyte).
    public static let entryCost: Int64 = 4 << 10

    public init() {}
}
