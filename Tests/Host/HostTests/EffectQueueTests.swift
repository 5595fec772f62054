import AppCore
import Synchronization
import Testing

@testable import Host

/// Who waits for whom among effects.
@Suite(.timeLimit(.minutes(1)))
struct EffectQueueTests {
    /// Effects that are held until the test lets them go.
    private actor Work {
        private(set) var begun: [UInt64] = []
        private(set) var done: [UInt64] = []
        private var held: [UInt64: CheckedContinuation<Void, Never>] = [:]
        private let holds: Set<UInt64>

        init(holding holds: Set<UInt64>) { self.holds = holds }

        func execute(_ effect: Effect) async {
            begun.append(effect.id.number)
            if holds.contains(effect.id.number) {
                await withCheckedContinuation { held[effect.id.number] = $0 }
            }
            done.append(effect.id.number)
        }

        func release(_ number: UInt64) async {
            while held[number] == nil { await Task.yield() }
            held.removeValue(forKey: number)?.resume()
        }
    }

    private static func typing(_ number: UInt64, _ room: RoomID) -> Effect {
        Effect(id: EffectID(number), kind: .sendTyping(room: room, on: true))
    }

    @Test func `a room that takes long holds up neither another one nor the machine`() async {
        let work = Work(holding: [1])
        var queues = EffectQueues()
        let effects = [
            Self.typing(1, "slow"), Self.typing(2, "slow"), Self.typing(3, "quick"),
            Effect(id: EffectID(4), kind: .schedule(at: Timestamp(milliseconds: 0))), Self.typing(5, "quick"),
        ]
        for effect in effects { queues.add(effect) { await work.execute($0) } }
        while await work.done.count < 3 { await Task.yield() }
        #expect(await Set(work.done) == [3, 4, 5])
        #expect(await !work.begun.contains(2))
        await work.release(1)
        for task in queues.all { await task.value }
        let done = await work.done
        #expect(done.suffix(2) == [1, 2])
        #expect(done.firstIndex(of: 3) ?? 9 < done.firstIndex(of: 5) ?? 0)
    }

    @Test(arguments: [Effect.Kind.lock, .eraseAll(rooms: []), .deleteRooms(rooms: []), .forgetSecrets(secrets: [])])
    func `what concerns everything comes after all before it and before all after it`(kind: Effect.Kind) async {
        let work = Work(holding: [1, 3])
        var queues = EffectQueues()
        queues.add(Self.typing(1, "a")) { await work.execute($0) }
        queues.add(Self.typing(2, "b")) { await work.execute($0) }
        queues.add(Effect(id: EffectID(3), kind: kind)) { await work.execute($0) }
        queues.add(Self.typing(4, "b")) { await work.execute($0) }
        queues.add(Self.typing(5, "c")) { await work.execute($0) }
        // The two go at the same time: either may be the later one to begin.
        while await (work.done, work.begun.count) != ([2], 2) { await Task.yield() }
        #expect(await work.begun.sorted() == [1, 2])
        await work.release(1)
        while await work.begun.last != 3 { await Task.yield() }
        #expect(await work.begun.count == 3)
        await work.release(3)
        for task in queues.all { await task.value }
        #expect(await work.done.prefix(3) == [2, 1, 3])
        #expect(await work.done.count == 5)
    }
}
