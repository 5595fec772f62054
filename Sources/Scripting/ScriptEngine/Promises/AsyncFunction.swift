internal import CJavaScriptCore

extension ScriptContext {
    /// A JavaScript function that starts `body` and returns a promise of its result or error.
    ///
    /// The arguments are copied, because `body` runs concurrently with the script, on any thread. Its task is cancelled
    /// when the context is closed, and its answer is dropped then.
    public func asyncFunction(
        _ name: String, _ body: @escaping @Sendable ([ScriptData]) async throws -> ScriptData
    ) throws(ScriptError) -> ScriptValue {
        try function(name) { arguments in
            let data = try (0..<arguments.count).map { try arguments[$0].data }
            return try arguments.context.promise { try await body(data) }
        }
    }

    /// Makes an `async` Swift function a global function of scripts.
    public func setAsyncFunction(
        _ name: String, _ body: @escaping @Sendable ([ScriptData]) async throws -> ScriptData
    ) throws(ScriptError) {
        try global.setProperty(name, asyncFunction(name, body))
    }

    /// A promise of the result of `work`.
    private func promise(of work: @escaping @Sendable () async throws -> ScriptData) throws(ScriptError) -> ScriptValue
    {
        guard pending.count < limits.pendingPromises else {
            throw ScriptError(.limit, "\(limits.pendingPromises) promises are pending already", name: "RangeError")
        }
        var resolve: JSValueRef?
        var reject: JSValueRef?
        let promise = try call { engine, exception in
            let promise = JSObjectMakeDeferredPromise(engine, &resolve, &reject, exception)
            JSValueProtect(engine, resolve)
            JSValueProtect(engine, reject)
            return promise
        }
        let number = pending.makeNumber()
        let task = Task { [runLoop, slot] in
            let result: Result<ScriptData, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            runLoop.post { slot.context?.settle(number, with: result) }
        }
        pending.add(.init(resolve: resolve, reject: reject, task: task), number)
        return ScriptValue(promise, in: self)
    }

    private func settle(_ number: Int, with result: Result<ScriptData, any Error>) {
        guard !isClosed, let pending = pending.removeCall(number) else { return }
        do {
            _ = try call { engine, exception in
                var function = pending.resolve
                var argument: JSValueRef?
                do {
                    argument = try result.get().scriptValue(in: self).reference
                } catch {
                    function = pending.reject
                    argument = makeError(error, in: engine)
                }
                JSObjectCallAsFunction(engine, function, nil, 1, &argument, exception)
                JSValueUnprotect(engine, pending.resolve)
                JSValueUnprotect(engine, pending.reject)
            }
        } catch {
            configuration.uncaught(error)
        }
    }
}
