/// The globals of a context, and its limits.
public struct ScriptConfiguration: Sendable {
    /// The globals beyond the language itself.
    public var features: ScriptFeatures = .standard
    /// How much scripts may use.
    public var limits = ScriptLimits()
    /// Where the lines of `console` go, on the thread of the script.
    public var console: @Sendable (ConsoleLine) -> Void = { _ in }
    /// Called on the thread of the script with errors that the script cannot catch: those that timers throw, and the
    /// reasons of rejected promises without handlers, each once.
    public var uncaught: @Sendable (ScriptError) -> Void = { _ in }
    /// The source of the bytes of `crypto`.
    public var random: @Sendable (_ count: Int) -> [UInt8] = { kernelRandom($0) }
    /// Called when the heap exceeded ``ScriptLimits/heap``, on the thread of the script while it runs: do not use the
    /// context in it.
    public var heapExceeded: @Sendable () -> Void = {}

    /// The standard features and limits, without a reader of the console.
    public init() {}
}

/// A line that a script wrote to its console.
public struct ConsoleLine: Hashable, Sendable {
    /// The `console` methods that write lines.
    public enum Level: String, Sendable, CaseIterable {
        /// As the method is called in JavaScript.
        case debug, log, info, warn, error
    }

    /// Which method wrote the line.
    public var level: Level
    /// The line, without a line feed at its end, at most ``ScriptLimits/consoleLine`` bytes.
    public var text: String
}

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
