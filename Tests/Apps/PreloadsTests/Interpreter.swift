import Preloads
import ScriptEngine
import Synchronization

/// A context for tests, with the texts of all preloads at `preloads`.
actor Interpreter {
    private let thread: ScriptThread
    private let context: ScriptContext
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ configuration: ScriptConfiguration = .init()) async throws {
        let thread = try ScriptThread()
        self.thread = thread
        context = try await thread.run { [configuration] in
            let context = try ScriptContext(on: thread, configuration)
            let preloads = [
                "common": Preload.common, "app": Preload.app, "core": Preload.core, "setup": Preload.setupW3N,
                "startup": Preload.setupW3NForStartup, "shim": Preload.shim,
            ]
            try context.global.setProperty("preloads", context.object(preloads))
            return context
        }
    }

    /// What the promise that the source makes becomes.
    func resolve(_ source: String) async throws -> ScriptData {
        try await context.evaluate(source).resolved(within: .seconds(60)).data
    }

    func run<Success: Sendable>(_ body: @Sendable (ScriptContext) throws -> Success) throws -> Success {
        try body(context)
    }
}

/// Collects what is reported from any thread.
final class Collected: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func add(_ text: String) { texts.withLock { $0.append(text) } }
}

/// Messages that wait.
final class Mailbox: Sendable {
    private let messages = Mutex<[[UInt8]]>([])

    func add(_ message: [UInt8]) -> ScriptData {
        messages.withLock { $0.append(message) }
        return .undefined
    }

    func takeAll() -> [[UInt8]] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
