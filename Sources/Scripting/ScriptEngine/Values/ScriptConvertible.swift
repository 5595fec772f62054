internal import CJavaScriptCore

/// A type whose values can be passed to scripts.
public protocol ScriptConvertible {
    /// The value in `context`; called on the thread of the script.
    func scriptValue(in context: ScriptContext) throws(ScriptError) -> ScriptValue
}

extension ScriptValue: ScriptConvertible {
    public func scriptValue(in context: ScriptContext) throws(ScriptError) -> ScriptValue { self }
}

extension Bool: ScriptConvertible {
    public func scriptValue(in context: ScriptContext) throws(ScriptError) -> ScriptValue {
        ScriptValue(immediate: JSValueMakeBoolean(try context.open(), self), in: context)
    }
}

extension Double: ScriptConvertible {
    public func scriptValue(in context: ScriptContext) throws(ScriptError) -> ScriptValue {
        ScriptValue(immediate: JSValueMakeNumber(try context.open(), self), in: context)
    }
}

/// Numbers of JavaScript are exact up to 2⁵³.
extension Int: ScriptConvertible {
    public func scriptValue(in context: ScriptContext) throws(ScriptError) -> ScriptValue {
        try Double(self).scriptValue(in: context)
    }
}

extension String: ScriptConvertible {
    public func scriptValue(in context: ScriptContext) throws(ScriptError) -> ScriptValue {
        let engine = try context.open()
        let string = scriptString(self)
        defer { JSStringRelease(string) }
        return ScriptValue(JSValueMakeString(engine, string), in: context)
    }
}

/// A number. An array of them becomes a `Uint8Array`.
extension UInt8: ScriptConvertible {
    public func scriptValue(in context: ScriptContext) throws(ScriptError) -> ScriptValue {
        try Double(self).scriptValue(in: context)
    }
}

/// Bytes become a `Uint8Array` with a copy of them, elements of another type an array.
extension Array: ScriptConvertible where Element: ScriptConvertible {
    public func scriptValue(in context: ScriptContext) throws(ScriptError) -> ScriptValue {
        // The types are the same, so this avoids a cast, which would cost as much as the rest.
        if Element.self == UInt8.self { return try context.bytes(unsafeBitCast(self, to: [UInt8].self)) }
        var values: [ScriptValue] = []
        for element in self { values.append(try element.scriptValue(in: context)) }
        return try context.array(values)
    }
}

/// `nil` becomes `null`.
extension Optional: ScriptConvertible where Wrapped: ScriptConvertible {
    public func scriptValue(in context: ScriptContext) throws(ScriptError) -> ScriptValue {
        switch self {
        case .some(let wrapped): try wrapped.scriptValue(in: context)
        case .none: ScriptValue(immediate: JSValueMakeNull(try context.open()), in: context)
        }
    }
}
