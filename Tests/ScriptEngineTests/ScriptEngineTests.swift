import Testing

@testable import ScriptEngine

/// An actor that lives on a script thread, as users write them.
actor Interpreter {
    private let thread: ScriptThread
    let context: ScriptContext
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ configuration: ScriptConfiguration = .init()) async throws {
        let thread = try ScriptThread()
        self.thread = thread
        context = try await thread.run { try ScriptContext(on: thread, configuration) }
    }

    func run<Success: Sendable>(_ body: @Sendable (ScriptContext) throws -> Success) throws -> Success {
        try body(context)
    }
}

@Suite struct EvaluationTests {
    @Test func arithmetic() async throws {
        let interpreter = try await Interpreter()
        #expect(try await interpreter.run { try $0.evaluate("6 * 7").number } == 42)
    }

    @Test func callsAndBytes() async throws {
        let interpreter = try await Interpreter()
        let bytes = try await interpreter.run { context in
            try context.setFunction("twice") { arguments in try arguments.number(0) * 2 }
            let function = try context.evaluate("(function (b, n) { return b.map(x => twice(x) + n) })")
            return try function.call([1, 2, 3] as [UInt8], 5).bytes
        }
        #expect(bytes == [7, 9, 11])
    }
}
