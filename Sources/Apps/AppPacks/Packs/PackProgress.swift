public import Components

/// How far the unpacking of a pack is.
public struct PackProgress: Hashable, Sendable {
    /// Files of the app, and how many of them are done.
    public var files = 0
    public var done = 0
    /// Bytes that were copied.
    public var bytes: Int64 = 0
    /// The one that is being copied, or was the last.
    public var file: PackPath?

    public init() {}
}
