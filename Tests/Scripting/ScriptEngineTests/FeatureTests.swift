import Testing

@testable import ScriptEngine

@Suite struct FeatureTests {
    @Test func timersRingInOrder() async throws {
        let interpreter = try await Interpreter()
        let order = try await interpreter.resolve(
            """
            const order = [];
            const stop = setInterval(() => order.push("never"), 1);
            clearInterval(stop);
            setTimeout((...values) => order.push(...values), 20, "late", "later");
            setTimeout(() => order.push("one"));
            setTimeout(() => order.push("two"), 0);
            queueMicrotask(() => order.push("microtask"));
            order.push("now");
            let ticks = 0;
            new Promise((done) => {
                const interval = setInterval(() => {
                    ticks += 1;
                    if (order.length === 6 && ticks > 2) { clearInterval(interval); done(order.join()); }
                }, 1);
            })
            """)
        #expect(order == .string("now,microtask,one,two,late,later"))
    }

    @Test func aTimerThatWasClearedHidesNoOther() async throws {
        let interpreter = try await Interpreter()
        let source = "clearTimeout(setTimeout(() => {}, 1)); new Promise((done) => setTimeout(done, 5, 'rung'))"
        #expect(try await interpreter.resolve(source, within: .seconds(1000)) == .string("rung"))
    }

    @Test func whatTimersThrowIsReported() async throws {
        let uncaught = Collected<ScriptError>()
        var configuration = ScriptConfiguration()
        configuration.uncaught = { uncaught.add($0) }
        let interpreter = try await Interpreter(configuration)
        _ = try await interpreter.resolve(
            "setTimeout(() => { throw new TypeError('late'); }); new Promise((done) => setTimeout(done, 1))")
        #expect(uncaught.all.map(\.message) == ["late"])
    }

    @Test func consoleWritesLines() async throws {
        let lines = Collected<ConsoleLine>()
        var configuration = ScriptConfiguration()
        configuration.console = { lines.add($0) }
        configuration.limits.consoleLine = 100
        let interpreter = try await Interpreter(configuration)
        _ = try await interpreter.evaluate(
            """
            console.log("a", 1, true, null, undefined, 2n, [1, "x"], { a: { b: 1 } });
            console.warn("%s is %d%%, %o", "x", 42.5, [1], "rest");
            console.error(new Map([["k", new Set([1])]]), new Uint8Array(2), () => {});
            const cycle = {}; cycle.self = cycle;
            console.group("in"); console.info(cycle); console.groupEnd();
            console.debug("ä".repeat(1000)); 1
            """)
        #expect(
            lines.all == [
                ConsoleLine(level: .log, text: #"a 1 true null undefined 2n [1, "x"] {a: {b: 1}}"#),
                ConsoleLine(level: .warn, text: "x is 42%, [1] rest"),
                ConsoleLine(
                    level: .error, text: #"Map(1) {"k" => Set(1) {1}} Uint8Array(2) [0, 0] [Function (anonymous)]"#),
                ConsoleLine(level: .log, text: "in"), ConsoleLine(level: .info, text: "  {self: [Circular]}"),
                ConsoleLine(level: .debug, text: String(repeating: "ä", count: 50) + "…"),
            ])
    }

    @Test(arguments: [
        "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array",
        "BigInt64Array", "BigUint64Array",
    ])
    func randomValuesFillEveryByte(type: String) async throws {
        // A byte that stays 0 in 40 arrays was not filled: by chance this happens once in 10^90 runs.
        let filled = try await evaluate(
            """
            const whole = new \(type)(6);
            const array = whole.subarray(1, 5);
            const bytes = new Uint8Array(whole.buffer);
            const seen = new Uint8Array(bytes.length);
            for (let i = 0; i < 40; i++) {
                if (crypto.getRandomValues(array) !== array) throw new Error("another array");
                bytes.forEach((byte, index) => { seen[index] |= byte; });
            }
            const size = array.BYTES_PER_ELEMENT;
            seen.every((byte, index) => (byte !== 0) === (index >= size && index < 5 * size))
            """)
        #expect(filled == .bool(true))
    }

    @Test(arguments: [
        ("new Uint8Array(65537)", "QuotaExceededError"), ("new Float64Array(1)", "TypeMismatchError"),
        ("new DataView(new ArrayBuffer(1))", "TypeMismatchError"), ("[1]", "TypeMismatchError"),
    ])
    func randomValuesHaveConditions(array: String, name: String) async throws {
        let error = await failure { try await evaluate("crypto.getRandomValues(\(array))") }
        #expect(error?.name == name)
    }

    @Test func randomUUIDsAreOfVersionFour() async throws {
        let source = "/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())"
        #expect(try await evaluate(source) == .bool(true))
        #expect(try await evaluate("crypto.randomUUID() === crypto.randomUUID()") == .bool(false))
    }

    @Test func performanceNowRuns() async throws {
        let source =
            "const a = performance.now(); let b; do { b = performance.now(); } while (b === a); b > a && a >= 0"
        #expect(try await evaluate(source) == .bool(true))
        #expect(try await evaluate("Math.abs(performance.timeOrigin - Date.now()) < 1e6") == .bool(true))
    }

    @Test func globalsCanBeLeftOutAndReplaced() async throws {
        var configuration = ScriptConfiguration()
        configuration.features = [.timers]
        #expect(
            try await evaluate("[typeof setTimeout, typeof crypto].join()", configuration)
                == .string("function,undefined"))
        #expect(try await evaluate("crypto = 1; crypto + 1") == .number(2))
    }
}
