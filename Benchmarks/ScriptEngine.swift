import ScriptEngine

extension Suite {
    static let scriptEngine = Suite(
        name: "script-engine", about: "contexts, and calls between Swift and JavaScript"
    ) { recorder in
        let thread = try ScriptThread()
        // Every figure is the median of many rounds on the thread of the script.
        for measurement in measurements {
            let samples = try await thread.run { try measurement.run(on: thread) }
            await recorder.record(
                measurement.name, samples, unit: measurement.unit.name, better: .lower, aim: measurement.aim)
        }
    }

    private static let measurements = [
        Measurement("new context, closed again", unit: .milliseconds, aim: 5, fresh: true) { _ in { _ in } },
        Measurement("new context with a script of 100 KB", unit: .milliseconds, aim: 30, fresh: true) { _ in
            { try $0.evaluate(bundle, name: "bundle.js") }
        },
        Measurement("JavaScript calls Swift, a number", unit: .nanoseconds, aim: 240, count: 100_000) { context in
            try context.setFunction("increment") { arguments in try arguments.number(0) + 1 }
            let loop = try context.evaluate("(n) => { let sum = 0; for (let i = 0; i < n; i++) sum = increment(sum); }")
            return { _ in try loop.call(100_000) }
        },
        Measurement("JavaScript calls Swift, 24 characters", unit: .nanoseconds, count: 100_000) { context in
            try context.setFunction("echo") { arguments in try arguments.string(0) }
            let loop = try context.evaluate(
                "(n) => { for (let i = 0; i < n; i++) echo('abcdefghijklmnopqrstuvwx'); }")
            return { _ in try loop.call(100_000) }
        },
        Measurement("Swift calls JavaScript, a number", unit: .nanoseconds, aim: 240, count: 100_000) { context in
            let increment = try context.evaluate("(n) => n + 1")
            return { _ in for _ in 0..<100_000 { _ = try increment.call(1.0) } }
        },
        Measurement("64 KiB to JavaScript, copied", unit: .nanoseconds, count: 10_000) { _ in
            let bytes = [UInt8](repeating: 7, count: 65_536)
            return { context in for _ in 0..<10_000 { _ = try context.bytes(bytes) } }
        },
        Measurement("64 KiB to JavaScript, not copied", unit: .nanoseconds, aim: 700, count: 10_000) { _ in
            // Lives as long as the process, because the context does not say here when it let go.
            nonisolated(unsafe) let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
            return { context in for _ in 0..<10_000 { _ = try context.bytes(noCopy: memory) {} } }
        },
        Measurement("64 KiB to Swift, not copied", unit: .nanoseconds, aim: 700, count: 100_000) { context in
            let value = try context.bytes([UInt8](repeating: 7, count: 65_536))
            return { _ in for _ in 0..<100_000 { _ = try value.withBytes { $0.byteCount } } }
        },
    ]

    /// A script of about 100 KB: many small functions, as bundlers write them.
    private static let bundle =
        (0..<1000).map {
            "function f\($0)(a, b) { const list = [a, b, \($0)]; return list.map((x) => x * 2).join('\($0)'); }\n"
        }.joined() + "f1(1, 2);"
}

/// Something whose time is taken on the thread of a script.
private struct Measurement: Sendable {
    enum Unit {
        case milliseconds, nanoseconds

        var name: String { self == .milliseconds ? "ms" : "ns" }
        var duration: Duration { self == .milliseconds ? .milliseconds(1) : .nanoseconds(1) }
    }

    typealias Work = (ScriptContext) throws -> Void

    let name: String
    let unit: Unit
    let aim: Double?
    let count: Int
    let isFresh: Bool
    let prepare: @Sendable (ScriptContext) throws -> Work

    /// - Parameter fresh: whether making and closing a context is part of what is measured.
    init(
        _ name: String, unit: Unit, aim: Double? = nil, count: Int = 1, fresh: Bool = false,
        _ prepare: @escaping @Sendable (ScriptContext) throws -> Work
    ) {
        self.name = name
        self.unit = unit
        self.aim = aim
        self.count = count
        isFresh = fresh
        self.prepare = prepare
    }

    func run(on thread: ScriptThread) throws -> [Double] {
        let context = try ScriptContext(on: thread)
        defer { context.close() }
        let work = try prepare(context)
        return try (0..<21).map { _ in
            let time = try ContinuousClock().measure {
                guard isFresh else { return try work(context) }
                let fresh = try ScriptContext(on: thread)
                try work(fresh)
                fresh.close()
            }
            return time / unit.duration / Double(count)
        }
    }
}
