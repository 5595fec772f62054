/// What a context has, and what it may use.
public struct ScriptConfiguration: Sendable {
    /// The globals beyond the language itself.
    public var features: ScriptFeatures = .standard
    /// How much scripts may use.
    public var limits = ScriptLimits()
    /// Where the lines of `console` go, on the thread of the script.
    public var console: @Sendable (ConsoleLine) -> Void = { _ in }
    /// Is told of what scripts throw where nobody can catch it, on the thread of the script: what timers throw, and,
    /// once each, the reasons of promises that were rejected while nobody listened.
    public var uncaught: @Sendable (ScriptError) -> Void = { _ in }
    /// Where `crypto` takes its bytes from.
    public var random: @Sendable (_ count: Int) -> [UInt8] = { kernelRandom($0) }
    /// The heap went beyond ``ScriptLimits/heap``. Called on the thread of the script, in the midst of it: do not use the
    /// context in it.
    public var heapExceeded: @Sendable () -> Void = {}

    /// The standard features and limits, with a console that nobody reads.
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
