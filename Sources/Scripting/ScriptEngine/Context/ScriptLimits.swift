/// How much a script may use. Exceeding a limit is an error, never a crash.
public struct ScriptLimits: Sendable {
    /// How long a call from Swift, a timer or a promise reaction may compute, in processor time; `nil` for no limit. A
    /// script that is stopped cannot catch that, and the context stays usable.
    public var executionTime: Duration? = .seconds(10)
    /// Bytes of live objects and their external memory, measured when garbage is collected; `nil` for no limit. A
    /// script that holds more is stopped as by `executionTime`, and ``ScriptConfiguration/heapExceeded`` is called.
    public var heap: Int?
    /// How long Swift waits for a promise, see ``ScriptValue/resolved(within:)``.
    public var promiseTime: Duration = .seconds(60)
    /// The most timers that are set at the same time.
    public var timers = 10_000
    /// Calls of `async` Swift functions, and promises that Swift waits for, at the same time.
    public var pendingPromises = 10_000
    /// Bytes of one line that `console` passes on; the rest is cut off.
    public var consoleLine = 16_384
    /// How deeply objects and arrays may be nested in a ``ScriptData``.
    public var dataDepth = 256

    /// The limits that Alcove itself uses.
    public init() {}
}
