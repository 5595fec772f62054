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
