internal import Networking
internal import Wire

/// A decision: the answer, and the news for connected clients.
struct RESTDecision: Equatable, Sendable {
    enum News: Equatable, Sendable {
        /// With the nodes at which the code is watched.
        case accepted(code: String, room: String, watchers: [String])
        case removed(Removed)
    }

    let response: HTTPResponse
    var news: News?
    /// The call named a code that does not belong to the caller.
    var isWrongGuess = false
    /// Until when the requested code is reserved.
    var reservedUntil: Timestamp?
    /// What a purge has removed so far.
    var purged: PurgeCounts?
    /// The limit that was in the way, for metrics.
    var rejection: String?

    init(_ response: HTTPResponse, news: News? = nil) {
        self.response = response
        self.news = news
    }

    init(refusing error: RESTError) {
        self.init(error.response)
        rejection = error.code
    }

    static func refused(_ status: Int, _ code: String, isWrongGuess: Bool = false) -> RESTDecision {
        var decision = RESTDecision(RESTError(status, code).response)
        decision.isWrongGuess = isWrongGuess
        return decision
    }
}

extension RESTCall {
    /// The server makes ids of 36 bytes; of longer ones nobody is told.
    private static let longestRoomID = 64

    /// Decides on the call: one transaction of the store.
    func decide(_ store: any RoomStore, _ context: DecisionContext) throws -> RESTDecision {
        switch self {
        case .create(let code, let device, let seconds, let wantsTicket):
            func create(_ nonce: [UInt8]) throws -> (Creation.Outcome, String?) {
                let (request, ticket) = context.creation(code, device, seconds, wantsTicket, nonce: nonce)
                return (try store.create(request, now: context.now), ticket)
            }
            var (outcome, ticket) = try create(context.nonce)
            if case .repeated(let nonce) = outcome { (outcome, ticket) = try create(nonce) }
            return Self.answer(outcome, ticket)
        case .accept(let code, let device, let wantsTicket):
            func accept(_ room: String) throws -> (Acceptance.Outcome, String?) {
                let (request, ticket) = context.acceptance(code, device, wantsTicket, room: room)
                return (try store.accept(request, now: context.now), ticket)
            }
            var (outcome, ticket) = try accept(context.newRoom)
            if case .repeated(let room) = outcome { (outcome, ticket) = try accept(room) }
            return Self.answer(outcome, code, ticket)
        case .check(let code, let proof):
            return Self.answer(try store.check(code: code, by: proof, now: context.now))
        case .show(let room, let proof):
            return Self.answer(try store.room(room), proof)
        case .delete(let room, let proof):
            switch try store.delete(room: room, proof) {
            case .forbidden: return .refused(403, "forbidden")
            // The answer to an earlier request may have been lost, and with it the news: whoever still sits there is told
            // now. Ids are random, so nobody else is meant.
            case .deleted(let removed) where removed.isEmpty && room.utf8.count <= Self.longestRoomID:
                return RESTDecision(.plain(200, "OK"), news: .removed(Removed(rooms: [room])))
            case .deleted(let removed): return RESTDecision(.plain(200, "OK"), news: .removed(removed))
            }
        case .purge(let devices, let tickets):
            let removed = try store.purge(devices: devices, tickets: tickets.map(Ticket.digest))
            let counts = PurgeCounts(devices: devices.count, rooms: removed.rooms.count, codes: removed.codes.count)
            return RESTDecision(counts, news: .removed(removed))
        }
    }

    static func answer(_ outcome: Creation.Outcome, _ ticket: String?) -> RESTDecision {
        switch outcome {
        case .created(let expiresAt):
            var body: JSONObject = ["ok": true, "exp": .string(expiresAt.iso8601)]
            if let ticket { body.append("ticket", .string(ticket)) }
            var decision = RESTDecision(.json(201, .object(body)))
            decision.reservedUntil = expiresAt
            return decision
        // Twice: it was made anew meanwhile.
        case .repeated, .codeInUse:
            return ticket == nil
                ? .refused(500, "create_failed", isWrongGuess: true) : .refused(409, "code_in_use", isWrongGuess: true)
        case .full: return .refused(503, "server_full")
        }
    }

    static func answer(_ outcome: Acceptance.Outcome, _ code: String, _ ticket: String?) -> RESTDecision {
        switch outcome {
        case .accepted(let room, let watchers):
            var body: JSONObject = ["roomid": .string(room)]
            if let ticket { body.append("ticket", .string(ticket)) }
            return RESTDecision(
                .json(200, .object(body)), news: .accepted(code: code, room: room, watchers: watchers))
        case .unknown: return .refused(404, "not_found_or_expired", isWrongGuess: true)
        case .repeated, .conflict: return .refused(409, "conflict", isWrongGuess: true)
        case .full: return .refused(503, "server_full")
        }
    }

    static func answer(_ check: Check) -> RESTDecision {
        switch check {
        case .pending: RESTDecision(HTTPResponse(status: 204))
        case .accepted(let room): RESTDecision(.json(200, ["roomid": .string(room)]))
        case .unknown: .refused(404, "not_found_or_expired", isWrongGuess: true)
        case .forbidden: .refused(403, "forbidden", isWrongGuess: true)
        }
    }

    /// A party with a ticket sees only its own device id. Clients without tickets see the room as in earlier versions,
    /// except for the id of a party with a ticket, because that id would let them request its ticket again.
    private static func answer(_ room: Room?, _ proof: Proof) -> RESTDecision {
        guard let room else { return RESTDecision(.plain(404, "Not Found")) }
        var body: JSONObject = ["roomid": .string(room.id)]
        let standing = room.standing(of: proof)
        if standing == .none { return .refused(403, "forbidden") }
        let showsAll = standing == .holderOfID || proof.ticket == nil && room.creator.ticket == nil
        func shows(_ side: Side) -> Bool { standing == .party(side) || showsAll && room[side].ticket == nil }
        if shows(.creator) { body.append("client1", .string(room.creator.device)) }
        if shows(.guest) { body.append("client2", .string(room.guest.device)) }
        return RESTDecision(.json(200, .object(body)))
    }
}
