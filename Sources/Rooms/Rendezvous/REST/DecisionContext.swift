internal import Wire

/// The inputs of a decision besides the store.
struct DecisionContext: Sendable {
    let mint: TicketMint
    let limits: RendezvousLimits
    let now: Timestamp
    /// The id for a new room, if one is made.
    let newRoom: String
    /// 16 random bytes that identify one reservation of a code.
    let nonce: [UInt8]

    /// What a creator asks the store for, and the ticket that belongs to it.
    func creation(
        _ code: String, _ device: String, _ seconds: Int, _ wantsTicket: Bool, nonce: [UInt8]
    ) -> (Creation, ticket: String?) {
        let ticket = wantsTicket ? mint.ticket(.creator, code: code, device: device, nonce: nonce) : nil
        let request = Creation(
            code: code,
            creator: Party(device: device, ticket: ticket.map(Ticket.digest)),
            expiresAt: now + Timestamp(seconds) * 1000,
            limit: limits.pendingRooms,
            nonce: nonce
        )
        return (request, ticket)
    }

    /// What a guest asks the store for, and the ticket that belongs to it.
    func acceptance(
        _ code: String, _ device: String, _ wantsTicket: Bool, room: String
    ) -> (Acceptance, ticket: String?) {
        let ticket = wantsTicket ? mint.ticket(.guest, code: code, device: device, nonce: Array(room.utf8)) : nil
        let request = Acceptance(
            code: code,
            guest: Party(device: device, ticket: ticket.map(Ticket.digest)),
            room: room,
            grace: limits.acceptanceGrace.milliseconds,
            limit: limits.rooms
        )
        return (request, ticket)
    }
}
