/// What one component may use. Whoever goes beyond is ended, or gets an exception, and nobody else notices.
public struct ComponentLimits: Hashable, Sendable, Codable {
    /// Memory of the whole process (across a sandbox) or of the heap (without one), in bytes.
    public var memory = 512 << 20
    /// Processor time of one turn of the script, after which it is stopped with an exception.
    public var turn: Duration = .seconds(10)
    /// Processor time that a component may spend at once, across a sandbox. What it spends comes back at `processorShare` percent
    /// of one processor; whoever has none left is ended.
    public var processorTime: Duration = .seconds(120)
    /// Percent of one processor at which spent time comes back.
    public var processorShare = 50
    /// How long a component may leave the host without a sign of life before it is ended.
    public var silence: Duration = .seconds(30)
    /// Bytes of one message on a port.
    public var message = 64 << 20
    /// Bytes that may wait for the component, or for the host, before the sender is ended.
    public var backlog = 128 << 20
    /// Timers set at the same time.
    public var timers = 10_000

    /// The limits that Alcove itself uses.
    public init() {}
}
