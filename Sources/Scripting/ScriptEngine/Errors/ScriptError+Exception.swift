internal import CJavaScriptCore

extension ScriptContext {
    /// A value that was thrown, or that a promise was rejected with, as an error of Swift.
    public func error(of value: ScriptValue) -> ScriptError {
        guard let engine = try? open() else { return ScriptError(.closed, "the script context was closed") }
        return error(thrown: value.reference, in: engine)
    }

    /// A thrown value as an error of Swift. Reading it may run getters of the script; their errors are ignored.
    func error(thrown value: JSValueRef?, in engine: JSContextRef) -> ScriptError {
        if watchdog.hasFired { return watchdog.error }
        guard JSValueIsObject(engine, value) else {
            return ScriptError(.exception, text(saying: value, in: engine) ?? "a value without a text", name: "Thrown")
        }
        let read = { (name: String) -> JSValueRef? in
            let key = scriptString(name)
            defer { JSStringRelease(key) }
            var exception: JSValueRef?
            let property = JSObjectGetProperty(engine, value, key, &exception)
            guard exception == nil, let property, !JSValueIsUndefined(engine, property) else { return nil }
            return property
        }
        let text = { (name: String) in read(name).flatMap { self.text(saying: $0, in: engine) } }
        let number = { (name: String) -> Int? in
            guard let value = read(name), JSValueIsNumber(engine, value) else { return nil }
            return Int(exactly: JSValueToNumber(engine, value, nil))
        }
        var error = ScriptError(.exception, text("message") ?? description(of: value, in: engine))
        error.name = text("name") ?? "Object"
        if let code = read("code"), JSValueIsString(engine, code) { error.code = self.text(saying: code, in: engine) }
        error.stack = text("stack") ?? ""
        error.source = text("sourceURL")
        error.line = number("line")
        error.column = number("column")
        if error.name == "RangeError", error.message.hasPrefix("Maximum call stack size exceeded") {
            error.kind = .stackOverflow
        } else if error.message == "Out of memory" {
            error.kind = .outOfMemory
        }
        return error
    }

    /// The text of an object without a message: its own text, or its properties if it has none.
    private func description(of value: JSValueRef?, in engine: JSContextRef) -> String {
        let plain = text(saying: value, in: engine) ?? ""
        guard plain == "[object Object]" else { return plain }
        var exception: JSValueRef?
        guard let json = JSValueCreateJSONString(engine, value, 0, &exception), exception == nil else { return plain }
        defer { JSStringRelease(json) }
        return String(swiftString(json).prefix(1_000))
    }

    /// The result of `String(value)`; nil if it throws.
    private func text(saying value: JSValueRef?, in engine: JSContextRef) -> String? {
        var exception: JSValueRef?
        guard let string = JSValueToStringCopy(engine, value, &exception), exception == nil else { return nil }
        defer { JSStringRelease(string) }
        return swiftString(string)
    }

    /// A JavaScript `Error` with the text of a Swift error, or the value that a script threw originally.
    func makeError(_ error: any Error, in engine: JSContextRef) -> JSValueRef? {
        let script = (error as? ScriptError) ?? ScriptError(.exception, "\(error)", name: "\(type(of: error))")
        if let thrown, thrown.error == script { return thrown.value.reference }
        let message = scriptString(script.message)
        defer { JSStringRelease(message) }
        var argument = JSValueMakeString(engine, message)
        guard let object = JSObjectMakeError(engine, 1, &argument, nil) else { return argument }
        let set = { (name: String, value: String) in
            let key = scriptString(name)
            let string = scriptString(value)
            defer {
                JSStringRelease(key)
                JSStringRelease(string)
            }
            JSObjectSetProperty(
                engine, object, key, JSValueMakeString(engine, string),
                JSPropertyAttributes(kJSPropertyAttributeDontEnum), nil)
        }
        set("name", script.name)
        if let code = script.code ?? (script.kind == .exception ? nil : script.kind.rawValue) { set("code", code) }
        return object
    }
}
