import Sealing
import SealingSupport
import Testing

@Suite("Clocks that are wrong")
struct ClockTests {
    private static let jumps: [Int64] = [130, -130, 400, -400, 36_500, -18_000]

    @Test("A clock that was wrong once destroys no keys, and messages open under either time", arguments: jumps)
    func once(days: Int64) throws {
        let clock = Clock()
        let pair = try SealedPair(clock: clock)
        try pair.connect()
        let sealed = try (0..<3).map { try pair.left.session.seal([$0], sequence: UInt64($0)) }
        pair.disconnect()
        let files = try pair.right.files()
        let keys = pair.left.session.state.keysToSeal
        clock.advance(days: days)
        for side in [pair.left, pair.right] {
            try side.restart()
            side.session.disconnected()
        }
        #expect(try pair.right.take(sealed[0]).content == [0])
        #expect(try pair.right.files() == files)
        clock.advance(days: -days)
        for side in [pair.left, pair.right] { try side.restart() }
        #expect(try pair.right.files() == files)
        #expect(pair.left.session.state.keysToSeal == keys)
        #expect(try pair.right.take(sealed[1]).content == [1])
        try pair.connect()
        #expect(try pair.right.take(sealed[2]).content == [2])
        #expect(try pair.right.take(pair.left.session.seal([9], sequence: 9)).content == [9])
    }

    @Test("A clock that is wrong at every other start destroys no keys either")
    func again() throws {
        let clock = Clock()
        let pair = try SealedPair(clock: clock)
        try pair.connect()
        let sealed = try pair.left.session.seal([1], sequence: 1)
        for _ in 0..<30 {
            for days in [130, -130, -130, 131] as [Int64] {
                clock.advance(days: days)
                try pair.right.restart()
            }
        }
        #expect(try pair.right.take(sealed).content == [1])
    }

    @Test("Two sides that meet while both clocks are wrong lose nothing either", arguments: jumps)
    func both(days: Int64) throws {
        let clock = Clock()
        let pair = try SealedPair(clock: clock)
        try pair.connect()
        let early = try pair.left.session.seal([1], sequence: 1)
        pair.disconnect()
        var between: [[UInt8]] = []
        for jump in [days, -days, -days, days] {
            clock.advance(days: jump)
            try pair.connect()
            let number = UInt64(between.count) + 10
            between.append(try pair.left.session.seal([2], sequence: number))
            try pair.left.take(pair.right.session.seal([3], sequence: number))
            pair.disconnect()
        }
        #expect(try pair.right.take(early).content == [1])
        for message in between { #expect(try pair.right.take(message).content == [2]) }
    }

    @Test("One clock that is wrong does not silence a talk, and ends nothing at the other side", arguments: jumps)
    func one(days: Int64) throws {
        let clock = Clock()
        let pair = try SealedPair(clock: clock, rightClock: Clock())
        try pair.connect()
        let early = try pair.left.session.seal([1], sequence: 1)
        pair.disconnect()
        clock.advance(days: days)
        for number in UInt64(2)..<10 {
            try pair.left.restart()
            try pair.connect()
            #expect(try pair.right.take(pair.left.session.seal([2], sequence: number)).content == [2])
            #expect(try pair.left.take(pair.right.session.seal([3], sequence: number)).content == [3])
            pair.disconnect()
        }
        #expect(try pair.right.files().count <= 2)
        #expect(try pair.left.files().count <= 2)
        clock.advance(days: -days)
        try pair.left.restart()
        try pair.connect()
        #expect(try pair.right.take(early).content == [1])
        #expect(pair.left.session.state.level == .enough)
        #expect(pair.right.session.state.level == .enough)
    }

    @Test("Keys that are made by a clock that is behind are good for others, and stay when it is right again")
    func behind() throws {
        let clock = Clock()
        let pair = try SealedPair(clock: clock, rightClock: Clock())
        try pair.connect()
        clock.advance(days: -130)
        try pair.exchange(pair.left.session.renew())
        pair.disconnect()
        try pair.right.restart()
        #expect(pair.right.session.state.level == .enough)
        let sealed = try pair.right.session.seal([1], sequence: 1)
        #expect(try SealingSession.peek(sealed).epoch == 2)
        clock.advance(days: 130)
        try pair.left.restart()
        #expect(try pair.left.take(sealed).content == [1])
        #expect(try pair.left.files().count == 2)
    }

    @Test("An expired epoch ends after a few days of use if both clocks agree, otherwise after many")
    func confirmed() throws {
        let clock = Clock()
        let pair = try SealedPair(clock: clock)
        try pair.connect()
        let first = try #require(try pair.right.files().first)
        _ = try pair.left.session.seal([1], sequence: 1)
        // They meet once a month.
        for month in 1...7 {
            pair.disconnect()
            clock.advance(days: 30)
            try pair.connect()
            if month <= 4 { #expect(try pair.right.files().contains(first)) }
        }
        #expect(try !pair.right.files().contains(first))
        #expect(try pair.right.files().count <= 4)
    }

    @Test(
        "A clock that repeatedly says that keys are old neither displaces other keys nor confirms itself",
        arguments: [4, 6])
    func pushes(jumps: Int) throws {
        let clock = Clock()
        let pair = try SealedPair(rightClock: clock)
        try pair.connect()
        let sealed = try pair.left.session.seal([1], sequence: 1)
        for _ in 0..<jumps {
            pair.disconnect()
            clock.advance(days: 100)
            try pair.connect()
        }
        clock.advance(days: Int64(-100 * jumps))
        pair.disconnect()
        try pair.right.restart()
        #expect(try pair.right.take(sealed).content == [1])
    }

    @Test(
        "Keys expire in time although the other side's clock is far ahead",
        arguments: [1000, 1 << 35])
    func ahead(days: Int64) throws {
        let (clock, far) = (Clock(), Clock())
        far.advance(days: days)
        let pair = try SealedPair(clock: clock, rightClock: far)
        try pair.connect()
        try pair.exchange(pair.left.session.renew())
        let before = try SealingSession.peek(pair.right.session.seal([1], sequence: 1)).epoch
        pair.disconnect()
        clock.advance(days: 136)
        try pair.left.restart()
        try pair.connect()
        #expect(try SealingSession.peek(pair.right.session.seal([2], sequence: 2)).epoch > before)
    }
}
