/// A congestion control in the manner of BBR version 2 (draft-ietf-ccwg-bbr): it models the path by the highest rate of
/// delivery and the smallest round trip, sends at that rate, and keeps about one round trip's worth under way. Losses up
/// to a ceiling mean nothing, because links lose packets for other reasons than full queues; beyond it, less is put under
/// way.
struct BBR: CongestionControl {
    enum Phase: String {
        /// Doubles the rate each round trip until the path carries no more.
        case startup
        /// Empties the queue that the start has filled.
        case drain
        /// The cycle of the long run: a little below the rate, at it, refilling the pipe, above it to look for more.
        case down, cruise, refill, up
        /// Empties the path to see its smallest round trip.
        case probeRoundTrip
    }

    enum Constant {
        static let startupGain = 2.89
        static let drainGain = 0.5
        static let downGain = 0.85
        static let upGain = 1.35
        /// What may be under way beyond the product of rate and round trip, as a share of it. It stands in the queue, where
        /// loss-based flows need room to grow; but on a short path it has to last while a busy machine does not let us run.
        static let windowSlack = 0.35...0.75
        static let slackTime = Nanoseconds.microseconds(7500)
        /// How many times the product may be under way while more is looked for.
        static let upWindowGain = 1.75
        /// The share of losses that counts as too much, and what remains of the window then.
        static let lossCeiling = 0.02
        /// Losses in a round that may be chance, on paths that hold many packets.
        static let chanceLosses = 6
        static let decrease = 0.7
        /// What is left free for others.
        static let headroom = 0.85
        static let probeRoundTripEvery = Nanoseconds.seconds(10)
        static let probeRoundTripLasts = Nanoseconds.milliseconds(200)
        static let probeRoundTripGain = 0.5
        static let pacingMargin = 0.99
        /// How often the start may go on after a queue that was none.
        static let mostMistakes = 4
    }

    var packetSize: Int
    var phaseNow = Phase.startup
    var window: Int
    private let initialWindow: Int
    private(set) var pacingRate = 0

    // The model.
    var rates = RateFilter()
    var minimumRoundTrip = Nanoseconds.max
    var minimumAt: Nanoseconds = 0
    /// The most that may be under way, as losses have shown.
    var ceiling = Int.max
    /// The rate and amount that this cycle's losses have left.
    var lowRate = Int.max
    var lowAmount = Int.max
    var surplus = SurplusFilter()

    // Rounds: one ends when a chunk is acknowledged that was sent after the last one ended.
    private var roundEnd = 0
    private(set) var rounds = 0
    var roundStarts = false
    var round = Round()

    struct Round {
        var lost = 0
        var lostChunks = 0
        var deliveredAtStart = 0
        var rate = 0
    }

    // Whether the path is full.
    var isFull = false
    var fullRate = 0
    var fullRounds = 0
    var longRoundTrips = 0
    /// At how many different times these came, and the last of them.
    var longTimes = 0
    var longAt: Nanoseconds = 0
    /// The smallest round trips of the last round and of this one.
    var lastRoundTrip = Nanoseconds.max
    var thisRoundTrip = Nanoseconds.max
    /// The round in which a queue began to stand.
    var heldSince: Int?
    var lostWhileHeld = 0
    /// How often it turned out to be none.
    var mistakes = 0

    // The cycle.
    var phaseStart: Nanoseconds = 0
    var roundsInPhase = 0
    var cycleStart: Nanoseconds = 0
    var roundsSinceProbe = 0
    /// The highest rate of this phase of looking for more.
    var rateInUp = 0
    var cruiseLasts = Nanoseconds.seconds(2)
    var hasLookedForMore = false
    var probeEndsAt: Nanoseconds?
    var windowBefore = 0
    private var isUndoable: (ceiling: Int, lowRate: Int, lowAmount: Int, window: Int)?
    var chance: UInt32

    init(packetSize: Int, initialWindow: Int, seed: UInt32) {
        self.packetSize = packetSize
        window = initialWindow * packetSize
        self.initialWindow = window
        chance = seed | 1
    }

    var phase: String { phaseNow.rawValue }
    var bandwidth: Int { rates.best }

    /// What the path carries, as far as this cycle's losses allow.
    private var rate: Int { min(rates.best, lowRate) }

    mutating func setPacketSize(_ size: Int) { packetSize = size }

    mutating func start(roundTrip: Nanoseconds, now: Nanoseconds) {
        (minimumRoundTrip, minimumAt, phaseStart) = (max(1, roundTrip), now, now)
        pacingRate = Int(
            bounded: Constant.startupGain * Double(window) * 1e9 / Double(max(roundTrip, .milliseconds(1))))
    }

    mutating func sent(inFlight: Int, now: Nanoseconds) {
        // After a pause the smallest round trip need not be looked for: the path was empty.
        if inFlight == 0, probeEndsAt == nil, phaseNow == .probeRoundTrip { leaveProbe(now) }
    }

    // MARK: - Acknowledgements

    mutating func acknowledged(_ sample: AcknowledgementSample) {
        updateRound(sample)
        updateRates(sample)
        surplus.add(sample, rate: rate, roundStarts: roundStarts, isFull: isFull)
        if !isFull { checkFull(sample) }
        move(sample)
        updateRoundTrip(sample)
        setPacing()
        setWindow(sample)
        if roundStarts { round = Round(deliveredAtStart: sample.delivered) }
    }

