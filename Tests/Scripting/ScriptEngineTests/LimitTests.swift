import Testing

@testable import ScriptEngine

@Suite struct LimitTests {
    private static func configuration(_ change: (inout ScriptLimits) -> Void) -> ScriptConfiguration {
        var configuration = ScriptConfiguration()
        change(&configuration.limits)
        return configuration
    }

    private static let impatient = configuration { $0.executionTime = .milliseconds(400) }

    @Test(arguments: [
        "while (true);", "for (;;) { try { while (true); } catch {} }", "[1].map(() => { while (true); })",
        "'a'.repeat(30).match(/(a*)*b/) ?? (() => { while (true); })()", "new Promise(() => { while (true); })",
        "Promise.resolve().then(() => { while (true); }); 1", "'use strict'; eval('while (true);')",
    ])
    func endlessScriptsAreStopped(source: String) async throws {
        let interpreter = try await Interpreter(Self.impatient)
        for _ in 0..<2 {
            let error = await failure { try await interpreter.run { try $0.evaluate(source).kind } }
            #expect(error?.kind == .timeout)
            let sum = try await interpreter.evaluate("[...Array(1000).keys()].reduce((a, b) => a + b)")
            #expect(sum == .number(499_500))
        }
    }

    @Test func endlessChainsOfReactionsAreStopped() async throws {
        let interpreter = try await Interpreter(Self.impatient)
        let chain = "(function f() { Promise.resolve().then(f); })(); 1"
        let error = await failure { try await interpreter.evaluate(chain) }
        #expect(error?.kind == .timeout)
        #expect(try await interpreter.evaluate("1 + 1") == .number(2))
    }

    @Test func whoeverCatchesTheEndOfACallIsStoppedToo() async throws {
        let interpreter = try await Interpreter(Self.impatient)
        let error = await failure {
            try await interpreter.run { context in
                try context.setFunction("down") { try $0.context.evaluate("while (true);") }
                return try context.evaluate("for (;;) { try { down(); } catch {} }").kind
            }
        }
        #expect(error?.kind == .timeout)
        #expect(try await interpreter.evaluate("1 + 1") == .number(2))
    }

    /// The engine ends the process if it is asked to stop a script a second time in a moment that only many busy scripts meet.
    @Test(arguments: 0..<8)
    func manyScriptsAreStoppedAtTheSameTime(id: Int) async throws {
        let scripts = [
            "(function f() { Promise.resolve().then(f); })(); 1", "for (;;) { try { down(); } catch {} }",
            "(async () => { for (;;) { globalThis.held = new Array(1e4).fill(id); await 0; } })(); 1",
        ]
        let interpreter = try await Interpreter(
            Self.configuration {
                $0.executionTime = .milliseconds(60); $0.heap = 20 << 20
            })
        for round in 0..<3 {
            let error = await failure {
                try await interpreter.run { context in
                    try context.setFunction("down") { try $0.context.evaluate("while (true);") }
                    return try context.evaluate("var id = \(id); " + scripts[(id + round) % scripts.count]).kind
                }
            }
            #expect(error?.kind == .timeout)
            #expect(try await interpreter.evaluate("1 + 1") == .number(2))
        }
    }

    @Test func endlessTimersAreStopped() async throws {
        let uncaught = Collected<ScriptError>()
        var configuration = Self.impatient
        configuration.uncaught = { uncaught.add($0) }
        let interpreter = try await Interpreter(configuration)
        _ = try await interpreter.resolve(
            "setTimeout(() => { while (true); }); new Promise((done) => setTimeout(() => setTimeout(done)))")
        #expect(uncaught.all.map(\.kind) == [.timeout])
    }

    @Test(arguments: [
        "(function f() { f(); })()", "(function f() { return 1 + f(); })()",
        "class A { get a() { return this.a; } }; new A().a",
    ])
    func deepRecursionIsAnError(source: String) async throws {
        let interpreter = try await Interpreter()
        let error = await failure { try await interpreter.run { try $0.evaluate(source).kind } }
        #expect(error?.kind == .stackOverflow)
        #expect(try await interpreter.evaluate("1 + 1") == .number(2))
    }

    @Test func deepRecursionThroughSwiftIsAnError() async throws {
        let interpreter = try await Interpreter()
        let error = await failure {
            try await interpreter.run { context in
                try context.setFunction("down") { try $0.context.evaluate("f()") }
                return try context.evaluate("function f() { return down(); } f()").kind
            }
        }
        #expect(error?.kind == .exception || error?.kind == .stackOverflow)
        #expect(try await interpreter.evaluate("1 + 1") == .number(2))
    }

    @Test func timersAreCounted() async throws {
        let error = await failure {
            try await evaluate(
                "for (let i = 0; i < 11; i++) setTimeout(() => {}, 1e6);", Self.configuration { $0.timers = 10 })
        }
        #expect(error?.name == "RangeError")
    }

    @Test func pendingPromisesAreCounted() async throws {
        let interpreter = try await Interpreter(Self.configuration { $0.pendingPromises = 3 })
        let error = await failure {
            try await interpreter.run { context in
                try context.setAsyncFunction("wait") { _ in
                    try await Task.sleep(for: .seconds(1000))
                    return .null
                }
                return try context.evaluate("for (let i = 0; i < 4; i++) wait();").kind
            }
        }
        #expect(error?.name == "RangeError")
    }

    @Test func hugeValuesAreErrors() async throws {
        let interpreter = try await Interpreter()
        let error = await failure { try await interpreter.evaluate("'a'.repeat(2 ** 31)") }
        #expect(error?.kind == .outOfMemory)
        let other = await failure { try await interpreter.evaluate("new Uint8Array(2 ** 53)") }
        #expect(other?.name == "RangeError")
    }
}
