/// Globals that JavaScriptCore does not have by itself.
public struct ScriptFeatures: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// `console`, with lines that go to ``ScriptConfiguration/console``.
    public static let console = Self(rawValue: 1 << 0)
    /// `setTimeout`, `setInterval`, `clearTimeout`, `clearInterval` and `queueMicrotask`.
    public static let timers = Self(rawValue: 1 << 1)
    /// `TextEncoder` and `TextDecoder` (UTF-8, and UTF-16LE to decode), `atob` and `btoa`.
    public static let text = Self(rawValue: 1 << 2)
    /// `structuredClone`.
    public static let cloning = Self(rawValue: 1 << 3)
    /// `performance.now` and `performance.timeOrigin`.
    public static let performance = Self(rawValue: 1 << 4)
    /// `crypto.getRandomValues` and `crypto.randomUUID`.
    public static let crypto = Self(rawValue: 1 << 5)
    /// `URL` and `URLSearchParams`.
    public static let url = Self(rawValue: 1 << 6)

    /// All of them.
    public static let standard: Self = [.console, .timers, .text, .cloning, .performance, .crypto, .url]
}
