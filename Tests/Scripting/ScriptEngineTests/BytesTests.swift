import Synchronization
import Testing

@testable import ScriptEngine

@Suite struct BytesTests {
    @Test(
        arguments: [
            ("new Uint8Array([1, 2, 3])", [1, 2, 3]), ("new Uint8Array([1, 2, 3]).subarray(1)", [2, 3]),
            ("new Uint8Array(new ArrayBuffer(8), 3, 2).fill(9)", [9, 9]),
            ("new Uint16Array([0x0201]).subarray(0)", [1, 2]),
            ("new Uint32Array([0, 0x04030201]).subarray(1)", [1, 2, 3, 4]), ("new Uint8Array([5, 6]).buffer", [5, 6]),
            ("new Uint8Array(0)", []), ("new ArrayBuffer(0)", []), ("new Uint8Array([1, 2]).subarray(2)", []),
            ("const r = new ArrayBuffer(4, { maxByteLength: 8 }), v = new Uint8Array(r); r.resize(2); v", [0, 0]),
            ("new Float64Array(1)", [0, 0, 0, 0, 0, 0, 0, 0]),
        ] as [(String, [UInt8])])
    func bytesComeOut(source: String, expected: [UInt8]) async throws {
        let interpreter = try await Interpreter()
        let (property, argument) = try await interpreter.run { context in
            let seen = Collected<[UInt8]>()
            try context.setFunction("see") { arguments in
                seen.add(try arguments.bytes(0))
                return ScriptData.undefined
            }
            let value = try context.evaluate(source)
            try context.evaluate("(v) => see(v)").call(value)
            return (try value.bytes, seen.all)
        }
        #expect(property == expected)
        #expect(argument == [expected])
    }

    @Test(arguments: [
        "const b = new ArrayBuffer(4); b.transfer(); b", "const a = new Uint8Array(4); a.buffer.transfer(); a",
        "const a = new Uint8Array(4); structuredClone(a, { transfer: [a.buffer] }); a",
    ])
    func detachedMemoryIsAnError(source: String) async throws {
        let interpreter = try await Interpreter()
        let error = await failure { try await interpreter.run { try $0.evaluate(source).bytes } }
        #expect(error?.kind == .detached)
    }

    @Test(arguments: [
        "const r = new ArrayBuffer(8, { maxByteLength: 8 }), v = new Uint8Array(r, 4, 4); r.resize(2); v",
        "const r = new ArrayBuffer(8, { maxByteLength: 8 }), v = new Uint8Array(r, 4); r.resize(2); v",
    ])
    func arraysBeyondTheirBufferHaveNoBytes(source: String) async throws {
        let interpreter = try await Interpreter()
        let found = Collected<[UInt8]>()
        let error = await failure { try await interpreter.run { found.add(try $0.evaluate(source).bytes) } }
        #expect(error?.kind == .detached || found.all == [[]])
    }

    @Test(arguments: ["[1, 2]", "'ab'", "({ length: 1 })", "null"])
    func othersHaveNoBytes(source: String) async throws {
        let interpreter = try await Interpreter()
        let error = await failure { try await interpreter.run { try $0.evaluate(source).bytes } }
        #expect(error?.kind == .wrongType)
    }

    @Test func bytesAreFilledInPlace() async throws {
        let interpreter = try await Interpreter()
        let (text, sum) = try await interpreter.run { context in
            let value = try context.bytes(count: 4) { $0[1] = 7 }
            try value.withMutableBytes { $0[2] = 5 }
            let sum = try value.withBytes { span in
                span.byteOffsets.reduce(0) { $0 + Int(span.unsafeLoad(fromByteOffset: $1, as: UInt8.self)) }
            }
            return (try value.text, sum)
        }
        #expect(text == "0,7,5,0")
        #expect(sum == 12)
    }

    @Test func memoryThatStaysIsSharedAndReleasedOnce() async throws {
        let released = Atomic<Int>(0)
        // The engine and this test look at the same bytes, one after the other.
        nonisolated(unsafe) let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 3, alignment: 1)
        defer { memory.deallocate() }
        memory.copyBytes(from: [1, 2, 3])
        let interpreter = try await Interpreter()
        let sum = try await interpreter.run { context in
            let value = try context.bytes(noCopy: memory) { released.add(1, ordering: .relaxed) }
            return try context.evaluate("(b) => { const s = b[0] + b[1] + b[2]; b[0] = 9; return s; }").call(value)
                .integer
        }
        #expect(sum == 6)
        #expect(memory[0] == 9)
        #expect(released.load(ordering: .relaxed) == 0)
        try await interpreter.run { $0.close() }
        #expect(released.load(ordering: .relaxed) == 1)
    }

    @Test func largeArraysPassBothWays() async throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let interpreter = try await Interpreter()
        let returned = try await interpreter.run { try $0.evaluate("(b) => b.slice()").call(bytes).bytes }
        #expect(returned == bytes)
    }
}
