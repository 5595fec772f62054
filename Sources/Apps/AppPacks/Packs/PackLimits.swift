/// How large a pack may be. Apps of that platform are a few megabytes in some hundred files.
public struct PackLimits: Hashable, Sendable {
    /// Bytes of a ZIP file.
    public var archive: Int64 = 256 << 20
    /// Files in a pack, and folders.
    public var entries = 10_000
    /// Bytes of one file.
    public var file: Int64 = 128 << 20
    /// Bytes of all files.
    public var total: Int64 = 512 << 20
    /// Bytes that one byte of a ZIP file may become, above ``freelyUnpacked``.
    public var ratio: Int64 = 100
    public var freelyUnpacked: Int64 = 16 << 20

    /// Packs that wait to be installed, and bytes of their files all together.
    public var waiting = 16
    public var waitingTotal: Int64 = 1 << 30

    public init() {}
}
