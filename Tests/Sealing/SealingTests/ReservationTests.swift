import Sealing
import SealingSupport
import Testing

@Suite("Keys that are reserved, and what is lost of them")
struct ReservationTests {
    @Test("A message takes one key, in each of many processes that are killed after it")
    func oneEach() throws {
        let pair = try SealedPair(target: 128)
        try pair.connect()
        for count in 1...40 {
            try pair.left.restart()
            let sealed = try pair.left.session.seal([1], sequence: UInt64(count))
            #expect(try SealingSession.peek(sealed).index == UInt32(count - 1))
            try pair.left.restart()
            #expect(pair.left.session.state.keysToSeal == 128 - count)
        }
    }

    @Test(
        "A process that is killed loses less than an eighth of what it used",
        arguments: [1, 7, 8, 15, 16, 40, 200, 1000])
    func share(count: Int) throws {
        let pair = try SealedPair(target: 2048)
        try pair.connect()
        for number in 0..<count { _ = try pair.left.session.seal([1], sequence: UInt64(number)) }
        try pair.left.restart()
        let lost = 2048 - count - pair.left.session.state.keysToSeal
        #expect(lost >= 0 && lost <= min(64, count / 8))
    }

    @Test("A batch reserves what it needs, at once")
    func batch() throws {
        let pair = try SealedPair(target: 128)
        try pair.connect()
        let store = CountingStore(pair.left.store)
        let session = try SealingSession(pairing: "pair", store: store, target: 128)
        let before = store.writes
        let sealed = try session.sealBatch((0..<40).map { (content: [1], sequence: UInt64($0)) })
        #expect(Set(try sealed.map { try SealingSession.peek($0).index }).count == 40)
        #expect(store.writes == before + 1)
        try pair.left.restart()
        #expect(pair.left.session.state.keysToSeal == 88)
    }

    @Test("Reserved keys that were not used come back when a connection ends")
    func back() throws {
        let pair = try SealedPair(target: 128)
        try pair.connect()
        for number in UInt64(0)..<20 { _ = try pair.left.session.seal([1], sequence: number) }
        pair.disconnect()
        #expect(pair.left.session.state.keysToSeal == 108)
        try pair.left.restart()
        #expect(pair.left.session.state.keysToSeal == 108)
    }

    @Test("What is too large takes no key")
    func tooLarge() throws {
        let pair = try SealedPair(target: 64)
        try pair.connect()
        let content = [UInt8](repeating: 0, count: SealedHeader.contentLimit + 1)
        #expect(throws: Refused(.tooLarge)) { try pair.left.session.sealChecked(content) }
        #expect(throws: SealingError.self) {
            try pair.left.session.sealBatch([(content: [1], sequence: 1), (content: content, sequence: 2)])
        }
        #expect(pair.left.session.state.keysToSeal == 64)
    }

    @Test("Keys that come back in pieces keep their places: each opens, and none is there twice")
    func pieces() throws {
        let pair = try SealedPair(target: 256)
        try pair.connect()
        pair.disconnect()
        // Each reserves ahead between what the other one reserves.
        let sessions = try (0..<3).map { _ in
            try SealingSession(pairing: "pair", store: pair.left.store, target: 256)
        }
        var sealed: [[UInt8]] = []
        for round in 0..<3 {
            for session in sessions {
                for _ in 0..<(17 + round) { sealed.append(try session.seal([1], sequence: UInt64(sealed.count))) }
            }
            for session in sessions.reversed() { session.disconnected() }
        }
        try pair.left.restart()
        #expect(pair.left.session.state.keysToSeal == 256 - sealed.count)
        while pair.left.session.state.keysToSeal > 0 {
            sealed.append(try pair.left.session.seal([1], sequence: UInt64(sealed.count)))
        }
        #expect(sealed.count == 256)
        for message in sealed { #expect(try pair.right.take(message).isLastResort == false) }
    }
}
