import Foundation
import Testing

@testable import ScriptEngine

/// These count objects of the whole process, so each test has its own process.
@Suite struct TeardownTests {
    @Test func closedContextsLeaveNothing() async {
        await #expect(processExitsWith: .success) {
            let thread = try ScriptThread()
            for _ in 0..<20 { try await useContext(on: thread) { $0.close() } }
            let before = residentBytes()
            for _ in 0..<200 { try await useContext(on: thread) { $0.close() } }
            try await waitUntilEmpty()
            // A live context takes about a megabyte.
            try #require(residentBytes() - before < 50_000_000)
        }
    }

    @Test func threadsCloseTheirContexts() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<10 {
                let thread = try ScriptThread()
                for _ in 0..<5 { try await useContext(on: thread) { _ in } }
            }
            try await waitUntilEmpty()
        }
    }

    @Test func whatWasMadeAheadIsUsedOrFreed() async {
        await #expect(processExitsWith: .success) {
            for isUsed in Array(repeating: [true, false], count: 100).joined() {
                let thread = try ScriptThread()
                let error = await withCheckedContinuation { done in thread.prepareContext { done.resume(returning: $0) }
                }
                try #require(error == nil)
                if isUsed { try await useContext(on: thread) { $0.close() } }
            }
            try await waitUntilEmpty()
            while LiveObjectCount.threads.count > 0 { try await Task.sleep(for: .milliseconds(1)) }
            // A context that lives takes about a megabyte.
            try #require(residentBytes() < 250_000_000)
        }
    }

    @Test func threadsEndWithTheirOwners() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<20 {
                let interpreter = try await Interpreter()
                _ = try await interpreter.resolve("new Promise((done) => setTimeout(done))")
            }
            try await waitUntilEmpty()
            while LiveObjectCount.threads.count > 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    @Test func valuesMayBeLetGoAnywhere() async {
        await #expect(processExitsWith: .success) {
            let thread = try ScriptThread()
            for _ in 0..<50 {
                let pocket = Pocket()
                try await thread.run {
                    let context = try ScriptContext(on: thread)
                    pocket.value = try context.evaluate("({})")
                }
                pocket.value = nil
            }
            while LiveObjectCount.values.count > 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    @Test func aContextCanBeClosedByItsOwnScript() async throws {
        let interpreter = try await Interpreter()
        let (text, isClosed) = try await interpreter.run { context in
            try context.setFunction("close") { arguments in
                arguments.context.close()
                return ScriptData.undefined
            }
            let error = try? context.evaluate("try { close(); setTimeout(() => {}); } catch { } 1").kind
            return (String(describing: error), context.isClosed)
        }
        #expect(isClosed)
        #expect(text == "nil")
        #expect(await failure { try await interpreter.evaluate("1") }?.kind == .closed)
    }

    @Test func closingTwiceIsClosing() async throws {
        let interpreter = try await Interpreter()
        let isClosed = try await interpreter.run { context in
            let value = try context.evaluate("({})")
            context.close()
            context.close()
            _ = consume value
            return context.isClosed
        }
        #expect(isClosed)
    }

    @Test func memoryIsCounted() async throws {
        let interpreter = try await Interpreter()
        let (before, after) = try await interpreter.run { context in
            try context.collectGarbage()
            let before = try context.memory
            try context.evaluate(
                """
                var objects = Array.from({ length: 100000 }, (_, i) => ({ i }));
                var bytes = new Uint8Array(5000000);
                """)
            try context.collectGarbage()
            return (before, try context.memory)
        }
        #expect(after.heapSize > before.heapSize + 1_000_000)
        #expect(after.objects > before.objects + 90_000)
        #expect(after.extraSize > before.extraSize + 4_000_000)
        #expect(before.heapCapacity > 0)
    }
}

/// Makes a context with much unfinished work, and lets `end` end it.
private func useContext(on thread: ScriptThread, _ end: @escaping @Sendable (ScriptContext) -> Void) async throws {
    try await thread.run {
        let context = try ScriptContext(on: thread)
        try context.setFunction("native") { arguments in try arguments.number(0) }
        try context.setAsyncFunction("later") { _ in
            try await Task.sleep(for: .seconds(1000))
            return .null
        }
        let value = try context.evaluate(
            """
            setInterval(() => {}, 1);
            setTimeout(() => {}, 1000);
            later();
            new Promise(() => {});
            new URL("http://a/?b").searchParams;
            structuredClone(new Map([[1, new Uint8Array(1000)]]));
            ({ native: native(1), text: new TextEncoder().encode("text") })
            """)
        _ = try value.property("text").bytes
        end(context)
    }
}

/// Unchecked: the thread of the script and this task use it alternately.
private final class Pocket: @unchecked Sendable {
    var value: ScriptValue?
}

private func waitUntilEmpty() async throws {
    while LiveObjectCount.contexts.count + LiveObjectCount.functions.count + LiveObjectCount.values.count > 0 {
        try await Task.sleep(for: .milliseconds(1))
    }
}

/// The resident memory of this process.
private func residentBytes() -> Int {
    let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ").dropFirst().first
    return (pages.flatMap { Int($0) } ?? 0) * 4096
}
