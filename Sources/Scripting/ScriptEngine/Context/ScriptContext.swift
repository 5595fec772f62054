internal import CJavaScriptCore

/// An isolated environment for scripts: global object, heap, timers.
///
/// A context is used on its ``ScriptThread`` only. It is not `Sendable`, so the compiler enforces that: keep it in an
/// actor whose executor is the thread. It may be released on any thread, but it stays open, with its timers, until
/// ``close()`` or until its thread ends.
public final class ScriptContext {
    let runLoop: ScriptRunLoop
    /// The configuration that the context was made with.
    public let configuration: ScriptConfiguration
    let watchdog: Watchdog
    let pending = PendingCalls()
    let timers: TimerQueue
    /// Keeps this alive while it is open.
    let slot = OpenContext()
    private let group: JSContextGroupRef
    /// `nil` once closed.
    private var engine: JSGlobalContextRef?
    /// Calls of the engine from Swift, and of Swift from the engine, that have not returned.
    private(set) var depth = 0
    /// The error of the last call from Swift, so that a Swift function that does not catch it throws the same error.
    private(set) var thrown: (error: ScriptError, value: ScriptValue)?
    /// `Function.prototype`, which lives as long as the global object.
    private(set) var functionPrototype: JSValueRef?

    var limits: ScriptLimits { configuration.limits }

    /// Makes a context; only on `thread`.
    public init(on thread: ScriptThread, _ configuration: ScriptConfiguration = .init()) throws(ScriptError) {
        thread.checkIsolated()
        let engine = if let spare = thread.runLoop.spare.take() { spare } else { try Engine() }
        runLoop = thread.runLoop
        timers = TimerQueue(slot)
        self.configuration = configuration
        group = engine.group
        self.engine = engine.context
        watchdog = Watchdog(
            group: group, limits: configuration.limits, heapExceeded: configuration.heapExceeded)
        LiveObjectCount.contexts.enter()
        slot.context = self
        runLoop.contexts[ObjectIdentifier(self)] = self
        functionPrototype = try evaluate("Function.prototype").reference
        try reportRejections()
        try installFeatures()
    }

    private func reportRejections() throws(ScriptError) {
        let report = try function("unhandledRejection") { arguments in
            let context = arguments.context
            context.configuration.uncaught(context.error(thrown: arguments.reference(1), in: arguments.engine))
            return ScriptData.undefined
        }
        try call { engine, exception in
            JSGlobalContextSetUnhandledRejectionCallback(engine, report.reference, exception)
        }
    }

    deinit { LiveObjectCount.contexts.leave() }

    /// Whether ``close()`` was called.
    public var isClosed: Bool { engine == nil }

    /// Ends the context and frees its memory. Timers are dropped. Waits for promises, and later uses of its values,
    /// throw an error. A script that is running continues until it returns.
    public func close() {
        runLoop.checkIsolated()
        guard let engine else { return }
        self.engine = nil
        let closed = ClosedContext(engine: engine, context: self)
        if depth == 0 { return closed.release() }
        runLoop.post { closed.release() }
    }

    /// Frees the engine's objects.
    fileprivate func release(_ engine: JSGlobalContextRef) {
        timers.removeAll()
        pending.abandon()
        watchdog.retire()
        thrown = nil
        JSGlobalContextRelease(engine)
        JSContextGroupRelease(group)
        slot.context = nil
        runLoop.contexts[ObjectIdentifier(self)] = nil
    }

    /// The global object.
    public var global: ScriptValue {
        get throws(ScriptError) {
            let engine = try open()
            return ScriptValue(JSContextGetGlobalObject(engine), in: self)
        }
    }

    /// Collects garbage before it returns.
    public func collectGarbage() throws(ScriptError) {
        JSSynchronousGarbageCollectForDebugging(try open())
    }

    /// The engine's context, unless it was closed.
    func open() throws(ScriptError) -> JSGlobalContextRef {
        runLoop.checkIsolated()
        guard let engine else { throw ScriptError(.closed, "the script context was closed") }
        return engine
    }

    /// Calls into the engine, and throws what the script throws.
    @inline(__always)
    func call<Result>(
        _ body: (JSGlobalContextRef, UnsafeMutablePointer<JSValueRef?>) -> Result
    ) throws(ScriptError) -> Result {
        let engine = try open()
        if depth == 0 { watchdog.begin() }
        depth += 1
        defer { leave() }
        var exception: JSValueRef?
        let result = body(engine, &exception)
        if depth == 1 { watchdog.end(engine) }
        if exception != nil || watchdog.hasFired { throw failure(exception, in: engine) }
        return result
    }

    private func failure(_ exception: JSValueRef?, in engine: JSContextRef) -> ScriptError {
        // An error that passes through several calls is read once.
        if let thrown, let exception, JSValueIsStrictEqual(engine, thrown.value.reference, exception) {
            return thrown.error
        }
        let error = exception.map { self.error(thrown: $0, in: engine) } ?? watchdog.error
        if depth > 1, let exception {
            thrown = (error, ScriptValue(exception, in: self))
        } else if watchdog.hasFired {
            // After a promise reaction was stopped, the engine would otherwise refuse the next call.
            let nothing = scriptString("")
            defer { JSStringRelease(nothing) }
            var refusal: JSValueRef?
            JSEvaluateScript(engine, nothing, nil, nil, 1, &refusal)
        }
        return error
    }

    private func leave() {
        depth -= 1
        if depth == 0 { thrown = nil }
    }

    /// Calls Swift from the engine.
    @inline(__always)
    func callBack<Result>(_ body: () throws -> Result) rethrows -> Result {
        depth += 1
        defer {
            leave()
            watchdog.insist()
        }
        return try body()
    }
}

/// A context that was closed while its script runs.
///
/// Unchecked: it is only passed to a later task of the same thread.
private struct ClosedContext: @unchecked Sendable {
    let engine: JSGlobalContextRef
    let context: ScriptContext

    func release() { context.release(engine) }
}

/// A reference to a context until it is closed, for objects that must not keep it alive.
///
/// Unchecked: its content is used only on the thread of the script.
final class OpenContext: @unchecked Sendable {
    var context: ScriptContext?
}
