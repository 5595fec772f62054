import Components
import Synchronization
import Testing

/// A slow other side: observables wait, nothing else does, and the host's memory does not grow.
struct BackPressureTests {
    private static let size = 10_000

    private func service(_ limits: ConnectionLimits, produced: Recorded<Int>) -> LoneEnd {
        LoneEnd(
            root: ServiceObject(functions: [
                "endless": .observable { _, emitter throws(RuntimeException) in
                    for number in 0... {
                        try await emitter.emit([UInt8](repeating: 1, count: Self.size))
                        produced.add(number)
                    }
                },
                "offers": .immediate { _ in [1] },
            ]), limits: limits)
    }

    private var limits: ConnectionLimits {
        var limits = ConnectionLimits()
        limits.unsent = 3 * Self.size
        limits.backlog = 100 * Self.size
        return limits
    }

    @Test func valuesWaitWhileTheOtherSideIsSlowAndGoOnInOrder() async {
        let produced = Recorded<Int>()
        let service = service(limits, produced: produced)
        service.connection.reportBacklog(limits.unsent + 1)
        service.receive("start", 1, path: ["w3n", "endless"])
        service.receive("start", 2, path: ["w3n", "endless"])
        #expect(service.take() == [] && produced.all == [])
        service.receive("start", 3, path: ["w3n", "offers"])
        #expect(service.takeReplies() == [Reply("end", 3, [1])])

        // One value each is on its way when there is room, and the producers wait again as soon as it is used up.
        service.connection.reportBacklog(0)
        let replies = await service.waitForReplies(2)
        #expect(replies.map(\.number).prefix(2) == [1, 2])
        service.connection.reportBacklog(limits.unsent + 1)
        service.receive("cancel", 1)
        service.receive("cancel", 2)
        await settle { produced.all.count }
        _ = service.take()
        service.connection.reportBacklog(0)
        #expect(service.take() == [])
    }

    @Test func whatIsOfferedIsLeftOutWhenThereIsNoRoom() async {
        let sent = Recorded<Bool>()
        let service = LoneEnd(
            root: ServiceObject(functions: [
                "progress": .observable { _, emitter in
                    for _ in 0..<3 { sent.add(emitter.offer([5])) }
                }
            ]), limits: limits)
        service.connection.reportBacklog(limits.unsent + 1)
        service.receive("start", 1, path: ["w3n", "progress"])
        #expect(sent.all == [false, false, false])
        #expect(service.takeReplies() == [Reply("end", 1)])
        service.connection.reportBacklog(0)
        service.receive("start", 2, path: ["w3n", "progress"])
        #expect(service.takeReplies() == Array(repeating: Reply("interim", 2, [5]), count: 3) + [Reply("end", 2)])
    }

    @Test func whoeverDoesNotTakeAnythingIsCutOff() {
        let service = service(limits, produced: Recorded())
        service.connection.reportBacklog(limits.backlog)
        #expect(service.ends == [])
        service.connection.reportBacklog(limits.backlog + 1)
        #expect(service.ends == [.exceeded("more than \(limits.backlog) bytes wait for the other side")])
    }

    /// A pipe that calls back: while it is inside of `send`, replies queue up to the limit, and no further.
    @Test func repliesThatQueueUpCutTheConnectionOff() {
        let end = Mutex<ObjectConnection?>(nil)
        let ends = Recorded<ConnectionEnd>()
        let start = IpcProto.Envelope(
            headers: IpcProto.EnvelopeHeaders(msgType: "start", fnCallNum: .init(value: 1), path: ["w3n", "big"]))
        let isInside = Mutex(false)
        let connection = ObjectConnection(
            root: ServiceObject(functions: ["big": .immediate { _ in [UInt8](repeating: 1, count: Self.size) }]),
            limits: limits
        ) { _ in
            let isFirst = isInside.withLock { isInside in
                defer { isInside = true }
                return !isInside
            }
            guard isFirst, let connection = end.withLock({ $0 }) else { return }
            for _ in 0..<1000 where connection.end == nil { connection.receive(start.encoded) }
        } closed: {
            ends.add($0)
        }
        end.withLock { $0 = connection }
        connection.receive(start.encoded)
        #expect(ends.all.count == 1 && connection.end == ends.all.first)
        end.withLock { $0 = nil }
    }

    @Test func aSequenceThatNobodyReadsEndsWithAnException() async throws {
        let caller = LoneEnd()
        let sequence = caller.connection.observe(["w3n", "flood"])
        _ = caller.take()
        let value = [UInt8](repeating: 1, count: 1 << 20)
        for _ in 0..<20 { caller.receive("interim", 1, value) }
        #expect(caller.takeReplies() == [Reply("cancel", 1)])
        var count = 0
        await #expect(throws: RuntimeException(ipc: .tooManyValues)) {
            for try await _ in sequence { count += 1 }
        }
        #expect(count == 15)
    }

    /// Until a figure stands still.
    private func settle(_ figure: () -> Int) async {
        var last = -1
        while last != figure() {
            last = figure()
            for _ in 0..<100 { await Task.yield() }
        }
    }
}
