/// Why a script, or a call into one, failed.
public struct ScriptError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, for code that decides.
    public enum Kind: String, Sendable {
        /// The script threw an error and did not catch it.
        case exception
        /// The source is not JavaScript.
        case syntax
        /// The script ran, or a promise stayed open, for longer than the configuration allows.
        case timeout
        /// The script recursed too deeply.
        case stackOverflow
        /// The engine could not find the memory for a value.
        case outOfMemory
        /// The called value is not a function, or the value to construct with is not a constructor.
        case notAFunction
        /// A value is not of the type that was asked for.
        case wrongType
        /// A typed array or buffer whose memory was transferred, or which reaches past its buffer's end.
        case detached
        /// A limit of ``ScriptLimits`` was reached.
        case limit
        /// The context was closed.
        case closed
        /// The task that waited was cancelled.
        case cancelled
        /// The system lacks resources that the engine needs to start.
        case unavailable
    }

    /// What went wrong, for code that decides.
    public var kind: Kind
    /// JavaScript's `error.name`, such as `TypeError`. For errors from Swift, the name of its type.
    public var name: String
    /// JavaScript's `error.message`, or one sentence for a person. It may be a script's own text.
    public var message: String
    /// `error.code`, if that was a string.
    public var code: String?
    /// The calls that led here, innermost first, in JavaScriptCore's form: one `function@source:line:column` a line.
    public var stack: String
    /// The name that the source was evaluated with.
    public var source: String?
    /// Counted from 1.
    public var line: Int?
    /// Counted from 1.
    public var column: Int?

    /// An error to throw into a script: its code sees `name`, `message` and `code`.
    public init(_ kind: Kind, _ message: String, name: String = "Error", code: String? = nil) {
        self.kind = kind
        self.name = name
        self.message = message
        self.code = code
        stack = ""
    }

    /// `bundle.js:3:14: TypeError: undefined is not an object`
    public var description: String {
        let place = [source, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
        let text = kind == .exception || kind == .syntax ? "\(name): \(message)" : message
        return place.isEmpty ? text : "\(place): \(text)"
    }
}
