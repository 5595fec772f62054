import Components
import Testing

/// Closing, in every state that a connection can be in.
struct ClosingTests {
    /// Who ends it, and what callers hear.
    enum Ending: CaseIterable {
        case here, there, violation

        func perform(on end: LoneEnd) {
            switch self {
            case .here: end.connection.close()
            case .there: end.connection.otherSideClosed()
            case .violation: end.connection.receive([0xff])
            }
        }

        var exception: RuntimeException { RuntimeException(ipc: self == .there ? .stopFromOtherSide : .connectorStop) }
    }

    @Test(arguments: Ending.allCases)
    func callsThatWaitFailAndLaterOnesToo(ending: Ending) async {
        let end = LoneEnd()
        let results = Recorded<RuntimeException?>()
        for _ in 0..<3 {
            end.connection.observe(["w3n", "f"]) { _ in
            } end: {
                results.add($0)
            }
        }
        ending.perform(on: end)
        ending.perform(on: end)
        #expect(results.all == Array(repeating: ending.exception, count: 3))
        #expect(end.ends.count == 1)
        end.connection.observe(["w3n", "f"]) { _ in
        } end: {
            results.add($0)
        }
        #expect(results.all.last == RuntimeException(ipc: .ipcNotConnected))
        await #expect(throws: RuntimeException(ipc: .ipcNotConnected)) { try await end.connection.call(["w3n", "f"]) }
        await #expect(throws: RuntimeException(ipc: .ipcNotConnected)) {
            for try await _ in end.connection.observe(["w3n", "f"]) {}
        }
    }

    @Test(arguments: Ending.allCases)
    func functionsAreCancelledAndSayNothingMore(ending: Ending) async {
        let ended = Recorded<String>()
        let end = LoneEnd(
            root: ServiceObject(functions: [
                "sleep": .promise { _ in
                    try? await Task.sleep(for: .seconds(600))
                    ended.add("sleep")
                    return [1]
                },
                "watch": .observable { _, emitter throws(RuntimeException) in
                    defer { ended.add("watch") }
                    while true {
                        try await emitter.emit([1])
                        await Task.yield()
                    }
                },
                "stuck": .observable { call, emitter throws(RuntimeException) in
                    defer { ended.add("stuck") }
                    call.connection.reportBacklog(call.connection.limits.unsent + 1)
                    try await emitter.emit([1])
                },
            ]))
        for (number, name) in ["sleep", "watch", "stuck"].enumerated() {
            end.receive("start", UInt64(number), path: ["w3n", name])
        }
        ending.perform(on: end)
        _ = end.take()
        while ended.all.count < 3 { await Task.yield() }
        #expect(Set(ended.all) == ["sleep", "watch", "stuck"])
        #expect(end.take() == [])
    }

    @Test(arguments: Ending.allCases)
    func nothingIsServedAfterwards(ending: Ending) {
        let called = Recorded<Int>()
        let end = LoneEnd(
            root: ServiceObject(functions: [
                "f": .immediate { _ in
                    called.add(1)
                    return nil
                },
                "g": .promise { _ in
                    called.add(2)
                    return nil
                },
            ]))
        ending.perform(on: end)
        for name in ["f", "g"] { end.receive("start", 1, path: ["w3n", name]) }
        end.receive("list-obj", 1, path: ["w3n"])
        end.receive("nonsense", 1)
        #expect(called.all == [] && end.take() == [] && end.ends.count == 1)
    }

    @Test func aFunctionMayCloseTheConnectionThatCallsIt() async {
        let end = LoneEnd(
            root: ServiceObject(functions: [
                "now": .immediate { call in
                    call.connection.close()
                    return [1]
                }
            ]))
        end.receive("start", 1, path: ["w3n", "now"])
        #expect(end.ends == [.closed] && end.take() == [])
    }

    @Test func aCallOfACancelledTaskEndsAtOnce() async {
        let end = LoneEnd()
        let call = Task { try await end.connection.call(["w3n", "slow"]) }
        #expect(await end.waitForReplies() == [Reply("start", 1, path: ["w3n", "slow"])])
        call.cancel()
        await #expect(throws: RuntimeException(ipc: .callCancelled)) { try await call.value }
        #expect(end.takeReplies() == [Reply("cancel", 1)])
        end.receive("end", 1)
        #expect(end.ends == [])
    }

    @Test func aLoopThatEndsCancelsItsCall() async throws {
        let pair = ConnectedPair(
            root: ServiceObject(functions: [
                "watch": .observable { _, emitter throws(RuntimeException) in
                    while true {
                        try await emitter.emit([1])
                        await Task.yield()
                    }
                }
            ]))
        for try await value in pair.client.observe(["w3n", "watch"]) where value == [1] { break }
        while !pair.sentByClient.map({ Reply($0) }).contains(Reply("cancel", 1)) { await Task.yield() }
    }
}
