internal import Networking

/// How many codes, or meetings, are held at this node.
struct HeldCodes: Equatable, Sendable {
    var byAddress = 0
    var byNetwork = 0
}

/// Counts the waiting codes and meetings that each address has reserved, so that one client cannot take them all. A
/// value without I/O.
///
/// It is in memory only, so that the store does not learn addresses. After a restart all counts are 0. Nodes tell each
/// other their counts, not what is counted (``SharedHolding``).
struct Reservations {
    private struct Entry {
        let source: ClientAddress
        var expiresAt: Timestamp
        /// Requests for the code that are not decided yet.
        var undecided: Int
    }

    /// Seconds after which a reservation may have ended.
    static let retryAfter = 60

    private var entries: [String: Entry] = [:]
    private var codes: SourceCounter
    private var meetings: SourceCounter
    /// Who holds less than before; counted only if somebody asks for it.
    private var changed: Set<ClientAddress> = []

    /// The most sources whose changes are remembered. Further ones are corrected by their next request, or in time.
    static let changesLimit = 1000

    init(_ limits: RendezvousLimits) {
        codes = SourceCounter(limits.codesByAddress, network: limits.networkFactor)
        meetings = SourceCounter(limits.meetingsByAddress, network: limits.networkFactor)
    }

    var count: Int { entries.count }

    /// Counts a request before it is decided, so that many at once cannot get past the limit. False if the source has
    /// too many. A code that is counted already is not counted again, for any source.
    mutating func reserve(_ code: String, for source: ClientAddress, now: Timestamp) -> Bool {
        if let entry = entries[code], entry.undecided <= 0, entry.expiresAt <= now { remove([code]) }
        if entries[code] != nil {
            entries[code]?.undecided += 1
            return true
        }
        let isGuessable = JoinID.isGuessable(code)
        guard isGuessable ? codes.hasRoom(for: source) : meetings.hasRoom(for: source) else { return false }
        if isGuessable { codes.add(source) } else { meetings.add(source) }
        entries[code] = Entry(source: source, expiresAt: .min, undecided: 1)
        return true
    }

    /// The code is reserved.
    mutating func keep(_ code: String, until end: Timestamp) {
        entries[code]?.undecided -= 1
        entries[code]?.expiresAt = end
    }

    /// The request was refused, or its outcome is unknown.
    mutating func giveUp(_ code: String) {
        guard var entry = entries[code] else { return }
        entry.undecided -= 1
        entries[code] = entry
        if entry.undecided <= 0, entry.expiresAt == .min { remove([code]) }
    }

    mutating func remove(_ gone: [String]) {
        for code in gone {
            guard let entry = entries.removeValue(forKey: code) else { continue }
            if JoinID.isGuessable(code) { codes.remove(entry.source) } else { meetings.remove(entry.source) }
            if changed.count < Self.changesLimit { changed.insert(entry.source) }
        }
    }

    func held(by source: ClientAddress, isGuessable: Bool) -> HeldCodes {
        (isGuessable ? codes : meetings).held(by: source)
    }

    /// Who holds less than at the last call.
    mutating func takeChanged() -> Set<ClientAddress> {
        defer { changed = [] }
        return changed
    }

    mutating func forgetExpired(now: Timestamp) {
        remove(entries.filter { $0.value.undecided <= 0 && $0.value.expiresAt <= now }.map(\.key))
    }
}

extension SourceCounter {
    fileprivate func held(by source: ClientAddress) -> HeldCodes {
        HeldCodes(byAddress: count(of: source), byNetwork: networkCount(of: source))
    }
}
