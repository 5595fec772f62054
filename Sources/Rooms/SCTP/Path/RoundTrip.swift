/// The round trip of the path and the retransmission time-out (RFC 9260 section 6.3.1).
struct RoundTrip {
    private let minimumTimeout: Nanoseconds
    private let maximumTimeout: Nanoseconds
    private(set) var smoothed: Nanoseconds?
    private(set) var variation: Nanoseconds = 0
    /// The time-out without doubling.
    private var base: Nanoseconds
    private(set) var doublings = 0

    /// The smallest round trip of the last seconds, for the detection of losses.
    private(set) var minimum: Nanoseconds = .max
    private var minimumAt: Nanoseconds = 0
    private static let minimumLasts = Nanoseconds.seconds(30)

    init(_ configuration: Configuration) {
        minimumTimeout = configuration.minimumTimeout
        maximumTimeout = configuration.maximumTimeout
        base = configuration.initialTimeout
    }

    var timeout: Nanoseconds { min(maximumTimeout, base << Nanoseconds(min(doublings, 16))) }

    mutating func add(_ sample: Nanoseconds, now: Nanoseconds) {
        let sample = max(1000, sample)
        if sample <= minimum || now - minimumAt > Self.minimumLasts { (minimum, minimumAt) = (sample, now) }
        if let old = smoothed {
            variation = (3 * variation + abs(old - sample)) / 4
            smoothed = (7 * old + sample) / 8
        } else {
            (smoothed, variation) = (sample, sample / 2)
        }
        // What is added is never short: the peer may wait with its answer, and probes find a lost tail much earlier.
        base = min(maximumTimeout, (smoothed ?? sample) + max(4 * variation, minimumTimeout))
        doublings = 0
    }

    mutating func double() { doublings += 1 }
}
