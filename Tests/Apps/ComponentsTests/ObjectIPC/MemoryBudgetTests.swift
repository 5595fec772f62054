import Components
import Testing
import Wire

/// What the host keeps for strangers is counted, in one sum for each of them.
struct MemoryBudgetTests {
    @Test func holdsForEachAndForAll() {
        let all = MemoryBudget(100)
        let (one, other) = (MemoryBudget(60, within: all), MemoryBudget(60, within: all))
        let (first, second) = (MemoryShare(of: one), MemoryShare(of: other))
        #expect(first.grow(by: 60) && !first.grow(by: 1))
        #expect(!second.grow(by: 41) && other.count == 0 && all.count == 60)
        #expect(second.grow(by: 40) && all.count == 100)
        first.shrink(by: 30)
        #expect(second.grow(by: 20) && !second.grow(by: 20) && all.count == 90)
    }

    @Test func nobodyTakesWhatOthersAreAssuredOf() {
        let all = MemoryBudget(100)
        let (greedy, modest) = (MemoryBudget(100, assured: 20, within: all), MemoryBudget(60, assured: 20, within: all))
        let (first, second) = (MemoryShare(of: greedy), MemoryShare(of: modest))
        #expect(first.grow(by: 100) && !first.grow(by: 1))
        #expect(second.grow(by: 20) && !second.grow(by: 1) && all.count == 120)
        #expect(first.isOver && !second.isOver)
        first.shrink(by: 100)
        #expect(second.grow(by: 40) && !second.grow(by: 1) && all.count == 60)
    }

    @Test func comesBackWhenNobodyHoldsIt() {
        let all = MemoryBudget(100)
        var share: MemoryShare? = MemoryShare(of: MemoryBudget(100, within: all))
        #expect(share?.grow(by: 70) == true)
        share?.count(90)
        #expect(all.count == 90)
        share = nil
        #expect(all.count == 0)
    }

    /// Whoever has little of it is not ended for what others have.
    @Test func endsThoseWhoHaveMost() {
        let all = MemoryBudget(100)
        let budgets = (0..<3).map { _ in MemoryBudget(60, assured: 30, within: all) }
        let shares = budgets.map { MemoryShare(of: $0) }
        for (share, bytes) in zip(shares, [50, 20, 29]) { share.count(bytes) }
        #expect(!shares.contains { $0.isOver })
        shares[2].count(40)
        #expect(shares.map(\.isOver) == [true, false, true])
        shares[0].count(61)
        shares[2].count(0)
        #expect(shares.map(\.isOver) == [true, false, false])
    }

    @Test func countsRequestsThatAreWorkedOn() async {
        let latch = Latch()
        let memory = MemoryBudget(100_000)
        let service = LoneEnd(
            root: ServiceObject(functions: [
                "wait": .promise { _ in
                    await latch.wait()
                    return nil
                }
            ]), memory: memory)
        let body = [UInt8](repeating: 0, count: 40_000)
        for number in 1...3 { service.receive("start", UInt64(number), path: ["w3n", "wait"], body) }
        #expect(service.takeReplies().map(\.exception) == [RuntimeException(ipc: .tooManyCalls)])
        #expect(memory.count == 80_000)
        latch.open()
        #expect(await service.waitForReplies(2).count == 2)
        service.receive("start", 4, path: ["w3n", "wait"], body)
        #expect(await service.waitForReplies() == [Reply("end", 4)])
        #expect(memory.count == 0)
    }

    /// As a value JSON takes many times its text.
    @Test func countsArgumentsAsTheValuesThatTheyAre() async {
        let latch = Latch()
        let memory = MemoryBudget(1_000_000)
        let service = LoneEnd(
            root: ServiceObject(functions: [
                "wait": .promiseValues { _, _ in
                    await latch.wait()
                    return nil
                }
            ]), memory: memory)
        let body = [IPCValue.json(.array(Array(repeating: 1, count: 10_000)))].body
        for number in 1...3 { service.receive("start", UInt64(number), path: ["w3n", "wait"], body) }
        #expect(service.takeReplies().map(\.exception) == [RuntimeException(ipc: .tooManyCalls)])
        #expect(memory.count > 800_000)
        latch.open()
        #expect(await service.waitForReplies(2).count == 2)
        #expect(memory.count == 0)
    }

    @Test func closesWhoLeavesTooMuchLying() {
        let memory = MemoryBudget(1 << 20)
        let service = LoneEnd(root: ServiceObject(functions: ["get": .immediate { _ in [1] }]), memory: memory)
        service.connection.reportBacklog(900_000)
        #expect(memory.count >= 900_000 && service.connection.end == nil)
        service.connection.reportBacklog(0)
        #expect(memory.count == 0)
        service.connection.reportBacklog(2 << 20)
        guard case .exceeded? = service.connection.end else {
            Issue.record("still open: \(String(describing: service.connection.end))")
            return
        }
        #expect(memory.count == 0)
    }
}
