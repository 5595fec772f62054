internal import CJavaScriptCore

/// Keeps the garbage collector away from a value.
final class Hold {
    private let context: ScriptContext
    private let reference: JSValueRef

    /// `nil` for a value that needs none, or whose context was closed.
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
        if context.turns.isCurrent { return release.run() }
        context.turns.post { release.run() }
    }
}

/// Unchecked: it comes from a hold that nobody has any more, and runs on the thread of the script.
private struct Release: @unchecked Sendable {
    let context: ScriptContext
    let reference: JSValueRef

    func run() {
        // A closed context has let go of all its values.
        guard let engine = try? context.open() else { return }
        JSValueUnprotect(engine, reference)
    }
}
