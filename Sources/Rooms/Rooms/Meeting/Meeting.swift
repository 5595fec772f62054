import Cryptography
import Foundation

/// One search for the other side at the rendezvous server, under ids that only the two can compute.
///
/// Both sides do the same. Near the border of a period, a side enters the reservation that the other side may have made
/// under the id of the neighbouring period, because its clock may be wrong. Then it reserves the id of the current
/// period, enters it if it is taken, and waits. A side that entered gives up its own reservation. If the other side has
/// entered that already, both leave and start again. So the two never wait in different rooms. Any answer of the server
/// may be wrong, late or missing; then there is another round after a wait.
struct Meeting: Sendable {
    let place: MeetingPlace
    let client: RendezvousClient
    let server: String
    let network: RoomsNetwork
    let pace: MeetingPace
    /// Stores the state that is needed after a crash, before the server learns of it.
    let note: @Sendable (MeetingRecord.Attempt) async throws(RoomsFailure) -> Void
    /// Reports why the two do not meet; without a failure: that the cause is gone.
    let trouble: @Sendable (RoomsFailure?) -> Void
    /// A room of an earlier meeting that must be removed first: its id cannot be used again in the same period.
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

    /// A new period: gives up the reservation of the last one, and makes a new name.
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

    /// Another name than the one under which this side waits, so that the server does not see that both ids belong to
    /// the same two people.
    private mutating func visitor(to period: MeetingPeriod) async throws(RoomsFailure) -> String {
        if let known = attempt?.visits?[period.number] { return known }
        let name = UUID().uuidString.lowercased()
        guard var attempt else { return name }
        attempt.visits = (attempt.visits ?? [:]).merging([period.number: name]) { _, new in new }
        try await note(attempt)
        self.attempt = attempt
        return name
    }

    /// Enters the reservation of the other side.
    /// - Returns: nil if it did not, or if it entered ours at the same time.
    private mutating func enter(_ id: String, as device: String) async throws(RoomsFailure) -> FoundRoom? {
        let accepted: RendezvousClient.Accepted
        do {
            accepted = try await client.accept(digits: id, device: device)
        } catch {
            // There is nothing, or a room of an earlier meeting that the other side has not removed yet.
            guard error.code == .codeUnknown || error.code == .codeSpent else { throw error }
            return nil
        }
        guard try await !release() else { return nil }
        return FoundRoom(
            room: MetRoom(role: .responder, device: device, serverRoom: accepted.roomid), ticket: accepted.ticket)
    }

    /// Gives up this side's reservation.
    /// - Returns: whether the other side had entered already; then it has to leave again.
    mutating func release() async throws(RoomsFailure) -> Bool {
        guard let ticket = attempt?.ticket else { return false }
        let rooms = try await client.purge(devices: [device], tickets: [ticket])
        attempt?.ticket = nil
        return rooms > 0
    }
}
