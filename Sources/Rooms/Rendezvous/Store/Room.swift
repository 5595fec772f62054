internal import Cryptography
internal import Wire

/// The two seats of a room. The creator of the code has the first one, whoever connects first.
enum Side: Sendable, Equatable {
    case creator
    case guest

    var other: Side { self == .creator ? .guest : .creator }
}

/// One of the two parties of a room.
struct Party: Sendable, Equatable {
    /// The id that the party chose for itself.
    let device: String
    /// The SHA-256 of the party's ticket; nil if its client knows no tickets.
    let ticket: [UInt8]?
}

/// A room that was accepted.
struct Room: Sendable, Equatable {
    /// 48 hexadecimal digits.
    let id: String
    let creator: Party
    let guest: Party

    subscript(side: Side) -> Party { side == .creator ? creator : guest }
}

/// The credentials of a request.
struct Proof: Sendable, Equatable {
    var device: String?
    /// The SHA-256 of the ticket; nil without a ticket; empty if the text cannot be a ticket.
    var ticket: [UInt8]?

    init(device: String?, ticket: [UInt8]?) {
        self.device = device
        self.ticket = ticket
    }

    init(device: String?, ticket: String?) {
        self.init(device: device, ticket: ticket.map(Ticket.digest))
    }

    /// Whether there was a ticket, right or wrong.
    var hasTicket: Bool { ticket?.isEmpty == false }

    /// Whether these credentials prove to be the party.
    func fits(_ party: Party) -> Bool {
        let isDevice = device.map { ConstantTime.areEqual(Array($0.utf8), Array(party.device.utf8)) } ?? true
        guard let expected = party.ticket else { return ticket == nil && device != nil && isDevice }
        return isDevice && ConstantTime.areEqual(ticket ?? [], expected)
    }
}

/// Who sent a request about a room.
enum Standing: Sendable, Equatable {
    case party(Side)
    /// The room was made by a client without tickets, so anyone who knows its id may act.
    case holderOfID
    case none
}

extension Room {
    func standing(of proof: Proof) -> Standing {
        if proof.fits(creator) { return .party(.creator) }
        if proof.fits(guest) { return .party(.guest) }
        let isBare = proof.device == nil && proof.ticket == nil
        return isBare && creator.ticket == nil ? .holderOfID : .none
    }
}

/// The secret that a client proves its seat with: 32 bytes, base64url on the wire. Only its digest is stored.
enum Ticket {
    /// The SHA-256 of the ticket; empty, which is no digest of anything, if the text is not a ticket.
    static func digest(_ text: String) -> [UInt8] {
        guard let bytes = try? Base64URL.decode(text), bytes.count == 32 else { return [] }
        return HashFunction.sha256.digest(bytes)
    }
}

/// Makes tickets: 32 bytes that only the holder of the key could have made.
///
/// The key lives as long as the process and is never stored. With it, a request that is repeated because its answer was
/// lost gets the same ticket again, although the store holds only digests. After a restart the repeated request gets a
/// new ticket, which replaces the old one.
struct TicketMint: Sendable {
    private let key: SecretBytes

    init(key: SecretBytes) { self.key = key }

    /// - Parameter nonce: of a creator the random bytes of the reservation, of a guest the room. A code that is deleted and
    ///   reserved again has others, so an old ticket opens nothing.
    func ticket(_ side: Side, code: String, device: String, nonce: [UInt8]) -> String {
        let seat = side == .creator ? "creator" : "guest"
        return Base64URL.encode(HMAC.code(nonce + Array("\(seat) \(code) \(device)".utf8), key: key))
    }
}
