import Cryptography
import Foundation

/// One search for the other side at the rendezvous server, under ids that only the two can compute.
///
/// Both sides do the same: near the border of a period enter what the other one may have reserved under the id beyond it (its
/// clock may be wrong), reserve the id of the present period, enter it if it is taken, and wait. Who has entered gives up what it
/// reserved itself; if the other side is in there already, both are out again and begin anew. So never do two wait in
/// different rooms. Every answer of the server may be wrong, late or missing: then there is another round after a while.
struct Meeting: Sendable {
    let place: MeetingPlace
    let client: RendezvousClient
    let server: String
    let network: RoomsNetwork
    let pace: MeetingPace
    /// Stores what must be known after a crash, before the server hears of it.
    let note: @Sendable (MeetingRecord.Attempt) async throws(RoomsFailure) -> Void
    /// Tells what keeps the two apart, and without a failure that nothing does any more.
    let trouble: @Sendable (RoomsFailure?) -> Void
    /// A room of an earlier meeting that must go first: under its id nobody can meet again in the same period.
    var leftover: (device: String, ticket: String)?
    private(set) var attempt: MeetingRecord.Attempt?

    init(
        place: MeetingPlace, client: RendezvousClient, server: String, network: RoomsNetwork, pace: MeetingPace,
        attempt: MeetingRecord.Attempt?, leftover: (device: String, ticket: String)?,
        trouble: @escaping @Sendable (RoomsFailure?) -> Void = { _ in },
        note: @escaping @Sendable (MeetingRecord.Attempt) async throws(RoomsFailure) -> Void
    ) {
        self.place = place
        self.client = client
        self.server = server
        self.network = network
        self.pace = pace
        self.attempt = attempt
        self.leftover = leftover
        self.note = note
        self.trouble = trouble
    }

    /// Searches until the other side is found.
    /// - Throws: `CancellationError`, or ``RoomsFailure`` if the server does not know meetings or the disk refuses.
    mutating func run() async throws -> FoundRoom {
        var backOff = BackOff()
        while true {
            var refusal = Duration.zero
            let period = attempt?.period
            do throws(RoomsFailure) {
                if let found = try await round() { return found }
            } catch {
                try Task.checkCancellation()
                guard error.isRetryable || error.code == .forbidden || error.code == .roomGone else { throw error }
                trouble(error)
                refusal = min(error.retryAfter ?? .zero, pace.longestRefusal)
            }
            if attempt?.period != period { backOff.reset() }
            try await Task.sleep(for: max(refusal, backOff.next(jitter: .random(in: 0...1))))
        }
    }

    /// - Returns: nil if another round is needed.
    private mutating func round() async throws(RoomsFailure) -> FoundRoom? {
        if let leftover {
            try await client.purge(devices: [leftover.device], tickets: [leftover.ticket])
            self.leftover = nil
        }
        let period = MeetingPeriod(at: pace.now())
        try await begin(period)
        if let found = try await enterNeighbour(of: period) { return found }
        let id = try id(period)
        // A little longer than the period, for a side whose clock is behind.
        let lifetime = period.remaining(at: pace.now()) / 1000 + 600
        guard let created = try await client.create(digits: id, device: device, expiresIn: lifetime) else {
            return try await enter(id, as: device)
        }
        trouble(nil)
        attempt?.ticket = created.ticket
        if let attempt { try await note(attempt) }
        return try await wait(in: period, id, created.ticket)
    }

    /// A new period: what was reserved in the last one is given up, and a new name is made.
    private mutating func begin(_ period: MeetingPeriod) async throws(RoomsFailure) {
        guard attempt?.period != period.number else { return }
        _ = try await release()
        let new = MeetingRecord.Attempt(period: period.number, device: UUID().uuidString.lowercased())
        try await note(new)
        attempt = new
    }

    private var device: String { attempt?.device ?? "" }

    private func id(_ period: MeetingPeriod) throws(RoomsFailure) -> String {
        do {
            return try place.id(in: period)
        } catch {
            throw RoomsFailure(.badRequest, "the id of a meeting cannot be computed")
        }
    }

    mutating func enterNeighbour(of period: MeetingPeriod) async throws(RoomsFailure) -> FoundRoom? {
        guard let neighbour = period.neighbour(at: pace.now()) else { return nil }
        return try await enter(try id(neighbour), as: try await visitor(to: neighbour))
    }

    /// Another name than the one that this side waits under, so that the server does not see that both ids are of the same two.
    private mutating func visitor(to period: MeetingPeriod) async throws(RoomsFailure) -> String {
        if let known = attempt?.visits?[period.number] { return known }
        let name = UUID().uuidString.lowercased()
        guard var attempt else { return name }
        attempt.visits = (attempt.visits ?? [:]).merging([period.number: name]) { _, new in new }
        try await note(attempt)
        self.attempt = attempt
        return name
    }

    /// Enters what the other side reserved.
    /// - Returns: nil if it did not, or if it entered ours at the same time.
    private mutating func enter(_ id: String, as device: String) async throws(RoomsFailure) -> FoundRoom? {
        let accepted: RendezvousClient.Accepted
        do {
            accepted = try await client.accept(digits: id, device: device)
        } catch {
            // There is nothing, or a room of an earlier meeting whose other side is yet to clear it away.
            guard error.code == .codeUnknown || error.code == .codeSpent else { throw error }
            return nil
        }
        guard try await !release() else { return nil }
        return FoundRoom(
            room: MetRoom(role: .responder, device: device, serverRoom: accepted.roomid), ticket: accepted.ticket)
    }

    /// Gives up what this side reserved.
    /// - Returns: whether the other side was in there already; then it is out again.
    mutating func release() async throws(RoomsFailure) -> Bool {
        guard let ticket = attempt?.ticket else { return false }
        let rooms = try await client.purge(devices: [device], tickets: [ticket])
        attempt?.ticket = nil
        return rooms > 0
    }
}
