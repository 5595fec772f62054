internal import CJavaScriptCore

/// A heap of JavaScriptCore's with one global object, not used yet.
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
    /// Makes what the next context of this thread is made of, ahead of time, and calls back on the thread. The system has been
    /// asked by then for all that contexts need of it: files are not opened after that, for example.
    public func prepareContext(then completion: @escaping @Sendable (ScriptError?) -> Void) {
        turns.post { [turns] in
            do throws(ScriptError) {
                if turns.spare == nil { turns.spare = try Engine() }
                completion(nil)
            } catch {
                completion(error)
            }
        }
    }
}
