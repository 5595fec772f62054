internal import CJavaScriptCore

/// The arguments of a call to a Swift function; only valid until the function returns.
public struct ScriptArguments {
    /// The context that the calling script runs in.
    public let context: ScriptContext
    let engine: JSContextRef
    let receiver: JSValueRef?
    let references: UnsafeBufferPointer<JSValueRef?>

    /// How many arguments the script gave.
    public var count: Int { references.count }

    /// The value of `this`.
    public var this: ScriptValue { ScriptValue(receiver, in: context) }

    /// An argument; `undefined` if the script gave fewer.
    public subscript(index: Int) -> ScriptValue { ScriptValue(reference(index), in: context) }

    /// Whether the argument is `undefined` or `null`, or was not given.
    public func isMissing(_ index: Int) -> Bool {
        let reference = reference(index)
        return JSValueIsUndefined(engine, reference) || JSValueIsNull(engine, reference)
    }

    /// Only a number; nothing is converted.
    public func number(_ index: Int) throws(ScriptError) -> Double {
        let reference = reference(index)
        guard JSValueIsNumber(engine, reference) else { throw wrongType(index, "a number") }
        return JSValueToNumber(engine, reference, nil)
    }

    /// Only a whole number.
    public func integer(_ index: Int) throws(ScriptError) -> Int {
        guard let integer = Int(exactly: try number(index)) else { throw wrongType(index, "a whole number") }
        return integer
    }

    /// Only a boolean; nothing is converted.
    public func bool(_ index: Int) throws(ScriptError) -> Bool {
        let reference = reference(index)
        guard JSValueIsBoolean(engine, reference) else { throw wrongType(index, "a boolean") }
        return JSValueToBoolean(engine, reference)
    }

    /// Only a string; nothing is converted.
    public func string(_ index: Int) throws(ScriptError) -> String {
        let reference = reference(index)
        guard JSValueIsString(engine, reference), let string = JSValueToStringCopy(engine, reference, nil) else {
            throw wrongType(index, "a string")
        }
        defer { JSStringRelease(string) }
        return swiftString(string)
    }

    /// A copy of the bytes of a typed array of any type, or of an `ArrayBuffer`.
    public func bytes(_ index: Int) throws(ScriptError) -> [UInt8] {
        Array(try context.bytes(at: reference(index)))
    }

    func reference(_ index: Int) -> JSValueRef? {
        references.indices.contains(index) ? references[index] : JSValueMakeUndefined(engine)
    }

    private func wrongType(_ index: Int, _ expected: String) -> ScriptError {
        ScriptError(.wrongType, "argument \(index + 1) is not \(expected)", name: "TypeError")
    }
}
