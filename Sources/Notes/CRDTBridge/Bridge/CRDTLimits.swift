/// How much the documents may use.
public struct CRDTLimits: Hashable, Sendable {
    /// Documents in memory at the same time.
    public var openDocuments = 200
    /// Bytes of updates that the documents in memory were made from; the least recently used ones are released beyond it.
    public var openBytes = 32 << 20
    /// Bytes of one update.
    public var updateSize = 64 << 20
    /// Processor time of one call.
    public var executionTime: Duration = .seconds(10)

    /// Counts so long for each byte of an update, instead of the processor time that it takes: what is in time is then so on every
    /// machine, which tests need.
    package var timePerByte: Duration?

    /// The limits that Alcove itself uses.
    public init() {}
}
