/// What one component may take of a storage. A component that asks for more gets an exception, and no other component is affected.
package struct StorageLimits: Hashable, Sendable, Codable {
    /// Bytes that everything in the storage may take together, attributes too, with ``entryCost`` for each file, folder and link;
    /// nil for no limit but the disk's.
    package var quota: Int64?
    /// How long nothing is counted anew for the quota after a count, but refused by what is known.
    package var recountPause: Duration = .seconds(3)
    /// Bytes of one file that is read or written in one call, and of one reading.
    package var bytesPerCall = 32 << 20
    /// Byte sources and sinks that one connection has open at the same time.
    package var openStreams = 256
    /// Folders, files and trees that one connection watches at the same time.
    package var watches = 32
    /// Entries of one folder that are listed, and of a whole tree that is copied or searched.
    package var entries = 100_000
    /// Folders in folders that are copied, searched or watched. Nothing lies deeper than a path can name, wherever it is moved, and
    /// whatever is there can be removed.
    package var depth = 64
    /// What one search finds.
    package var found = 5_000
    /// Steps of comparing names that one search takes: some seconds of computing.
    package var searchSteps = 200_000_000
    /// How long one search may take, with what it waits for.
    package var searchTime: Duration = .seconds(60)
    /// Versions of one file or folder that are archived.
    package var archivedVersions = 100
    /// Extended attributes of one file or folder.
    package var attributes = 64
    /// Bytes of one attribute. Many file systems have room for four thousand of all together.
    package var attributeBytes = 16 << 10

    /// Bytes that each entry is counted with beside its content: what most file systems take at least, so that the quota bounds how many
    /// there are, too (262 144 in a gigabyte).
    package static let entryCost: Int64 = 4 << 10

    package init() {}
}
