/// The search for the largest packet that the path carries (RFC 8899). A lost probe says nothing of congestion.
struct PathSearch {
    /// Probes of a size before it counts as too large.
    private static let mostTries = 3
    /// Where the search ends.
    private static let precision = 16
    /// When a larger size is tried again (RFC 8899 section 5.1.1).
    private static let searchAgainAfter = Nanoseconds.seconds(600)
    /// Time-outs in a row after which large packets may be what is lost.
    private static let blackHoleAfter = 3
    /// Losses of one chunk after which its size may be why, though smaller ones arrive.
    private static let mostLosses = 5

    private let base: Int
    private let maximum: Int
    /// Bytes of the largest packet that is known to arrive.
    private(set) var packetSize: Int
    /// The smallest size that did not.
    private var tooLarge: Int
    private(set) var candidate = 0
    private var tries = 0
    private var isSearching = false
    private(set) var owesProbe = false
    private var timeOuts = 0
    /// When the probe under way counts as lost, or the search begins again.
    private(set) var deadline = Nanoseconds.max
    var unansweredHeartbeat = false
    /// What heartbeats carry, so that only the peer's answers count.
    private(set) var nonce: UInt32 = 0

    init(_ configuration: Configuration) {
        base = configuration.basePacketSize
        maximum = configuration.maximumPacketSize & ~3
        packetSize = base
        tooLarge = maximum + Self.precision
    }

    /// The association is established.
    mutating func start(_ now: Nanoseconds, nonce: UInt32) {
        self.nonce = nonce
        begin()
    }

    private mutating func begin() {
        guard maximum > base else { return }
        tooLarge = maximum + Self.precision
        isSearching = true
        candidate = maximum
        (tries, owesProbe, deadline) = (0, true, .max)
    }

    mutating func sent(_ now: Nanoseconds, timeout: Nanoseconds) {
        owesProbe = false
        tries += 1
        deadline = now + timeout
    }

    /// A probe arrived; whether packets may be larger now.
    mutating func arrived(_ size: Int, _ now: Nanoseconds) -> Bool {
        guard isSearching, size == candidate, size > packetSize else { return false }
        packetSize = size
        timeOuts = 0
        goOn(now)
        return true
    }

    /// The deadline has come.
    mutating func advance(_ now: Nanoseconds) {
        deadline = .max
        guard isSearching else { return begin() }
        if tries < Self.mostTries { return owesProbe = true }
        tooLarge = candidate
        goOn(now)
    }

    private mutating func goOn(_ now: Nanoseconds) {
        tries = 0
        candidate = (packetSize + tooLarge) / 2 & ~3
        if packetSize >= maximum || tooLarge - packetSize <= Self.precision || candidate <= packetSize {
            (isSearching, owesProbe) = (false, false)
            deadline = packetSize < maximum ? now + Self.searchAgainAfter : .max
        } else {
            (owesProbe, deadline) = (true, .max)
        }
    }

    /// Several time-outs in a row: perhaps only small packets arrive now (RFC 8899 section 4.3).
    /// - Returns: whether packets are small from now on.
    mutating func noteTimeOut(_ now: Nanoseconds) -> Bool {
        guard packetSize > base else { return false }
        timeOuts += 1
        return timeOuts >= Self.blackHoleAfter && fallBack(now)
    }

    /// A chunk that filled a packet of this size was lost, after as many transmissions.
    /// - Returns: whether packets are small from now on.
    mutating func noteLoss(of size: Int, transmissions: UInt32, _ now: Nanoseconds) -> Bool {
        packetSize > base && size > base && transmissions >= Self.mostLosses && fallBack(now)
    }

    private mutating func fallBack(_ now: Nanoseconds) -> Bool {
        timeOuts = 0
        packetSize = base
        (isSearching, owesProbe) = (false, false)
        deadline = now + .seconds(30)
        return true
    }

    /// Data arrived.
    mutating func noteProgress() { timeOuts = 0 }
}
