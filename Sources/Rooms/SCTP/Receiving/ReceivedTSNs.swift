/// Which chunks have arrived: all up to the cumulative TSN, and some behind it, a bit for each.
struct ReceivedTSNs {
    /// How far behind the cumulative TSN a chunk may be. Gap-ack blocks can express 65 535.
    static let reach = 65_000

    private(set) var cumulative: UInt32
    private(set) var highest: UInt32
    private var words: [UInt64] = [0]
    /// Chunks behind a gap.
    private(set) var countBehindGaps = 0

    enum Insertion { case new, duplicate, tooFar }

    /// Begins before the first TSN.
    init(first: UInt32) { (cumulative, highest) = (first &- 1, first &- 1) }

    var hasGaps: Bool { countBehindGaps > 0 }

    private func word(_ tsn: UInt32) -> Int { Int(tsn >> 6) & (words.count - 1) }

    func contains(_ tsn: UInt32) -> Bool {
        if tsn.isAtOrBefore(cumulative) { return true }
        if highest.isBefore(tsn) { return false }
        return words[word(tsn)] >> UInt64(tsn & 63) & 1 == 1
    }

    /// What ``insert(_:)`` would find.
    func look(_ tsn: UInt32) -> Insertion {
        if cumulative.steps(to: tsn) > Self.reach { return .tooFar }
        return contains(tsn) ? .duplicate : .new
    }

    /// Notes a new TSN. The cumulative one moves by ``advance()``.
    mutating func insert(_ tsn: UInt32) {
        if tsn == cumulative &+ 1, countBehindGaps == 0 {
            (cumulative, highest) = (tsn, tsn)
            return
        }
        if highest.isBefore(tsn) { highest = tsn }
        while cumulative.steps(to: highest) + 64 >= words.count * 64 { grow() }
        words[word(tsn)] |= 1 << UInt64(tsn & 63)
        countBehindGaps += 1
    }

    private mutating func grow() {
        var larger = [UInt64](repeating: 0, count: words.count * 2)
        var tsn = cumulative & ~63
        for _ in words.indices {
            larger[Int(tsn >> 6) & (larger.count - 1)] = words[word(tsn)]
            tsn = tsn &+ 64
        }
        words = larger
    }

    /// Moves the cumulative TSN over what follows it without a gap.
    mutating func advance() {
        while countBehindGaps > 0 {
            let tsn = cumulative &+ 1
            let low = tsn & 63
            let ones = min((~(words[word(tsn)] >> UInt64(low))).trailingZeroBitCount, Int(64 - low))
            guard ones > 0 else { return }
            words[word(tsn)] &= ~((UInt64.max >> UInt64(64 - ones)) << UInt64(low))
            cumulative = cumulative &+ UInt32(ones)
            countBehindGaps -= ones
            if ones < 64 - low { break }
        }
        if highest.isBefore(cumulative) { highest = cumulative }
        if countBehindGaps == 0, words.count > 64 { words = [0] }
    }

    /// Moves the cumulative TSN at least to `tsn` (RFC 3758 section 3.6).
    mutating func skip(to tsn: UInt32) {
        while countBehindGaps > 0, cumulative.isBefore(tsn) {
            let next = cumulative &+ 1
            let (place, bit) = (word(next), UInt64(1) << UInt64(next & 63))
            if words[place] & bit != 0 {
                words[place] &= ~bit
                countBehindGaps -= 1
            }
            cumulative = next
        }
        if cumulative.isBefore(tsn) { cumulative = tsn }
        if highest.isBefore(cumulative) { highest = cumulative }
        advance()
    }

    /// Calls `body` with the distances of gap-ack blocks from the cumulative TSN, at most `limit` of them.
    func forEachBlock(limit: Int, _ body: (UInt16, UInt16) -> Void) {
        guard countBehindGaps > 0 else { return }
        var left = limit
        var tsn = cumulative &+ 1
        while left > 0, let start = run(from: tsn, of: true), let end = run(from: start, of: false) {
            body(UInt16(truncatingIfNeeded: start &- cumulative), UInt16(truncatingIfNeeded: end &- 1 &- cumulative))
            left -= 1
            tsn = end
        }
    }

    /// The first TSN from `tsn` on that has arrived, or has not; `nil` beyond the highest.
    private func run(from start: UInt32, of value: Bool) -> UInt32? {
        var tsn = start
        while !highest.isBefore(tsn) {
            let bits = (value ? words[word(tsn)] : ~words[word(tsn)]) >> UInt64(tsn & 63)
            if bits != 0 {
                let found = tsn &+ UInt32(bits.trailingZeroBitCount)
                return highest.isBefore(found) ? (value ? nil : highest &+ 1) : found
            }
            tsn = (tsn | 63) &+ 1
        }
        return value ? nil : highest &+ 1
    }
}
