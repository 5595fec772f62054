/// What it takes to start one component.
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
