internal import CJavaScriptCore

extension ScriptContext {
    /// Runs a script, and then the promise reactions that are due.
    ///
    /// - Parameters:
    ///   - source: a script (not a module).
    ///   - name: what errors and stacks call it.
    /// - Returns: the value of its last expression.
    @discardableResult
    public func evaluate(_ source: String, name: String = "script.js") throws(ScriptError) -> ScriptValue {
        let script = scriptString(source)
        let url = scriptString(name)
        defer {
            JSStringRelease(script)
            JSStringRelease(url)
        }
        do {
            let result = try call { engine, exception in JSEvaluateScript(engine, script, nil, url, 1, exception) }
            return ScriptValue(result, in: self)
        } catch {
            guard error.name == "SyntaxError", !JSCheckScriptSyntax(try open(), script, url, 1, nil) else {
                throw error
            }
            var error = error
            error.kind = .syntax
            throw error
        }
    }

    /// The value of a JSON text.
    public func parse(json: String) throws(ScriptError) -> ScriptValue {
        let engine = try open()
        let text = scriptString(json)
        defer { JSStringRelease(text) }
        guard let value = JSValueMakeFromJSONString(engine, text) else {
            throw ScriptError(.syntax, "the text is not JSON", name: "SyntaxError")
        }
        return ScriptValue(value, in: self)
    }
}
