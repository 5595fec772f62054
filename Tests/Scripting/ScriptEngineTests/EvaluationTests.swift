import Testing

@testable import ScriptEngine

@Suite struct EvaluationTests {
    @Test(arguments: [
        ("6 * 7", ScriptData.number(42)), ("undefined", .undefined), ("null", .null), ("1 < 2", .bool(true)),
        ("'a' + 'b'", .string("ab")), ("new Uint8Array([1, 2, 300])", .bytes([1, 2, 44])),
        ("[1, [true], 'x']", .array([.number(1), .array([.bool(true)]), .string("x")])),
        ("({ a: 1, b: { c: null } })", .object(["a": .number(1), "b": .object(["c": .null])])),
    ])
    func values(source: String, expected: ScriptData) async throws {
        #expect(try await evaluate(source) == expected)
    }

    @Test func dataReturnsAsItWas() async throws {
        let data = ScriptData.object([
            "a": .array([.number(1.5), .string("ä\u{0}😀"), .null, .undefined]), "b": .bytes([0, 255]),
            "c": .bool(false),
        ])
        let interpreter = try await Interpreter()
        let returned = try await interpreter.run { context in
            try context.evaluate("(value) => value").call(data).data
        }
        #expect(returned == data)
    }

    @Test func callsGoBothWays() async throws {
        let interpreter = try await Interpreter()
        let result = try await interpreter.run { context in
            try context.setFunction("twice") { arguments in try arguments.number(0) * 2 }
            let function = try context.evaluate("(function (bytes, more) { return bytes.map(x => twice(x) + more); })")
            return try function.call([1, 2, 3] as [UInt8], 5).bytes
        }
        #expect(result == [7, 9, 11])
    }

    @Test func nativeFunctionsAreFunctions() async throws {
        let interpreter = try await Interpreter()
        let result = try await interpreter.run { context in
            try context.setFunction("add") { arguments in
                try (0..<arguments.count).reduce(0) { try $0 + arguments.integer($1) }
            }
            return try context.evaluate(
                "[add(), add.call(null, 1), add.apply(null, [1, 2]), add.bind(null, 3)(4), typeof add, add.name].join()"
            ).string
        }
        #expect(result == "0,1,3,7,function,add")
    }

    @Test func methodsAndConstructors() async throws {
        let interpreter = try await Interpreter()
        try await interpreter.run { context in
            let type = try context.evaluate("(class { constructor(n) { this.n = n; } plus(m) { return this.n + m; } })")
            let object = try type.construct(40)
            #expect(try object.callMethod("plus", 2).integer == 42)
            try object.setProperty("n", 1)
            #expect(try object.property("n").integer == 1)
            #expect(try object.json == #"{"n":1}"#)
            #expect(try context.parse(json: #"[1,{"a":[]}]"#).element(1).json == #"{"a":[]}"#)
            #expect(try context.evaluate("(() => 1)").json == nil)
        }
    }

    @Test func valuesStayInTheirContext() async throws {
        let thread = try ScriptThread()
        let kind = try await thread.run {
            let one = try ScriptContext(on: thread)
            let other = try ScriptContext(on: thread)
            let value = try one.evaluate("({})")
            do {
                try other.global.setProperty("stolen", value)
                return ScriptError.Kind?.none
            } catch let error as ScriptError {
                return error.kind
            }
        }
        #expect(kind == .wrongType)
    }

    @Test func manyTasksUseOneContext() async throws {
        let interpreter = try await Interpreter()
        _ = try await interpreter.evaluate("let sum = 0;")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...200 {
                group.addTask { _ = try await interpreter.evaluate("sum += \(number)") }
            }
            try await group.waitForAll()
        }
        #expect(try await interpreter.evaluate("sum") == .number(20_100))
    }

    @Test func contextsOnOneThreadTakeTurns() async throws {
        let thread = try ScriptThread()
        let sum = try await thread.run {
            let contexts = try (0..<10).map { number in
                let context = try ScriptContext(on: thread)
                try context.global.setProperty("number", number)
                return context
            }
            return try contexts.reduce(0) { try $0 + $1.evaluate("number").integer }
        }
        #expect(sum == 45)
    }
}
