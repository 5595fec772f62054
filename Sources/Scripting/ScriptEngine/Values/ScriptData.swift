/// A value without a context: it can be kept, compared, and sent to other threads.
public enum ScriptData: Hashable, Sendable {
    /// JavaScript's `undefined`.
    case undefined
    /// JavaScript's `null`.
    case null
    /// A boolean.
    case bool(Bool)
    /// A number: a double, as all numbers of JavaScript.
    case number(Double)
    /// A string. Unpaired surrogates were replaced.
    case string(String)
    /// A copy of a typed array or an `ArrayBuffer`.
    case bytes([UInt8])
    /// The elements of an array, in order.
    case array([ScriptData])
    /// The own enumerable properties of an object.
    case object([String: ScriptData])
}

extension ScriptData: ScriptConvertible {
    public func scriptValue(in context: ScriptContext) throws(ScriptError) -> ScriptValue {
        switch self {
        case .undefined: return try context.undefined
        case .null: return try String?.none.scriptValue(in: context)
        case .bool(let bool): return try bool.scriptValue(in: context)
        case .number(let number): return try number.scriptValue(in: context)
        case .string(let string): return try string.scriptValue(in: context)
        case .bytes(let bytes): return try context.bytes(bytes)
        case .array(let elements): return try elements.scriptValue(in: context)
        case .object(let properties): return try context.object(properties)
        }
    }
}

extension ScriptValue {
    /// A copy that needs no context: typed arrays and buffers as bytes, arrays, and own enumerable properties of all
    /// other objects. Functions and symbols throw `wrongType`; cycles throw `limit`, because they are too deep.
    public var data: ScriptData {
        get throws(ScriptError) { try data(depth: context.limits.dataDepth) }
    }

    private func data(depth: Int) throws(ScriptError) -> ScriptData {
        switch try kind {
        case .undefined: return .undefined
        case .null: return .null
        case .bool: return .bool(try bool)
        case .number: return .number(try number)
        case .string: return .string(try string)
        case .symbol, .bigInt: throw wrongType("plain data")
        case .object: break
        }
        guard depth > 0 else { throw ScriptError(.limit, "the objects are too deep within each other") }
        if try isBytes { return .bytes(try bytes) }
        if try isFunction { throw wrongType("plain data") }
        if try isArray {
            var elements: [ScriptData] = []
            for index in 0..<(try property("length").integer) {
                elements.append(try element(index).data(depth: depth - 1))
            }
            return .array(elements)
        }
        var properties: [String: ScriptData] = [:]
        for name in try propertyNames { properties[name] = try property(name).data(depth: depth - 1) }
        return .object(properties)
    }
}
