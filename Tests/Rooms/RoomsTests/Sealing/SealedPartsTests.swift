import Sealing
import Testing

@testable import Rooms

struct SealedPartsTests {
    private static func use(_ index: UInt32, _ sequence: UInt64) -> KeyUse {
        KeyUse(pairing: "room", epoch: 1, index: index, sequence: sequence)
    }

    @Test func `keys wait until their message is stored, those of copies apart`() {
        var keys = UnstoredKeys()
        for number in 1...4 { keys.note(Self.use(UInt32(number), UInt64(number))) }
        keys.note(Self.use(2, 2))
        keys.note(Self.use(9, 2))
        #expect(keys.take(4) == [Self.use(4, 4)])
        #expect(keys.take(4) == [])
        let (marked, copies) = keys.take(upTo: 2)
        #expect(marked == [Self.use(1, 1)])
        // The owner has marked one of them, whichever came first to its mind.
        #expect(Set(copies) == [Self.use(2, 2), Self.use(9, 2)])
        #expect(keys.take(upTo: .max).marked == [Self.use(3, 3)])
    }

    @Test func `refusals are told at once, and then together`() {
        var refusals = RefusalReports()
        var isFirst = refusals.count(.forged)
        #expect(isFirst)
        #expect(refusals.take() == [.forged: 1])
        for _ in 0..<100 {
            isFirst = refusals.count(.replayed)
            #expect(!isFirst)
        }
        var isMore = refusals.pauseEnded()
        #expect(isMore)
        #expect(refusals.take() == [.replayed: 100])
        isMore = refusals.pauseEnded()
        #expect(!isMore)
        isFirst = refusals.count(.forged)
        #expect(isFirst)
    }

    @Test(arguments: [1, 200, 65_536, 1_000_000])
    func `numbers of what is carried by hand are far from those that count`(number: Int) {
        let carried = OfflineSequence.number(for: OutboxTests.id(number))
        #expect(OfflineSequence.isOne(carried) && carried <= UInt64(Int64.max))
        #expect(!OfflineSequence.isOne(UInt64(number)))
    }
}
