import Components
import Synchronization
import Testing
import Wire

@Suite("Limits of function calls over ports")
struct FunctionLimitTests {
    @Test("More calls than allowed are refused on both sides, until one is answered")
    func callsInProgress() async throws {
        var limits = FunctionCallLimits()
        limits.calls = 2
        let latch = CountingLatch()
        let pair = PortPair(functions: ["waits": .promise { _ in await latch.pass() }], limits: limits)
        let waiting = (1...2).map { _ in Task { try await pair.script.call("waits") } }
        await latch.isWaitedAt(by: 2)
        await #expect(throws: NativeError.text("more than 2 calls wait for their replies")) {
            try await pair.script.call("waits")
        }
        // A script that does not count for itself.
        let request = FnCallsProto.RequestWithinCallIntoAndroid(id: 77, args: [])
        try pair.host.receive(PortMessage(port: "waits", bytes: request.encoded))
        let refusal = FnCallsProto.ReplyWithinCall(id: 77, res: [], err: "too many calls are in progress")
        #expect(pair.sent(on: "waits", by: .host) == [hex(refusal.encoded)])
        latch.open()
        for task in waiting { #expect(try await task.value == []) }
        #expect(try await pair.script.call("waits") == [])
    }

    @Test("Arguments and results have a size, alone and together")
    func sizes() async throws {
        var limits = FunctionCallLimits()
        limits.message = 10
        limits.arguments = 15
        let latch = CountingLatch()
        let pair = PortPair(
            functions: [
                "echo": .immediate { $0 },
                "grow": .immediate { $0 + $0 },
                "waits": .promise { _ in await latch.pass() },
            ], limits: limits)
        let ten = [UInt8](repeating: 1, count: 10)
        #expect(try await pair.script.call("echo", ten) == ten)
        await #expect(throws: NativeError.text("the arguments are longer than 10 bytes")) {
            try await pair.script.call("echo", ten + [1])
        }
        await #expect(throws: NativeError.text("the result is longer than 10 bytes")) {
            try await pair.script.call("grow", ten)
        }
        let long = FnCallsProto.RequestWithinCallIntoAndroid(id: 5, args: ten + [1])
        try pair.host.receive(PortMessage(port: "echo", bytes: long.encoded))
        let refusal = FnCallsProto.ReplyWithinCall(id: 5, res: [], err: "the arguments are longer than 10 bytes")
        #expect(pair.sent(on: "echo", by: .host).last == hex(refusal.encoded))

        let first = Task { try await pair.script.call("waits", ten) }
        await latch.isWaitedAt(by: 1)
        await #expect(throws: NativeError.text("too many calls are in progress")) {
            try await pair.script.call("waits", ten)
        }
        latch.open()
        #expect(try await first.value == [])
        #expect(try await pair.script.call("waits", ten) == [])
    }

    @Test("A caller that gives up hears so at once, and the late reply is ignored")
    func cancelling() async throws {
        let latch = CountingLatch()
        let pair = PortPair(functions: ["waits": .promise { _ in await latch.pass() }])
        let call = Task { try await pair.script.call("waits") }
        await latch.isWaitedAt(by: 1)
        call.cancel()
        await #expect(throws: NativeError.text("the call was cancelled")) { try await call.value }
        latch.open()
        #expect(try await pair.script.call("waits") == [])
        #expect(pair.sent(on: "waits", by: .host).count == 2)
    }

    @Test("Closing fails the calls of this end and cancels those of the other")
    func closing() async throws {
        let latch = CountingLatch()
        let pair = PortPair(functions: ["waits": .promise { _ in await latch.pass() }])
        let incoming = Task { try await pair.script.call("waits") }
        pair.script.expose(.promise { _ in await latch.pass() }, as: "waits")
        let outgoing = Task { try await pair.host.call("waits") }
        await latch.isWaitedAt(by: 2)
        pair.host.close()
        await #expect(throws: NativeError.text("the ports are closed")) { try await outgoing.value }
        await #expect(throws: NativeError.text("the ports are closed")) { try await pair.host.call("waits") }
        latch.open()
        pair.script.close()
        await #expect(throws: NativeError.text("the ports are closed")) { try await incoming.value }
        #expect(pair.sent(on: "waits", by: .host) == [])
    }

    @Test("Foreign ports are somebody else's, and unreadable messages an error")
    func receiving() throws {
        let pair = PortPair(functions: ["echo": .immediate { $0 }])
        #expect(try !pair.host.receive(PortMessage(port: PortMessage.coreIPC, bytes: [0xff])))
        #expect(try !pair.script.receive(PortMessage(port: "echo", bytes: [0xff])))
        #expect(throws: WireError.self) { try pair.host.receive(PortMessage(port: "echo", bytes: [0x08])) }
        #expect(throws: WireError.self) {
            try pair.host.receive(PortMessage(port: PortMessage.scriptFunctions, bytes: [0x08, 0x01]))
        }
        // A reply to no call.
        let reply = FnCallsProto.ReplyWithinCall(id: 9, res: [])
        #expect(try pair.host.receive(PortMessage(port: PortMessage.scriptFunctions, bytes: reply.encoded)))
    }
}

/// Where calls wait until the test opens it.
private final class CountingLatch: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<[UInt8], Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    func pass() async -> [UInt8] {
        await withCheckedContinuation { continuation in
            let (isOpen, ready) = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                let count = state.waiting.count
                defer { state.watchers.removeAll { $0.count <= count } }
                return (state.isOpen, state.watchers.filter { $0.count <= count })
            }
            if isOpen { continuation.resume(returning: []) }
            for watcher in ready { watcher.continuation.resume() }
        }
    }

    func isWaitedAt(by count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.waiting.count < count { state.watchers.append((count, continuation)) }
                return state.waiting.count >= count
            }
            if isReady { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: []) }
    }
}
