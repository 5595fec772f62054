import Components
import Testing
import Wire

/// Beyond a limit there is an exception, and the connection goes on.
struct ConnectionLimitTests {
    private let latch = Latch()

    private func service(_ change: (inout ConnectionLimits) -> Void) -> LoneEnd {
        var limits = ConnectionLimits()
        change(&limits)
        let latch = latch
        return LoneEnd(
            root: ServiceObject(functions: [
                "wait": .promise { _ in
                    await latch.wait()
                    return nil
                },
                "watch": .observable { _, _ in await latch.wait() },
                "big": .immediate { _ in [UInt8](repeating: 0, count: 2000) },
                "bigValue": .observable { _, emitter throws(RuntimeException) in
                    try await emitter.emit([UInt8](repeating: 0, count: 2000))
                },
                "deep": .immediate { _ throws(RuntimeException) in
                    var exception = RuntimeException(type: "secondary", flag: "deep", ["text": "kept"])
                    for _ in 0..<100 { exception = RuntimeException(type: "secondary").caused(by: exception) }
                    exception.fields.append("text", "kept")
                    throw exception
                },
            ]), limits: limits)
    }

    @Test func callsAndObservablesInProgress() async {
        let service = service {
            $0.calls = 2
            $0.observables = 1
        }
        for (number, name) in ["wait", "wait", "watch", "wait", "watch"].enumerated() {
            service.receive("start", UInt64(number), path: ["w3n", name])
        }
        let refusals = service.takeReplies()
        #expect(refusals.map(\.number) == [3, 4])
        #expect(refusals.allSatisfy { $0.exception == RuntimeException(ipc: .tooManyCalls) })
        #expect(service.refused.count == 2)
        latch.open()
        #expect(Set(await service.waitForReplies(3)) == [Reply("end", 0), Reply("end", 1), Reply("end", 2)])
        service.receive("start", 9, path: ["w3n", "wait"])
        #expect(await service.waitForReplies() == [Reply("end", 9)])
    }

    @Test func cancelledObservablesCountForAsLongAsTheyRun() async {
        let service = service { $0.observables = 1 }
        service.receive("start", 1, path: ["w3n", "watch"])
        service.receive("cancel", 1)
        service.receive("start", 1, path: ["w3n", "watch"])
        #expect(service.takeReplies().map(\.exception) == [RuntimeException(ipc: .tooManyCalls)])
        latch.open()
        var replies: [Reply] = []
        while replies != [Reply("end", 1)] {
            service.receive("start", 1, path: ["w3n", "watch"])
            replies = await service.waitForReplies()
        }
    }

    @Test func bytesOfRequests() async {
        let service = service { $0.requests = 1000 }
        for number in 1...3 {
            service.receive("start", UInt64(number), path: ["w3n", "wait"], [UInt8](repeating: 0, count: 400))
        }
        #expect(service.takeReplies().map(\.exception) == [RuntimeException(ipc: .tooManyCalls)])
        latch.open()
        #expect(await service.waitForReplies(2).count == 2)
        service.receive("start", 4, path: ["w3n", "wait"], [UInt8](repeating: 0, count: 1000))
        #expect(await service.waitForReplies() == [Reply("end", 4)])
    }

    @Test(arguments: ["big", "bigValue"])
    func repliesAndValues(name: String) async {
        let service = service { $0.message = 1000 }
        service.receive("start", 1, path: ["w3n", name])
        #expect(await service.waitForReplies().map(\.exception) == [RuntimeException(ipc: .messageTooLong)])
    }

    @Test func exceptionsThatNestTooDeeplyAreToldInShort() throws {
        let service = service { _ in }
        service.receive("start", 1, path: ["w3n", "deep"])
        #expect(
            service.takeReplies().map(\.exception) == [
                RuntimeException(type: "secondary", ["text": "kept", "shortened": true])
            ])
    }

    @Test func callsOfOurOwn() async {
        var limits = ConnectionLimits()
        limits.outstanding = 1
        limits.message = 1000
        let caller = LoneEnd(limits: limits)
        let connection = caller.connection
        let results = Recorded<RuntimeException?>()
        let path = ["w3n", "f"]
        connection.observe(path, [UInt8](repeating: 0, count: 1000)) { _ in
        } end: {
            results.add($0)
        }
        connection.observe(Array(repeating: "a", count: 17)) { _ in
        } end: {
            results.add($0)
        }
        #expect(caller.take() == [])
        connection.observe(path) { _ in
        } end: {
            results.add($0)
        }
        connection.observe(path) { _ in
        } end: {
            results.add($0)
        }
        #expect(caller.take().count == 1)
        let long = Array(repeating: JSONValue.string("a"), count: 17)
        #expect(
            results.all == [
                RuntimeException(ipc: .messageTooLong), RuntimeException(ipc: .callFnNotFound, ["path": .array(long)]),
                RuntimeException(ipc: .tooManyCalls),
            ])
    }
}
