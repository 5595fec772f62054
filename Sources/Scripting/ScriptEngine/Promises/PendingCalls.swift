internal import CJavaScriptCore

/// The calls of `async` Swift functions that scripts wait for, and the promises that Swift waits for.
///
/// Only used on the thread of its context, whose functions it keeps protected.
final class PendingCalls {
    struct Call {
        let resolve: JSValueRef?
        let reject: JSValueRef?
        let task: Task<Void, Never>
    }

    private var calls: [Int: Call] = [:]
    private var waits: [Int: PromiseWait] = [:]
    private var nextNumber = 0

    var count: Int { calls.count + waits.count }

    func makeNumber() -> Int {
        nextNumber += 1
        return nextNumber
    }

    func add(_ call: Call, _ number: Int) { calls[number] = call }

    func removeCall(_ number: Int) -> Call? { calls.removeValue(forKey: number) }

    func add(_ wait: PromiseWait, _ number: Int) { waits[number] = wait }

    func removeWait(_ number: Int) { waits[number] = nil }

    /// The context is closed, so these will never be answered.
    func abandon() {
        for call in calls.values { call.task.cancel() }
        for wait in waits.values { wait.finish(.failure(ScriptError(.closed, "the script context was closed"))) }
        calls = [:]
        waits = [:]
    }
}
