import Testing

@testable import ScriptEngine

@Suite struct ErrorTests {
    @Test func exceptionsHaveAPlace() async throws {
        let interpreter = try await Interpreter()
        let error = await failure {
            try await interpreter.run { context in
                try context.evaluate("function f() {\n  null.x;\n}\n\nf();", name: "place.js").number
            }
        }
        #expect(error?.kind == .exception)
        #expect(error?.name == "TypeError")
        #expect(error?.source == "place.js")
        #expect(error?.line == 2)
        #expect(error?.column == 7)
        #expect(error?.stack.contains("f@place.js:2:7") == true)
        #expect(error?.description.hasPrefix("place.js:2:7: TypeError: null is not an object") == true)
    }

    @Test func syntaxErrorsHaveAPlace() async throws {
        let interpreter = try await Interpreter()
        let error = await failure {
            try await interpreter.run { try $0.evaluate("let a = 1;\nlet b = ;\n", name: "syntax.js").number }
        }
        #expect(error?.kind == .syntax)
        #expect(error?.source == "syntax.js")
        #expect(error?.line == 2)
    }

    @Test func anErrorOfTheParserAtRunTimeIsAnException() async throws {
        let error = await failure { try await evaluate("JSON.parse('{')") }
        #expect(error?.kind == .exception)
        #expect(error?.name == "SyntaxError")
    }

    @Test(arguments: [
        ("throw 'text'", "Thrown", "text"), ("throw 42", "Thrown", "42"), ("throw undefined", "Thrown", "undefined"),
        ("throw new RangeError('far')", "RangeError", "far"), ("throw { message: 'odd' }", "Object", "odd"),
        ("throw Object.create(null)", "Object", ""), ("throw Symbol('s')", "Thrown", "a value without a text"),
        ("throw { get message() { throw 1; } }", "Object", "[object Object]"),
    ])
    func anythingCanBeThrown(source: String, name: String, message: String) async throws {
        let error = await failure { try await evaluate(source) }
        #expect(error?.name == name)
        #expect(error?.message == message)
    }

    @Test func errorsOfSwiftAreErrorsOfScripts() async throws {
        let interpreter = try await Interpreter()
        let text = try await interpreter.run { context in
            try context.setFunction("refuse") { _ -> String in
                throw ScriptError(.exception, "not today", name: "RefusalError", code: "E_NO")
            }
            return try context.evaluate(
                "try { refuse() } catch (e) { [e instanceof Error, e.name, e.message, e.code].join() }"
            ).string
        }
        #expect(text == "true,RefusalError,not today,E_NO")
    }

    @Test func errorsPassThroughNestedCalls() async throws {
        let interpreter = try await Interpreter()
        let error = await failure {
            try await interpreter.run { context in
                try context.setFunction("down") { arguments in
                    try arguments.context.evaluate("inner()", name: "inner-call.js")
                }
                try context.evaluate("function inner() {\n\n throw new RangeError('deep'); }", name: "inner.js")
                try context.evaluate("function outer() { return down(); }\nouter();", name: "outer.js")
            }
        }
        #expect(error?.name == "RangeError")
        #expect(error?.message == "deep")
        // The innermost place, and the way there on both sides of Swift.
        #expect(error?.source == "inner.js")
        #expect(error?.line == 3)
        #expect(error?.stack.contains("inner-call.js") == true)
        #expect(error?.stack.contains("outer@outer.js") == true)
    }

    @Test func onlyFunctionsAreCalled() async throws {
        let interpreter = try await Interpreter()
        let one = await failure { try await interpreter.run { try $0.evaluate("({})").call().number } }
        #expect(one?.kind == .notAFunction)
        let other = await failure { try await interpreter.run { try $0.global.callMethod("missing").number } }
        #expect(other?.kind == .notAFunction)
        let third = await failure { try await interpreter.run { try $0.evaluate("(() => 1)").construct().number } }
        #expect(third?.kind == .notAFunction)
    }

    @Test(arguments: ["'1'", "null", "({})", "true"])
    func valuesAreNotConverted(source: String) async throws {
        let interpreter = try await Interpreter()
        let error = await failure { try await interpreter.run { try $0.evaluate(source).number } }
        #expect(error?.kind == .wrongType)
    }

    @Test func cyclesAreNoData() async throws {
        let error = await failure { try await evaluate("const a = {}; a.a = a; a") }
        #expect(error?.kind == .limit)
    }
}
