import ScriptEngine
import Testing

/// The first block of docs/script-engine.md.
// swift-format-ignore
actor Interpreter {
    private let thread: ScriptThread
    private let context: ScriptContext
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init() async throws {
        let thread = try ScriptThread(name: "interpreter")
        self.thread = thread
        context = try await thread.run { try ScriptContext(on: thread) }
    }

    func sum(_ numbers: [UInt8]) async throws -> Double {
        try context.setFunction("twice") { arguments in try arguments.number(0) * 2 }
        let function = try context.evaluate("(bytes) => bytes.reduce((a, b) => a + twice(b), 0)", name: "sum.js")
        return try function.call(numbers).number
    }
}

@Suite struct ScriptSnippet {
    @Test func `a script calls Swift and is called`() async throws {
        #expect(try await Interpreter().sum([1, 2, 3]) == 12)
    }
}
