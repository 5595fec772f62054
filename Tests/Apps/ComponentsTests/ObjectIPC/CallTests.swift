import Components
import Testing
import Wire

/// Calls from one end to the other, when all is well.
struct CallTests {
    private static let root = ServiceObject(
        functions: [
            "echo": .immediate { call throws(RuntimeException) in call.body.map(Array.init) },
            "later": .promise { call throws(RuntimeException) in
                await Task.yield()
                return call.body.map(Array.init)
            },
            "count": .observable { call, emitter throws(RuntimeException) in
                for number in 0..<(call.body?.first ?? 0) { try await emitter.emit([number]) }
            },
            "fail": .immediate { _ throws(RuntimeException) in
                throw RuntimeException(type: "file", flag: "notFound", ["code": "ENOENT"])
            },
            "failPlainly": .promise { _ throws(RuntimeException) in throw RuntimeException(plain: "boom") },
        ],
        members: ["v": ServiceObject(members: ["sync": ServiceObject(call: .immediate { _ in [7] })])])
    private let pair = ConnectedPair(root: root)

    @Test(arguments: ["echo", "later"], [nil, [], [1, 2, 3]] as [[UInt8]?])
    func aReplyIsWhatTheFunctionGave(name: String, body: [UInt8]?) async throws {
        #expect(try await pair.client.call(["w3n", name], body) == body?[...])
    }

    @Test func objectsAreFoundInObjectsAndMayBeFunctions() async throws {
        #expect(try await pair.client.call(["w3n", "v", "sync"]) == [7])
        #expect(try await pair.client.listObjects(["w3n"]) == ["count", "echo", "fail", "failPlainly", "later", "v"])
        #expect(try await pair.client.listObjects(["w3n", "v"]) == ["sync"])
        #expect(try await pair.client.listObjects(["w3n", "nothing"]) == [])
    }

    @Test func valuesComeInOrderAndEnd() async throws {
        var values: [[UInt8]] = []
        for try await value in pair.client.observe(["w3n", "count"], [5]) { values.append(value) }
        #expect(values == [[0], [1], [2], [3], [4]])
    }

    @Test func anExceptionArrivesAsItWasThrown() async throws {
        await #expect(throws: RuntimeException(type: "file", flag: "notFound", ["code": "ENOENT"])) {
            try await pair.client.call(["w3n", "fail"])
        }
        await #expect(throws: RuntimeException(plain: "boom")) {
            try await pair.client.call(["w3n", "failPlainly"])
        }
    }

    @Test(arguments: [
        ["w3n"], ["w3n", "nothing"], ["w3n", "v"], ["w3n", "v", "echo"], ["123"], [], ["w3n", "__proto__"],
    ])
    func aFunctionThatIsNotThereIsAnException(path: [String]) async throws {
        await #expect(
            throws: RuntimeException(ipc: .callFnNotFound, ["path": .array(path.map { .string($0) })])
        ) {
            try await pair.client.call(path)
        }
    }

    @Test func aPromiseCallerTakesTheFirstValueOfAnObservable() async throws {
        #expect(try await pair.client.call(["w3n", "count"], [200]) == [0])
    }

    @Test func valuesWithBytesInsideArriveWhole() async throws {
        let value = IPCValue.json(
            ["a": 1, "b": nil, "c": ["d": nil]], [.init(["b"], .bytes([9])), .init(["c", "d"], .bytes([8]))])
        let root = ServiceObject(functions: [
            "swap": .immediateValues { arguments, _ throws(RuntimeException) in
                try arguments.argument(0) { $0.bytes(at: "c", "d") }.isEmpty ? nil : arguments[0]
            }
        ])
        let pair = ConnectedPair(root: root)
        #expect(try await pair.client.call(["w3n", "swap"], values: [value]) == value)
    }
}
