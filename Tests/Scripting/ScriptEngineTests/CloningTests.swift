import Testing

@testable import ScriptEngine

@Suite struct CloningTests {
    @Test(arguments: [
        "c(1) === 1 && c('x') === 'x' && c(null) === null && c(undefined) === undefined && c(2n) === 2n && Object.is(c(-0), -0)",
        "const a = { b: [1, { d: 'e' }] }, x = c(a); x !== a && x.b !== a.b && JSON.stringify(x) === JSON.stringify(a)",
        "const a = {}; a.a = a; const x = c(a); x.a === x && x !== a",
        "const s = {}; const x = c([s, s]); x[0] === x[1] && x[0] !== s",
        "const x = c(new Map([[{ k: 1 }, new Set([1, 'a'])]])); x instanceof Map && [...x.values()][0].has('a')",
        "const m = new Map(); m.set(m, m); const x = c(m); x.get(x) === x",
        "+c(new Date(5)) === 5 && c(new Date(NaN)) instanceof Date",
        "const x = c(/a(b)/gi); x instanceof RegExp && x.source === 'a(b)' && x.flags === 'gi' && x.lastIndex === 0",
        "const x = c(new Uint16Array([1, 2, 3]).subarray(1)); x instanceof Uint16Array && x.join() === '2,3' && x.byteOffset === 2",
        "const b = new ArrayBuffer(8), x = c([new Uint8Array(b), new Float64Array(b)]); x[0].buffer === x[1].buffer && x[0].buffer !== b",
        "c(new DataView(new ArrayBuffer(4), 1, 2)).byteLength === 2",
        "const x = c(new RangeError('far', { cause: { a: 1 } })); x instanceof RangeError && x.message === 'far' && x.cause.a === 1",
        "class A extends Error { name = 'Odd' }; const x = c(new A('m')); Object.getPrototypeOf(x) === Error.prototype && x.message === 'm'",
        "class P { constructor() { this.own = 1; } get g() { return 2; } }; const x = c(new P()); x.own === 1 && !('g' in x) && x.constructor === Object",
        "const x = c([1, , 3]); x.length === 3 && !(1 in x)",
        "const a = [1]; a.extra = 2; c(a).extra === 2",
        "const x = c(Object(true)), y = c(Object('s')), z = c(Object(5n)); typeof x === 'object' && x == true && y == 's' && z == 5n",
        "const x = c(JSON.parse('{\"__proto__\": 1}')); Object.hasOwn(x, '__proto__') && x.__proto__ === 1",
        "const b = new Uint8Array([7]).buffer, x = c({ b }, { transfer: [b] }); b.detached && new Uint8Array(x.b)[0] === 7",
        "c({ toString: 1, [Symbol('s')]: 2 }).toString === 1",
        "c(Object.create(null)).constructor === Object",
        "c(new DOMException('m', 'n')).name === 'n'",
    ])
    func clones(source: String) async throws {
        #expect(try await evaluate("const c = structuredClone; \(source)") == .bool(true))
    }

    @Test(arguments: [
        "() => 1", "{ f() {} }", "Symbol('s')", "new WeakMap()", "Promise.resolve()", "[class {}]", "new WeakRef({})",
        "new Map([[1, () => 1]])",
    ])
    func refuses(value: String) async throws {
        #expect(await failure { try await evaluate("structuredClone(\(value))") }?.name == "DataCloneError")
    }

    @Test func nothingIsDetachedWhenItFails() async throws {
        let source = """
            const b = new ArrayBuffer(3);
            try { structuredClone({ b, f() {} }, { transfer: [b] }); } catch { }
            try { structuredClone(b, { transfer: [b, b] }); } catch { }
            b.byteLength
            """
        #expect(try await evaluate(source) == .number(3))
    }
}
