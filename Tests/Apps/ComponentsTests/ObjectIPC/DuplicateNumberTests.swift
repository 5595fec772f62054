import Components
import Testing

/// A number that is in progress already: the service refuses it, and the caller tries another.
struct DuplicateNumberTests {
    private static let duplicate = RuntimeException(ipc: .duplicateFnCallNum)
    private let caller = LoneEnd()
    private let results = Recorded<RuntimeException?>()

    @Test(arguments: ["wait", "f"])
    func aNumberInProgressIsRefused(second: String) async {
        let latch = Latch()
        let service = LoneEnd(
            root: ServiceObject(functions: [
                "wait": .promise { _ in
                    await latch.wait()
                    return [1]
                }, "f": .immediate { _ in [2] },
            ]))
        service.receive("start", 7, path: ["w3n", "wait"])
        service.receive("start", 7, path: ["w3n", second])
        #expect(service.takeReplies().map(\.exception) == [Self.duplicate])
        service.receive("list-obj", 7, path: ["w3n"])
        #expect(service.takeReplies().map(\.exception) == [Self.duplicate])
        latch.open()
        #expect(await service.waitForReplies() == [Reply("end", 7, [1])])
        service.receive("start", 7, path: ["w3n", "f"])
        #expect(service.takeReplies() == [Reply("end", 7, [2])])
    }

    @Test func theCallerTriesAgainUnseen() async throws {
        let number = try #require(
            caller.connection.observe(["w3n", "f"], [9]) { _ in
            } end: { end in
                results.add(end)
            })
        #expect(caller.takeReplies() == [Reply("start", 1, path: ["w3n", "f"], [9])])
        caller.receive("error", 1, Self.duplicate.errorValue)
        #expect(caller.takeReplies() == [Reply("start", 2, path: ["w3n", "f"], [9])])
        caller.receive("end", 1)
        #expect(results.all.isEmpty)
        caller.connection.cancel(number)
        #expect(caller.takeReplies() == [Reply("cancel", 2)])
        caller.receive("end", 2)
        #expect(results.all.isEmpty)
    }

    @Test func aHundredTimesAndNoMore() {
        caller.connection.observe(["w3n", "f"]) { _ in
        } end: { end in
            results.add(end)
        }
        var starts = 0
        while let start = caller.takeReplies().first, starts < 1000 {
            starts += 1
            caller.receive("error", start.number, Self.duplicate.errorValue)
        }
        #expect(starts == 101)
        #expect(results.all == [Self.duplicate])
    }

    @Test func notAfterAValue() {
        caller.connection.observe(["w3n", "f"]) { _ in
        } end: { end in
            results.add(end)
        }
        caller.receive("interim", 1, [1])
        _ = caller.take()
        caller.receive("error", 1, Self.duplicate.errorValue)
        #expect(caller.take() == [] && results.all == [Self.duplicate])
    }
}
