internal import CJavaScriptCore

/// A new heap of JavaScriptCore with one global object.
struct Engine {
    let group: JSContextGroupRef
    let context: JSGlobalContextRef

    init() throws(ScriptError) {
        guard let group = JSContextGroupCreate(), let context = JSGlobalContextCreateInGroup(group, nil) else {
            throw ScriptError(.unavailable, "the script engine cannot start: JavaScriptCore made no context")
        }
        self.group = group
        self.context = context
    }

    func release() {
        JSGlobalContextRelease(context)
        JSContextGroupRelease(group)
    }
}

extension ScriptThread {
    /// Makes the engine of the thread's next context ahead of time, and calls back on the thread. After that, contexts
    /// need no more system resources; for example, no more files are opened.
    public func prepareContext(then completion: @escaping @Sendable (ScriptError?) -> Void) {
        runLoop.post { [runLoop] in
            do throws(ScriptError) {
                if runLoop.spare == nil { runLoop.spare = try Engine() }
                completion(nil)
            } catch {
                completion(error)
            }
        }
    }
}
