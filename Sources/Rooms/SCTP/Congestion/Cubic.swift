/// CUBIC (RFC 9438) with pacing. Slow start ends as in RFC 9406 (HyStart++), but at once, without its Conservative Slow Start.
struct Cubic: CongestionControl {
    private static let growth = 0.4
    private static let decrease = 0.7

    private var packetSize: Int
    private(set) var window: Int
    private var threshold = Int.max
    /// The window before the last decrease, as RFC 9438 calls it, and when it will be reached again.
    private var maximum = 0.0
    private var epochStart: Nanoseconds?
    private var epochWindow = 0.0
    private var timeToMaximum = 0.0
    private var renoWindow = 0.0
    private var fraction = 0.0
    private var smoothed: Nanoseconds = 0
    /// Losses of chunks that were sent before belong to the last decrease.
    private var recoveryStart: Nanoseconds = -1
    private var saved: (window: Int, threshold: Int, maximum: Double)?
    /// HyStart++: the smallest round trip of this round and the last one.
    private var roundEnd = 0
    private var lastRoundMinimum = Nanoseconds.max
    private var roundMinimum = Nanoseconds.max
    private var samples = 0

    init(packetSize: Int, initialWindow: Int) {
        self.packetSize = packetSize
        window = initialWindow * packetSize
    }

    private var isSlowStart: Bool { window < threshold }
    var phase: String { isSlowStart ? "slow start" : "avoidance" }
    var bandwidth: Int { 0 }

    var pacingRate: Int {
        guard smoothed > 0 else { return 0 }
        let gain = isSlowStart ? 2.0 : 1.2
        return Int(bounded: gain * Double(window) * 1e9 / Double(smoothed))
    }

    mutating func start(roundTrip: Nanoseconds, now: Nanoseconds) { smoothed = roundTrip }

    mutating func sent(inFlight: Int, now: Nanoseconds) {}

    mutating func setPacketSize(_ size: Int) { packetSize = size }

    mutating func acknowledged(_ sample: AcknowledgementSample) {
        smoothed = sample.smoothedRoundTrip
        guard sample.acknowledged > 0, sample.isWindowLimited else { return }
        if isSlowStart {
            window += sample.acknowledged
            watchRoundTrip(sample)
        } else {
            grow(sample)
        }
    }

    /// Leaves slow start when the round trip grows, because then a queue does.
    private mutating func watchRoundTrip(_ sample: AcknowledgementSample) {
        if sample.deliveredBefore >= roundEnd {
            roundEnd = sample.delivered
            (lastRoundMinimum, roundMinimum, samples) = (roundMinimum, .max, 0)
        }
        guard sample.roundTrip > 0 else { return }
        roundMinimum = min(roundMinimum, sample.roundTrip)
        samples += 1
        guard samples >= 8, lastRoundMinimum != .max else { return }
        let tolerance = max(.milliseconds(4), min(.milliseconds(16), lastRoundMinimum / 8))
        if roundMinimum >= lastRoundMinimum + tolerance { threshold = window }
    }

    private mutating func grow(_ sample: AcknowledgementSample) {
        let size = Double(packetSize)
        let current = Double(window) / size
        if epochStart == nil {
            epochStart = sample.now
            epochWindow = current
            renoWindow = current
            maximum = max(maximum, current)
            timeToMaximum = cubeRoot((maximum - current) / Self.growth)
        }
        let elapsed = Double(sample.now - (epochStart ?? sample.now) + sample.smoothedRoundTrip) / 1e9
        let distance = elapsed - timeToMaximum
        let target = min(1.5 * current, max(current, Self.growth * distance * distance * distance + maximum))
        let acknowledged = Double(sample.acknowledged) / size
        let alpha = renoWindow >= maximum ? 1 : 3 * (1 - Self.decrease) / (1 + Self.decrease)
        renoWindow += alpha * acknowledged / current
        fraction += (target - current) / current * acknowledged
        if renoWindow > current + fraction { fraction = renoWindow - current }
        let whole = fraction.rounded(.down)
        fraction -= whole
        window += Int(whole) * packetSize
    }

    private func cubeRoot(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        var root = max(1, value / 3)
        for _ in 0..<40 { root -= (root * root * root - value) / (3 * root * root) }
        return root
    }

    mutating func lost(_ loss: Loss) {
        guard loss.sentAt > recoveryStart else { return }
        saved = (window, threshold, maximum)
        recoveryStart = loss.now
        let current = Double(window) / Double(packetSize)
        // Fast convergence: gives way to newer flows.
        maximum = current < maximum ? current * (1 + Self.decrease) / 2 : current
        window = max(2 * packetSize, Int(bounded: Double(window) * Self.decrease))
        threshold = window
        (epochStart, fraction) = (nil, 0)
    }

    mutating func timedOut(now: Nanoseconds) {
        if recoveryStart < now { saved = (window, threshold, maximum) }
        recoveryStart = now
        threshold = max(2 * packetSize, Int(bounded: Double(window) * Self.decrease))
        maximum = Double(window) / Double(packetSize)
        window = packetSize
        (epochStart, fraction) = (nil, 0)
    }

    mutating func undo(now: Nanoseconds) {
        guard let saved else { return }
        (window, threshold, maximum) = (max(window, saved.window), saved.threshold, saved.maximum)
        (self.saved, epochStart) = (nil, nil)
    }
}
