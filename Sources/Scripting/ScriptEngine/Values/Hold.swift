internal import CJavaScriptCore

/// Keeps the garbage collector away from a value.
final class Hold {
    private let context: ScriptContext
    private let reference: JSValueRef

    /// `nil` for a value that needs no protection, or whose context was closed.
    init?(_ reference: JSValueRef, in context: ScriptContext) {
        guard let engine = try? context.open() else { return nil }
        switch JSValueGetType(engine, reference) {
        case kJSTypeUndefined, kJSTypeNull, kJSTypeBoolean, kJSTypeNumber: return nil
        default: break
        }
        self.context = context
        self.reference = reference
        JSValueProtect(engine, reference)
        LiveObjectCount.values.enter()
    }

    deinit {
        LiveObjectCount.values.leave()
        let release = Release(context: context, reference: reference)
        if context.runLoop.isCurrent { return release.run() }
        context.runLoop.post { release.run() }
    }
}

/// Unchecked: its hold has no references any more, and it runs on the thread of the script.
private struct Release: @unchecked Sendable {
    let context: ScriptContext
    let reference: JSValueRef

    func run() {
        // A closed context has released all its values.
        guard let engine = try? context.open() else { return }
        JSValueUnprotect(engine, reference)
    }
}
