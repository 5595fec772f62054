import Components
import Synchronization
import Testing

/// Calls from within calls: in one process, sending is the other end's receiving.
struct ReentrancyTests {
    @Test func functionsMayCallBackBeforeTheyAnswer() async throws {
        let root = ServiceObject(functions: [
            "down": .promise { call throws(RuntimeException) in
                let count = call.body?.first ?? 0
                guard count > 0 else { return [0] }
                let rest = try await call.connection.call(["w3n", "down"], [count - 1])
                return [(rest?.first ?? 0) + 1]
            }
        ])
        let pair = ConnectedPair(root: root, clientRoot: root)
        #expect(try await pair.client.call(["w3n", "down"], [200]) == [200])
    }

    /// A handler that calls again at once would run out of stack if calls were nested in calls.
    @Test func handlersMayCallAgainAtOnceAnyNumberOfTimes() async {
        let pair = ConnectedPair(root: ServiceObject(functions: ["f": .immediate { _ in nil }]))
        let count = Mutex(0)
        @Sendable func again() {
            let goesOn = count.withLock { count in
                count += 1
                return count < 10_000
            }
            if goesOn {
                pair.client.observe(["w3n", "f"]) { _ in
                } end: { _ in
                    again()
                }
            }
        }
        again()
        #expect(count.withLock { $0 } == 10_000)
    }

    @Test func messagesKeepTheirOrderFromAllThreads() async throws {
        let seen = Recorded<[UInt8]>()
        let pair = ConnectedPair(
            root: ServiceObject(functions: [
                "note": .immediate { call in
                    seen.add(call.body.map(Array.init) ?? [])
                    return nil
                }
            ]))
        try await withThrowingTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<250 {
                        pair.client.observe(["w3n", "note"], [UInt8(thread), UInt8(number)]) { _ in
                        } end: { _ in
                        }
                        if number % 7 == 0 { await Task.yield() }
                    }
                }
            }
            try await group.waitForAll()
        }
        while seen.all.count < 1000 { await Task.yield() }
        let started = pair.sentByClient.compactMap { Reply($0).body }
        #expect(seen.all == started)
        for thread in 0..<4 { #expect(seen.all.filter { $0[0] == thread }.map { $0[1] } == Array(0..<250)) }
    }

    @Test func functionsStartInTheOrderOfTheirCalls() async throws {
        let begun = Recorded<UInt8>()
        let end = LoneEnd(
            root: ServiceObject(functions: [
                "p": .promise { call in
                    begun.add(call.body?.first ?? 0)
                    await Task.yield()
                    return nil
                },
                "o": .observable { call, _ in begun.add(call.body?.first ?? 0) },
                "i": .immediate { call in
                    begun.add(call.body?.first ?? 0)
                    return nil
                },
            ]))
        for number in 0..<90 {
            end.receive("start", UInt64(number), path: ["w3n", ["p", "o", "i"][number % 3]], [UInt8(number)])
        }
        #expect(begun.all == Array(0..<90))
        #expect(await end.waitForReplies(90).count == 90)
    }
}
