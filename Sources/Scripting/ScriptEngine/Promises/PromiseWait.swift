internal import CJavaScriptCore

/// A wait in Swift for a promise.
///
/// Unchecked: only used on the thread of the script.
final class PromiseWait: @unchecked Sendable {
    private var continuation: CheckedContinuation<Void, Never>?
    private var result: Result<ScriptValue, ScriptError>?
    private var isFinished = false

    /// Stores the first result, and resumes the waiting task.
    func finish(_ result: Result<ScriptValue, ScriptError>) {
        guard !isFinished else { return }
        isFinished = true
        self.result = result
        continuation?.resume()
        continuation = nil
    }

    func suspend(_ continuation: CheckedContinuation<Void, Never>) {
        guard !isFinished else { return continuation.resume() }
        self.continuation = continuation
    }

    /// Takes the first result out, because the functions that a promise calls may live as long as the context.
    func take() throws(ScriptError) -> ScriptValue {
        guard let result = result.take() else { throw ScriptError(.closed, "the script context was closed") }
        return try result.get()
    }
}

extension ScriptValue {
    /// Waits for the result of this promise; any other value is returned as it is.
    ///
    /// Throws what the promise was rejected with, `timeout` after `limit` (or ``ScriptLimits/promiseTime``),
    /// `cancelled` with the task, and `closed` with the context. Call it on the thread of the script.
    public func resolved(within limit: Duration? = nil) async throws(ScriptError) -> ScriptValue {
        guard try isObject, try property("then").isFunction else { return self }
        let context = context
        guard context.pending.count < context.limits.pendingPromises else {
            throw ScriptError(.limit, "\(context.limits.pendingPromises) promises are pending already")
        }
        let wait = PromiseWait()
        try callMethod(
            "then",
            context.function("resolved") { arguments in
                wait.finish(.success(arguments[0]))
                return ScriptData.undefined
            },
            context.function("rejected") { arguments in
                let error = arguments.context.error(thrown: arguments.reference(0), in: arguments.engine)
                wait.finish(.failure(error))
                return ScriptData.undefined
            })
        let limit = limit ?? context.limits.promiseTime
        let timer = context.timers.add(
            after: limit,
            .native { wait.finish(.failure(ScriptError(.timeout, "the promise was still open after \(limit)"))) })
        let number = context.pending.makeNumber()
        context.pending.add(wait, number)
        let runLoop = context.runLoop
        await withTaskCancellationHandler {
            await withCheckedContinuation { wait.suspend($0) }
        } onCancel: {
            runLoop.post { wait.finish(.failure(ScriptError(.cancelled, "the wait for a promise was cancelled"))) }
        }
        context.pending.removeWait(number)
        context.timers.remove(timer)
        return try wait.take()
    }
}
