import Testing

@testable import ScriptEngine

@Suite struct PromiseTests {
    @Test(arguments: [
        ("Promise.resolve(1)", ScriptData.number(1)), ("(async () => { await null; return 'x'; })()", .string("x")),
        ("5", .number(5)), ("({ then(done) { done(7); } })", .number(7)),
        ("new Promise((done) => setTimeout(done, 1, new Uint8Array([1])))", .bytes([1])),
    ])
    func swiftWaitsForPromises(source: String, expected: ScriptData) async throws {
        #expect(try await Interpreter().resolve(source) == expected)
    }

    @Test func rejectionsAreErrors() async throws {
        let interpreter = try await Interpreter()
        let error = await failure { try await interpreter.resolve("Promise.reject(new RangeError('no'))") }
        #expect(error?.name == "RangeError")
        #expect(error?.message == "no")
    }

    @Test func aPromiseThatNeverSettlesIsGivenUp() async throws {
        let interpreter = try await Interpreter()
        let error = await failure {
            try await interpreter.resolve("new Promise(() => {})", within: .milliseconds(20))
        }
        #expect(error?.kind == .timeout)
        #expect(try await interpreter.evaluate("1 + 1") == .number(2))
    }

    @Test func waitsCanBeCancelled() async throws {
        let interpreter = try await Interpreter()
        let task = Task { try await interpreter.resolve("new Promise(() => {})") }
        task.cancel()
        #expect(await failure { try await task.value }?.kind == .cancelled)
    }

    @Test func closingEndsWaits() async throws {
        let interpreter = try await Interpreter()
        _ = try await interpreter.run { context in
            try context.setFunction("close") { arguments in
                arguments.context.close()
                return ScriptData.undefined
            }
        }
        let error = await failure {
            try await interpreter.resolve("setTimeout(close, 5); new Promise(() => {})")
        }
        #expect(error?.kind == .closed)
        #expect(await failure { try await interpreter.evaluate("1") }?.kind == .closed)
    }

    @Test func asyncFunctionsArePromises() async throws {
        let interpreter = try await Interpreter()
        try await interpreter.run { context in
            try context.setAsyncFunction("later") { arguments in
                try await Task.sleep(for: .milliseconds(1))
                guard case .number(let number)? = arguments.first else {
                    throw ScriptError(.exception, "no number", name: "RefusalError", code: "E_NUMBER")
                }
                return .number(number + 1)
            }
        }
        #expect(try await interpreter.resolve("Promise.all([later(1), later(2)])") == .array([.number(2), .number(3)]))
        let caught = "later('x').catch((e) => [e instanceof Error, e.name, e.message, e.code].join())"
        #expect(try await interpreter.resolve(caught) == .string("true,RefusalError,no number,E_NUMBER"))
    }

    @Test func unhandledRejectionsAreReportedOnce() async throws {
        let uncaught = Collected<ScriptError>()
        var configuration = ScriptConfiguration()
        configuration.uncaught = { uncaught.add($0) }
        let interpreter = try await Interpreter(configuration)
        _ = try await interpreter.evaluate("Promise.reject(new TypeError('nobody')); 1")
        _ = try await interpreter.evaluate("Promise.reject(new Error('somebody')).catch(() => {}); 1")
        _ = try await interpreter.resolve("new Promise((done) => setTimeout(done, 5))")
        #expect(uncaught.all.map(\.message) == ["nobody"])
    }

    /// The engine does this on its own threads, and notifies its thread's event loop.
    @Test func webAssemblyIsInstantiated() async throws {
        let source = """
            const bytes = new Uint8Array([
                0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 2, 127, 127, 1, 127, 3, 2, 1, 0, 7, 7, 1, 3, 97, 100, 100, 0, 0,
                10, 9, 1, 7, 0, 32, 0, 32, 1, 106, 11]);
            WebAssembly.instantiate(bytes).then(({ instance }) => instance.exports.add(40, 2))
            """
        #expect(try await Interpreter().resolve(source) == .number(42))
    }

    @Test func finalizersAreCalled() async throws {
        let interpreter = try await Interpreter()
        try await interpreter.run { context in
            // Objects on the stack may stay, but not all of a thousand.
            try context.evaluate(
                """
                var finalized = new Promise((done) => { globalThis.registry = new FinalizationRegistry(done); });
                for (let i = 0; i < 1000; i++) registry.register({}, "gone");
                """)
            try context.collectGarbage()
        }
        #expect(try await interpreter.resolve("finalized") == .string("gone"))
    }
}
