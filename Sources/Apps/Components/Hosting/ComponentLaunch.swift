/// Everything needed to start one component.
public struct ComponentLaunch: Hashable, Sendable {
    /// Which scripts go ahead of the component's own.
    public enum Kind: String, Sendable, Codable {
        /// `common-preload` and `app-preload`: the component finds its capabilities at `w3n`.
        case app
        /// `common-preload` and `core-load`: a core library that serves others.
        case core
    }

    /// Which scripts go ahead of the component's own.
    public var kind: Kind
    /// For logs and for the name of the process: app domain and entry point.
    public var name: String
    /// The entry point's path, which stack traces show.
    public var source: String
    /// The component's code, a classic script whose top level may `await`.
    public var code: String
    /// What the component may call, as lists of names by path, so that it need not ask: `["w3n"]` to `["log", "storage"]`.
    public var capabilities: [[String]: [String]]
    /// How much the component may use.
    public var limits: ComponentLimits
    /// Fixes clock and chance, so that the run can be recorded and replayed.
    public var determinism: ComponentDeterminism?

    /// Everything that a sandbox needs to start a component.
    public init(
        kind: Kind, name: String, source: String, code: String, capabilities: [[String]: [String]] = [:],
        limits: ComponentLimits = ComponentLimits(), determinism: ComponentDeterminism? = nil
    ) {
        self.kind = kind
        self.name = name
        self.source = source
        self.code = code
        self.capabilities = capabilities
        self.limits = limits
        self.determinism = determinism
    }
}

/// What stands in for clock and chance in a run that is recorded: time stands still between messages.
public struct ComponentDeterminism: Hashable, Sendable, Codable {
    /// A message on this port, eight bytes in network order, moves the component's clock to that many milliseconds since
    /// 1970. The component itself never sees it.
    public static let clockPort = "_clock"

    /// Milliseconds since 1970 at the start.
    public var start: Int64
    /// Where `Math.random` and `crypto` begin.
    public var seed: UInt64

    /// A clock that stands at `start` milliseconds since 1970, and randomness that begins at `seed`.
    public init(start: Int64, seed: UInt64) {
        self.start = start
        self.seed = seed
    }
}

/// What one component may use. A component that uses more is ended, or gets an exception, and no other component is affected.
public struct ComponentLimits: Hashable, Sendable, Codable {
    /// Memory of the whole process (across a sandbox) or of the heap (without one), in bytes.
    public var memory = 512 << 20
    /// Processor time of one turn of the script, after which it is stopped with an exception.
    public var turn: Duration = .seconds(10)
    /// Processor time that a component may spend at once, across a sandbox. What it spends comes back at `processorShare` percent
    /// of one processor; a component that has none left is ended.
    public var processorTime: Duration = .seconds(120)
    public var processorShare = 50
    /// How long a component may leave the host without a sign of life before it is ended.
    public var silence: Duration = .seconds(30)
    /// Bytes of one message on a port.
    public var message = 64 << 20
    /// Bytes that may wait for the component, or for the host, before the sender is ended.
    public var backlog = 128 << 20
    /// Timers set at the same time.
    public var timers = 10_000

    public init() {}
}
