import Synchronization

@testable import ScriptEngine

/// An actor on a script thread, as users write them.
actor Interpreter {
    private let thread: ScriptThread
    private let context: ScriptContext
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ configuration: ScriptConfiguration = .init()) async throws {
        let thread = try ScriptThread()
        self.thread = thread
        context = try await thread.run { try ScriptContext(on: thread, configuration) }
    }

    func run<Success: Sendable>(_ body: @Sendable (ScriptContext) throws -> Success) throws -> Success {
        try body(context)
    }

    func evaluate(_ source: String) throws -> ScriptData {
        try context.evaluate(source).data
    }

    /// The result of the promise that the source returns.
    func resolve(_ source: String, within limit: Duration? = nil) async throws -> ScriptData {
        try await context.evaluate(source).resolved(within: limit).data
    }
}

/// Collects what is reported from any thread.
final class Collected<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    var all: [Element] { elements.withLock { $0 } }

    func add(_ element: Element) { elements.withLock { $0.append(element) } }
}

/// Runs a script in its own context.
func evaluate(_ source: String, _ configuration: ScriptConfiguration = .init()) async throws -> ScriptData {
    try await Interpreter(configuration).evaluate(source)
}

/// The error that `body` throws.
func failure(_ body: () async throws -> some Any) async -> ScriptError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? ScriptError
    }
}
