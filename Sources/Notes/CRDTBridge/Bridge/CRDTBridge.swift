internal import ScriptEngine

/// The documents of notes and of the folder tree, which Yjs keeps in a script engine.
///
/// A document is known by an id that the caller chooses. It is made from updates (``load(_:_:)``), which are Yjs updates in
/// the V1 encoding, and whatever changes it gives an update to write down and send. Updates may come in any order and
/// more than once. Nothing is kept only here: documents that were not used for long are released when room is needed
/// (then ``CRDTErrorCode/notLoaded`` says to load them again), and no change is lost, because each gave its update.
///
/// Scripts run on a thread of their own, which is the executor of this actor. An actor on the same executor
/// (`bridge.unownedExecutor`) may call it synchronously with `assumeIsolated`.
public actor CRDTBridge {
    let limits: CRDTLimits
    private let thread: ScriptThread
    let scripts: Scripts
    var documents = OpenDocuments()
    /// Documents with an update that took too long.
    private var unusable: Set<String> = []

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Starts the engine.
    public init(limits: CRDTLimits = CRDTLimits()) async throws(CRDTError) {
        do {
            let thread = try ScriptThread(name: "crdt")
            self.thread = thread
            self.limits = limits
            scripts = try await thread.run { try Scripts(on: thread, limits) }
        } catch {
            throw CRDTError(.failed, "the documents cannot be opened: \(error)")
        }
    }

    /// Bytes of the engine's heap: what lives there, and what it has taken from the system.
    package var heap: (size: Int, capacity: Int) {
        get throws(CRDTError) {
            do {
                let memory = try scripts.context.memory
                return (memory.heapSize, memory.heapCapacity)
            } catch {
                throw CRDTError(error)
            }
        }
    }

    // What all calls stand on.

    /// Calls a function on an open document: its first argument is the document's handle.
    func call(
        _ function: Scripts.Function, on id: String, _ arguments: any ScriptConvertible...
    ) throws(CRDTError) -> ScriptValue {
        try checkUsable(id)
        guard let handle = documents.use(id) else { throw CRDTError(.notLoaded, "the document \(id) is not loaded") }
        return try guarded(id) { () throws(ScriptError) in try scripts.call(function, [handle] + arguments) }
    }

    /// Runs a script for a document, which becomes unusable if that takes too long: Yjs may have been stopped halfway.
    func guarded<Value>(_ id: String, _ body: () throws(ScriptError) -> Value) throws(CRDTError) -> Value {
        do throws(ScriptError) {
            return try body()
        } catch {
            let failure = CRDTError(error)
            if failure.code == .unusable {
                release(id)
                unusable.insert(id)
            }
            throw failure
        }
    }

    /// Runs a script that concerns no open document.
    func call(_ function: Scripts.Function, _ updates: UpdatePack) throws(CRDTError) -> ScriptValue {
        do throws(ScriptError) {
            return try scripts.call(function, [updates])
        } catch {
            throw CRDTError(error)
        }
    }

    /// What errors call updates without a document.
    static var loose: String { "updates without a document" }

    func checkUsable(_ id: String) throws(CRDTError) {
        guard !unusable.contains(id) else {
            throw CRDTError(.unusable, "an update took too long before; release the document to try again")
        }
    }

    func opened(_ id: String, handle: Int, weight: Int) {
        release(id)
        documents.add(id, handle: handle, weight: weight)
        while documents.count > limits.openDocuments || documents.weight > limits.openBytes, documents.count > 1 {
            guard let oldest = documents.leastRecentlyUsed else { return }
            release(oldest)
        }
    }

    /// Whether the document is in memory.
    public func isLoaded(_ id: String) -> Bool { documents.contains(id) }

    /// Lets go of a document, also of one that is unusable.
    public func release(_ id: String) {
        unusable.remove(id)
        guard let handle = documents.remove(id) else { return }
        _ = try? scripts.call(.close, [handle])
    }

    /// Lets go of all documents but those that were used last, for when memory is short.
    public func releaseMemory(keeping count: Int = 0) {
        while documents.count > max(0, count), let oldest = documents.leastRecentlyUsed { release(oldest) }
        try? scripts.context.collectGarbage()
    }
}
