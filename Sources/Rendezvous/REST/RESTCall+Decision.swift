internal import Networking
internal import Wire

/// What a decision needs besides the store.
struct DecisionContext: Sendable {
    let mint: TicketMint
    let limits: RendezvousLimits
    let now: Timestamp
    /// The id for a room, if one is made.
    let newRoom: String
}

/// What was decided: the answer, and what those who are connected have to hear.
struct RESTDecision: Equatable, Sendable {
    enum News: Equatable, Sendable {
        case accepted(code: String, room: String)
        case removed(Removed)
    }

    let response: HTTPResponse
    var news: News?
    /// The call named a code that does not belong to the caller.
    var isWrongGuess = false

    init(_ response: HTTPResponse, news: News? = nil) {
        self.response = response
        self.news = news
    }

    static func refused(_ status: Int, _ code: String, isWrongGuess: Bool = false) -> RESTDecision {
        var decision = RESTDecision(RESTError(status, code).response)
        decision.isWrongGuess = isWrongGuess
        return decision
    }
}

extension RESTCall {
    /// Decides on the call: one transaction of the store.
    func decide(_ store: any RoomStore, _ context: DecisionContext) throws -> RESTDecision {
        switch self {
        case .create(let code, let device, let seconds, let wantsTicket):
            let ticket = wantsTicket ? context.mint.ticket(.creator, code: code, device: device) : nil
            let request = Creation(
                code: code,
                creator: Party(device: device, ticket: ticket.map(Ticket.digest)),
                expiresAt: context.now + Timestamp(seconds) * 1000,
                limit: context.limits.pendingRooms
            )
            return Self.answer(try store.create(request, now: context.now), ticket)
        case .accept(let code, let device, let wantsTicket):
            let ticket = wantsTicket ? context.mint.ticket(.guest, code: code, device: device) : nil
            let request = Acceptance(
                code: code,
                guest: Party(device: device, ticket: ticket.map(Ticket.digest)),
                room: context.newRoom,
                grace: context.limits.acceptanceGrace.milliseconds,
                limit: context.limits.rooms
            )
            return Self.answer(try store.accept(request, now: context.now), code, ticket)
        case .check(let code, let proof):
            return Self.answer(try store.check(code: code, by: proof, now: context.now))
        case .show(let room, let proof):
            return Self.answer(try store.room(room), proof)
        case .delete(let room, let proof):
            switch try store.delete(room: room, proof) {
            case .forbidden: return .refused(403, "forbidden")
            case .deleted(let removed): return RESTDecision(.plain(200, "OK"), news: .removed(removed))
            }
        case .purge(let devices, let tickets):
            let removed = try store.purge(devices: devices, tickets: tickets.map(Ticket.digest))
            let body: JSONValue = [
                "success": true, "deviceIdCount": .number(String(devices.count)),
                "roomsDeleted": .number(String(removed.rooms.count)),
                "pendingsDeleted": .number(String(removed.codes.count)),
            ]
            return RESTDecision(.json(200, body), news: .removed(removed))
        }
    }

    private static func answer(_ outcome: Creation.Outcome, _ ticket: String?) -> RESTDecision {
        switch outcome {
        case .created(let expiresAt):
            var body: JSONObject = ["ok": true, "exp": .string(expiresAt.iso8601)]
            if let ticket { body.append("ticket", .string(ticket)) }
            return RESTDecision(.json(201, .object(body)))
        case .codeInUse: return ticket == nil ? .refused(500, "create_failed") : .refused(409, "code_in_use")
        case .full: return .refused(503, "server_full")
        }
    }

    private static func answer(_ outcome: Acceptance.Outcome, _ code: String, _ ticket: String?) -> RESTDecision {
        switch outcome {
        case .accepted(let room):
            var body: JSONObject = ["roomid": .string(room)]
            if let ticket { body.append("ticket", .string(ticket)) }
            return RESTDecision(.json(200, .object(body)), news: .accepted(code: code, room: room))
        case .unknown: return .refused(404, "not_found_or_expired", isWrongGuess: true)
        case .conflict: return .refused(409, "conflict", isWrongGuess: true)
        case .full: return .refused(503, "server_full")
        }
    }

    private static func answer(_ check: Check) -> RESTDecision {
        switch check {
        case .pending: RESTDecision(HTTPResponse(status: 204))
        case .accepted(let room): RESTDecision(.json(200, ["roomid": .string(room)]))
        case .unknown: .refused(404, "not_found_or_expired", isWrongGuess: true)
        case .forbidden: .refused(403, "forbidden", isWrongGuess: true)
        }
    }

    /// A party with a ticket sees its own device id only; whoever needs no ticket sees the room as it always was.
    private static func answer(_ room: Room?, _ proof: Proof) -> RESTDecision {
        guard let room else { return RESTDecision(.plain(404, "Not Found")) }
        var body: JSONObject = ["roomid": .string(room.id)]
        let standing = room.standing(of: proof)
        if standing == .none { return .refused(403, "forbidden") }
        let showsAll = standing == .holderOfID || proof.ticket == nil && room.creator.ticket == nil
        if showsAll || standing == .party(.creator) { body.append("client1", .string(room.creator.device)) }
        if showsAll || standing == .party(.guest) { body.append("client2", .string(room.guest.device)) }
        return RESTDecision(.json(200, .object(body)))
    }
}
