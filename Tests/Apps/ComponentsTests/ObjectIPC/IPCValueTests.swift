import Components
import Testing
import Wire

/// JSON with binary: what is read out of it, and how much is taken.
struct IPCValueTests {
    private let reference = CommonProto.ObjectReference(objType: "FSImpl", path: ["77"])

    @Test func everyKindOfValueGoesThereAndBack() throws {
        let values: [IPCValue] = [
            .undefined, .json(nil), .json(true), .string(""), .string("ü"), .json(["a": [1, .number("2.5e3")]]),
            .bytes([]),
            .bytes([1, 2]), .reference(reference),
            .json(
                ["fs": nil, "list": [nil, nil]],
                [.init(["list", "1"], .bytes([3])), .init(["fs"], .reference(reference))]),
        ]
        #expect(try [IPCValue](body: values.body[...]) == values)
    }

    @Test func partsAreFoundWhereTheyBelong() {
        let value = IPCValue.json(
            ["a": nil, "b": [nil]], [.init(["a"], .bytes([1])), .init(["b", "0"], .reference(reference))])
        #expect(value.bytes(at: "a") == [1])
        #expect(value.reference(at: "b", "0") == reference)
        #expect(value.bytes(at: "b", "0") == nil && value.bytes() == nil && value.reference(at: "a") == nil)
        #expect(IPCValue.bytes([2]).bytes() == [2] && IPCValue.reference(reference).reference() == reference)
    }

    @Test func argumentsHaveTheFormThatIsNeeded() throws {
        let arguments: [IPCValue] = [
            .string("a"), .json(3), .json(.number("2.0")), .json(.number("2.5")), .json(true), .undefined,
        ]
        #expect(try arguments.argument(0, \.string) == "a")
        #expect(try arguments.argument(1, \.integer) == 3)
        #expect(try arguments.argument(2, \.integer) == 2)
        #expect(try arguments.argument(4, \.bool))
        for (index, form) in [(1, \IPCValue.string), (5, \.string), (6, \.string), (-1, \.string)] {
            #expect(throws: RuntimeException(ipc: .invalidBody, ["argument": .number("\(index)")])) {
                try arguments.argument(index) { $0[keyPath: form] }
            }
        }
        #expect(throws: RuntimeException.self) { try arguments.argument(3, \.integer) }
        #expect(arguments.optional(0, \.string) == "a" && arguments.optional(9, \.string) == nil)
    }

    @Test func noBodyIsNoValues() throws {
        #expect(try [IPCValue](body: nil) == [])
        #expect(try IPCValue(reply: nil) == .undefined)
    }

    @Test(arguments: [
        JsonIpcProto.ValuesSequence(values: [.init(json: "{")]),
        JsonIpcProto.ValuesSequence(values: [.init(json: String(repeating: "[", count: 40))]),
        JsonIpcProto.ValuesSequence(values: Array(repeating: .init(), count: 257)),
        JsonIpcProto.ValuesSequence(values: [.init(json: "\"" + String(repeating: "a", count: 1 << 20) + "\"")]),
        JsonIpcProto.ValuesSequence(
            values: [.init(json: "null", binaryInJson: Array(repeating: .init(), count: 257))]),
        JsonIpcProto.ValuesSequence(values: [.init(json: "null", transferredInJson: [.init(objLocation: ["a"])])]),
    ])
    func whatIsMalformedOrTooMuchIsRefused(sequence: JsonIpcProto.ValuesSequence) {
        #expect(throws: RuntimeException(ipc: .invalidBody)) { try [IPCValue](body: sequence.encoded[...]) }
    }

    @Test func anyValues() throws {
        for value in [IPCValue.bytes([1]), .json(["a": nil])] {
            #expect(try #require(CommonProto.AnyValue(value)).value == value)
        }
        #expect(CommonProto.AnyValue(.undefined) == nil && CommonProto.AnyValue(.reference(reference)) == nil)
        #expect(try CommonProto.AnyValue().value == .undefined)
        #expect(throws: RuntimeException(ipc: .invalidBody)) {
            try CommonProto.AnyValue(type: "json", json: .init(value: "{")).value
        }
    }
}