    private mutating func updateRound(_ sample: AcknowledgementSample) {
        roundStarts = sample.acknowledged > 0 && sample.deliveredBefore >= roundEnd
        guard roundStarts else { return }
        roundEnd = sample.delivered
        rounds += 1
        roundsInPhase += 1
        roundsSinceProbe += 1
    }

    private mutating func updateRates(_ sample: AcknowledgementSample) {
        round.rate = max(round.rate, sample.rate)
        if sample.rate >= rates.best || !sample.isApplicationLimited { rates.add(sample.rate) }
        guard roundStarts else { return }
        // The lower bounds follow what a lossy round still delivered.
        let delivered = sample.delivered - round.deliveredAtStart
        let isLossy =
            round.lostChunks > chanceLosses
            && Double(round.lost) > Constant.lossCeiling * Double(round.lost + delivered)
        guard isLossy, phaseNow == .down || phaseNow == .cruise else { return }
        let before = min(rates.best, lowRate)
        lowRate = max(round.rate, Int(bounded: Constant.decrease * Double(before)))
        let amount = min(lowAmount, max(window, sample.inFlightBefore))
        lowAmount = max(delivered, Int(bounded: Constant.decrease * Double(amount)))
    }

    var chanceLosses: Int { max(1, min(Constant.chanceLosses, amount(1) / packetSize / 32)) }

    func isTooMuch(_ lost: Int, of amount: Int) -> Bool {
        Double(lost) > Constant.lossCeiling * Double(max(amount, 1))
    }

    mutating func lost(_ loss: Loss) {
        if phaseNow == .startup, heldSince != nil { lostWhileHeld += 1 }
        // What the phase before sent too much is not this one's fault.
        if phaseNow == .startup || loss.sentAt >= cycleStart {
            round.lost += loss.size
            round.lostChunks += 1
        }
        let mayBeChance = chanceLosses * packetSize
        guard loss.lostSinceSent > mayBeChance, isTooMuch(loss.lostSinceSent - mayBeChance, of: loss.inFlightWhenSent),
            phaseNow == .up || phaseNow == .refill
        else { return }
        isUndoable = (ceiling, lowRate, lowAmount, window)
        if !loss.isApplicationLimited {
            ceiling = max(
                loss.inFlightWhenSent - loss.lostSinceSent, Int(bounded: Constant.decrease * Double(amount(1))))
        }
        enter(.down, loss.now)
    }

    mutating func timedOut(now: Nanoseconds) {
        windowBefore = max(windowBefore, window)
        window = 4 * packetSize
    }

    mutating func undo(now: Nanoseconds) {
        guard let before = isUndoable else { return }
        (ceiling, lowRate, lowAmount) = (before.ceiling, before.lowRate, before.lowAmount)
        window = max(window, before.window)
        isUndoable = nil
    }

    // MARK: - What comes of it

    /// Bytes that fill the path `gain` times.
    func amount(_ gain: Double) -> Int {
        guard minimumRoundTrip != .max, rates.best > 0 else { return initialWindow }
        return Int(bounded: gain * Double(rate) * Double(minimumRoundTrip) / 1e9)
    }

    var roomyCeiling: Int { ceiling == .max ? .max : Int(bounded: Double(ceiling) * Constant.headroom) }

    private mutating func setPacing() {
        let gain: Double =
            switch phaseNow {
            case .startup: heldSince == nil ? Constant.startupGain : 1
            case .drain: Constant.drainGain
            case .down: Constant.downGain
            case .up: Constant.upGain
            case .cruise, .refill, .probeRoundTrip: 1
            }
        guard rates.best > 0 else { return }
        let wanted = Int(bounded: gain * Double(rate) * (phaseNow == .startup ? 1 : Constant.pacingMargin))
        if phaseNow == .startup, heldSince == nil, minimumRoundTrip != .max {
            // Doubling each round is held back by the window, not by a rate that was measured a round ago.
            pacingRate = max(pacingRate, wanted, Int(bounded: 2e9 * Double(window) / Double(minimumRoundTrip)))
        } else if isFull || heldSince != nil || wanted > pacingRate {
            pacingRate = max(wanted, packetSize)
        }
    }

    private var slack: Double {
        let share = Double(Constant.slackTime) / Double(minimumRoundTrip)
        return min(max(share, Constant.windowSlack.lowerBound), Constant.windowSlack.upperBound)
    }

    private mutating func setWindow(_ sample: AcknowledgementSample) {
        let gain =
            switch phaseNow {
            case .startup: Constant.startupGain
            case .up: Constant.upWindowGain
            default: 1 + slack
            }
        // What one wake-up of the pacer sends, three times: at the sender, at the receiver and under way.
        let burst = 3 * max(2 * packetSize, rate / 1000)
        let target = max(amount(gain) + surplus.best + burst, 4 * packetSize)
        if isFull {
            window = min(window + sample.acknowledged, target)
        } else if heldSince == nil, window < target || sample.delivered < initialWindow {
            window += sample.acknowledged
        }
        switch phaseNow {
        case .probeRoundTrip: window = min(window, probeWindow)
        case .cruise, .down: window = min(window, roomyCeiling, lowAmount)
        case .up, .refill: window = min(window, ceiling)
        case .startup, .drain: break
        }
        window = max(window, 4 * packetSize)
    }
}
