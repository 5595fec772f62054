internal import CJavaScriptCore

/// A value of JavaScript, kept alive as long as Swift holds it.
///
/// It is used on the thread of its context only, and may be released on any thread.
public struct ScriptValue {
    /// The context that the value belongs to.
    public let context: ScriptContext
    let reference: JSValueRef?
    /// Protects it from the garbage collector; `nil` for values that are in the reference itself.
    private let hold: Hold?

    var isHeld: Bool { hold != nil }

    /// Holds a value for as long as Swift needs it.
    init(_ reference: JSValueRef?, in context: ScriptContext) {
        self.context = context
        self.reference = reference
        hold = reference.flatMap { Hold($0, in: context) }
    }

    /// A number, boolean, `null` or `undefined`, which are not garbage collected.
    init(immediate reference: JSValueRef?, in context: ScriptContext) {
        self.context = context
        self.reference = reference
        hold = nil
    }

    /// The types of JavaScript, with `null` apart from `object`.
    public enum Kind: Sendable {
        /// Like `typeof`, except that `null` is its own type and functions are objects.
        case undefined, null, bool, number, string, symbol, bigInt, object
    }

    /// The type of the value.
    public var kind: Kind {
        get throws(ScriptError) {
            switch JSValueGetType(try context.open(), reference) {
            case kJSTypeUndefined: .undefined
            case kJSTypeNull: .null
            case kJSTypeBoolean: .bool
            case kJSTypeNumber: .number
            case kJSTypeString: .string
            case kJSTypeSymbol: .symbol
            case kJSTypeBigInt: .bigInt
            default: .object
            }
        }
    }

    /// Whether this is `undefined` or `null`.
    public var isMissing: Bool {
        get throws(ScriptError) {
            let engine = try context.open()
            return JSValueIsUndefined(engine, reference) || JSValueIsNull(engine, reference)
        }
    }

    /// Only a boolean; nothing is converted.
    public var bool: Bool {
        get throws(ScriptError) {
            let engine = try context.open()
            guard JSValueIsBoolean(engine, reference) else { throw wrongType("a boolean") }
            return JSValueToBoolean(engine, reference)
        }
    }

    /// Only a number; nothing is converted.
    public var number: Double {
        get throws(ScriptError) {
            let engine = try context.open()
            guard JSValueIsNumber(engine, reference) else { throw wrongType("a number") }
            return JSValueToNumber(engine, reference, nil)
        }
    }

    /// Only a whole number.
    public var integer: Int {
        get throws(ScriptError) {
            guard let integer = Int(exactly: try number) else { throw wrongType("a whole number") }
            return integer
        }
    }

    /// Only a string; nothing is converted. Unpaired surrogates become U+FFFD.
    public var string: String {
        get throws(ScriptError) {
            guard JSValueIsString(try context.open(), reference) else { throw wrongType("a string") }
            return try text
        }
    }

    /// The result of `String(value)`, which may run a script.
    public var text: String {
        get throws(ScriptError) {
            let string = try context.call { engine, exception in JSValueToStringCopy(engine, reference, exception) }
            guard let string else { throw wrongType("a string") }
            defer { JSStringRelease(string) }
            return swiftString(string)
        }
    }

    /// The value as JSON, which may run a script; `nil` for what has no JSON, such as a function.
    public var json: String? {
        get throws(ScriptError) {
            let string = try context.call { engine, exception in
                JSValueCreateJSONString(engine, reference, 0, exception)
            }
            guard let string else { return nil }
            defer { JSStringRelease(string) }
            return swiftString(string)
        }
    }

    /// `===`
    public func isIdentical(to other: ScriptValue) throws(ScriptError) -> Bool {
        JSValueIsStrictEqual(try context.open(), reference, try reference(of: other))
    }

    /// The reference of another value, which must belong to the same context.
    func reference(of other: ScriptValue) throws(ScriptError) -> JSValueRef? {
        try context.reference(of: other)
    }

    func wrongType(_ expected: String) -> ScriptError {
        ScriptError(.wrongType, "the value is not \(expected)", name: "TypeError")
    }
}

extension ScriptContext {
    /// Values must not leave their heap.
    func reference(of value: ScriptValue) throws(ScriptError) -> JSValueRef? {
        guard value.context === self else {
            throw ScriptError(.wrongType, "the value belongs to another context", name: "TypeError")
        }
        return value.reference
    }
}
