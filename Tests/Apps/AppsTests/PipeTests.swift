import Components
import Foundation
import Testing

@testable import Apps

@Suite("Connections between components")
struct PipeTests {
    private static func payload(_ count: Int) -> Payload? {
        let reply = ObjectConnection(root: nil) { _ in }
        return try? Payload(RpcProto.PassedDatum(bytes: [UInt8](repeating: 1, count: count)), from: reply)
    }

    @Test("a queue holds back who adds, lets in order in, and ends for all")
    func theQueue() async {
        let queue = FlowQueue<Int>(limit: 10)
        #expect(await queue.add(1, cost: 8) == .added)
        let second = Task { await queue.add(2, cost: 8) }
        let third = Task {
            _ = await second.value
            return await queue.add(3, cost: 1)
        }
        #expect(await queue.next() == 1)
        #expect(await second.value == .added)
        #expect(await queue.next() == 2)
        #expect(await third.value == .added)
        #expect(await queue.next() == 3)
        let taker = Task { await queue.next() }
        queue.finish()
        #expect(await taker.value == nil)
        #expect(await queue.add(4, cost: 1) == .over)
    }

    @Test("what waits in a queue counts for who added it")
    func memory() async {
        let memory = MemoryBudget(100)
        let (queue, other) = (FlowQueue<Int>(limit: 80, memory: memory), FlowQueue<Int>(limit: 80, memory: memory))
        #expect(await queue.add(1, cost: 70) == .added)
        #expect(await other.add(2, cost: 40) == .tooMany)
        let second = Task { await queue.add(3, cost: 20) }
        #expect(await queue.next() == 1)
        #expect(await second.value == .added)
        #expect(await other.add(4, cost: 60) == .added && memory.count == 80)
        queue.finish(throwingAway: true)
        #expect(memory.count == 60)
        #expect(await other.next() == 4 && memory.count == 0)
    }

    @Test("who is cancelled waits no longer, and leaves nothing")
    func cancelledWaits() async {
        let queue = FlowQueue<Int>(limit: 10)
        _ = await queue.add(1, cost: 10)
        let adding = Task { await queue.add(2, cost: 10) }
        adding.cancel()
        #expect(await adding.value == .over)
        #expect(await queue.next() == 1)
        let taking = Task { await queue.next() }
        taking.cancel()
        #expect(await taking.value == nil)
    }

    @Test("who waits for one answer takes the first value, and the service hears that nobody waits for more")
    func firstValue() async throws {
        let pipe = ServicePipe(service: "s", server: 1) { _ in }
        let request = Task { try await pipe.request(method: "m", nil) }
        var heard: [String] = []
        try await pipe.watch { message async throws(RuntimeException) in
            switch message {
            case .start(let call, _, _):
                heard.append("start")
                for count in 1...2 { try await pipe.answer(call: call, .interim(Self.payload(count))) }
            case .cancel:
                heard.append("cancel")
                pipe.close()
            }
        }
        #expect(try await request.value?.bytes.count == 1)
        #expect(heard == ["start", "cancel"])
    }

    @Test("requests of calls that were given up are not kept for a service that never listens")
    func givenUpRequests() async throws {
        let pipe = ServicePipe(service: "s", server: 1) { _ in }
        for _ in 0..<50 {
            let call = Task { try? await pipe.request(method: "m", Self.payload(3 << 20)) }
            call.cancel()
            _ = await call.value
        }
        // Another one finds room at once, so nothing of the others waits before it.
        let last = Task { try await pipe.request(method: "last", Self.payload(3 << 20)) }
        var heard: [String] = []
        try await pipe.watch { message async throws(RuntimeException) in
            guard case .start(let call, let method, _) = message else { return }
            heard.append(method)
            try await pipe.answer(call: call, .end(nil))
            pipe.close()
        }
        #expect(heard == ["last"])
        _ = try await last.value
    }

    @Test("a service waits for a caller that does not read")
    func slowCallers() async throws {
        let pipe = ServicePipe(service: "s", server: 1) { _ in }
        let service = Task {
            var sent = 0
            try await pipe.watch { message async throws(RuntimeException) in
                guard case .start(let call, _, _) = message else { return }
                for _ in 0..<20 {
                    try await pipe.answer(call: call, .interim(Self.payload(2 << 20)))
                    sent += 1
                }
                try await pipe.answer(call: call, .end(nil))
                pipe.close()
            }
            return sent
        }
        var taken = 0
        try await pipe.observe(method: "m", nil) { _ async throws(RuntimeException) in
            try? await Task.sleep(for: .milliseconds(1))
            taken += 1
        }
        #expect(taken == 20)
        #expect(try await service.value == 20)
    }

    @Test("a call whose last answer is refused ends for the caller, too", .timeLimit(.minutes(1)))
    func refusedEnds() async throws {
        let memory = (caller: MemoryBudget(1 << 20), server: MemoryBudget(600))
        let pipe = ServicePipe(service: "s", server: 1, memory: memory) { _ in }
        let isRead = Latch()
        let call = Task {
            try await pipe.observe(method: "m", nil) { _ async throws(RuntimeException) in await isRead.pass() }
        }
        let service = Task {
            try await pipe.watch { message async throws(RuntimeException) in
                guard case .start(let call, _, _) = message else { return }
                // The caller takes this one, and does not wait for the next.
                try await pipe.answer(call: call, .interim(nil))
                try await pipe.answer(call: call, .end(Self.payload(1000)))
            }
        }
        let refusal = await #expect(throws: RuntimeException.self) { try await service.value }
        #expect(refusal?.has("callerBusy") == true)
        isRead.open()
        let end = await #expect(throws: RuntimeException.self) { try await call.value }
        #expect(end?.has("connectionClosed") == true)
        pipe.close()
    }

    @Test("commands that one watcher did not take are for the next one", .timeLimit(.minutes(1)))
    func watchersOfCommands() async throws {
        let queue = CommandQueue()
        let names = ["one", "two", "three"]
        for name in names { #expect(queue.add(StartCommand(name))) }
        let (taken, take) = AsyncStream.makeStream(of: String.self)
        // The page is gone when it is told of the second one.
        let first = Task {
            var count = 0
            return try await queue.watch { command async throws(RuntimeException) in
                count += 1
                if count == 2 { throw ServicePipe.exception("gone") }
                take.yield(command.name)
            }
        }
        await #expect(throws: RuntimeException.self) { try await first.value }
        let second = Task { try await queue.watch { command in take.yield(command.name) } }
        var heard: [String] = []
        for await name in taken {
            heard.append(name)
            if heard.count == names.count { break }
        }
        #expect(heard == names)
        #expect(try await !queue.watch { _ in })
        second.cancel()
        #expect(try await second.value)
        #expect(queue.add(StartCommand("four")))
        queue.close()
        let (left, leave) = AsyncStream.makeStream(of: String.self)
        #expect(try await queue.watch { command in leave.yield(command.name) })
        leave.finish()
        #expect(await left.reduce(into: []) { $0.append($1) } == ["four"])
    }
}
