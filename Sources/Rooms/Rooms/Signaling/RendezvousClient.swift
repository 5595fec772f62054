import Foundation
import Networking

/// The REST half of the rendezvous protocol: make, accept, check and purge rooms.
///
/// Every call opts in to tickets, so that only holders of our ticket can act on the room
/// (`docs/protocols/rendezvous.md`). Older servers give no tickets; then the ticket is empty here, and calls prove
/// nothing.
struct RendezvousClient: Sendable {
    private let network: RoomsNetwork
    private let server: ServerURL

    /// The longest wait for one answer of the server.
    static let timeout = Duration.seconds(10)
    /// The longest room id or ticket that is accepted from a server, in bytes.
    static let nameLimit = 128
    /// The most devices in one purge; the server accepts a thousand.
    static let purgeLimit = 500

    init(network: RoomsNetwork, server: String) throws(RoomsFailure) {
        self.network = network
        self.server = try RoomsNetwork.url(of: server)
    }

    struct Created: Decodable, Sendable {
        var exp: String
        var ticket = ""

        private enum CodingKeys: CodingKey { case exp, ticket }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            exp = try fields.decode(String.self, forKey: .exp)
            ticket = try fields.decodeIfPresent(String.self, forKey: .ticket) ?? ""
        }
    }

    struct Accepted: Decodable, Sendable {
        var roomid: String
        var ticket = ""

        private enum CodingKeys: CodingKey { case roomid, ticket }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            roomid = try fields.decode(String.self, forKey: .roomid)
            ticket = try fields.decodeIfPresent(String.self, forKey: .ticket) ?? ""
        }
    }

    /// Asks for a room under these digits.
    /// - Returns: nil if the digits are in use.
    func create(digits: String, device: String, expiresIn: Int64) async throws(RoomsFailure) -> Created? {
        let body = Body(joinid: digits, client1: device, expiresInSeconds: expiresIn, ticket: .wanted)
        let response = try await post("/api/rooms", body)
        if response.status == 409 || response.status == 500, isRendezvous(response) { return nil }
        guard response.status == 201 else { throw failure(response) }
        let created = try decode(Created.self, response)
        try check(ticket: created.ticket)
        return created
    }

    /// Enters the room behind these digits.
    func accept(digits: String, device: String) async throws(RoomsFailure) -> Accepted {
        let response = try await post("/api/rooms/accept", Body(joinid: digits, client2: device, ticket: .wanted))
        switch response.status {
        case 200:
            let accepted = try decode(Accepted.self, response)
            try check(accepted.roomid)
            try check(ticket: accepted.ticket)
            return accepted
        case 404 where isRendezvous(response): throw RoomsFailure(.codeUnknown)
        case 409 where isRendezvous(response): throw RoomsFailure(.codeSpent)
        default: throw failure(response)
        }
    }

    /// Asks whether a guest has come.
    /// - Returns: the room's id, or nil if none has come.
    func check(digits: String, device: String, ticket: String) async throws(RoomsFailure) -> String? {
        struct Answer: Decodable { var roomid: String }
        let body = Body(joinid: digits, client1: device, ticket: ticket.isEmpty ? nil : .proof(ticket))
        let response = try await post("/api/rooms/check", body)
        switch response.status {
        case 204: return nil
        case 200:
            let room = try decode(Answer.self, response).roomid
            try check(room)
            return room
        case 404 where isRendezvous(response): throw RoomsFailure(.codeExpired)
        default: throw failure(response)
        }
    }

    /// Makes the server forget these devices, their rooms and their codes.
    /// - Parameter tickets: one for each device, in the same order.
    /// - Returns: how many rooms that were.
    @discardableResult
    func purge(devices: [String], tickets: [String]) async throws(RoomsFailure) -> Int {
        struct Answer: Decodable { var roomsDeleted: Int? }
        var rooms = 0
        for start in stride(from: 0, to: devices.count, by: Self.purgeLimit) {
            let (some, theirs) = (devices.dropFirst(start), tickets.dropFirst(start))
            let body = Body(
                deviceIds: Array(some.prefix(Self.purgeLimit)), tickets: Array(theirs.prefix(Self.purgeLimit)))
            let response = try await post("/api/user/purge", body)
            guard response.status == 200 else { throw failure(response) }
            rooms += try decode(Answer.self, response).roomsDeleted ?? 0
        }
        return rooms
    }

    /// Asks whether the server is there and can read its store.
    func checkHealth() async throws(RoomsFailure) {
        struct Health: Decodable { var ok: Bool }
        let request = HTTPRequest(path: "/healthz")
        let response = try await network.send(request, to: server, timeout: Self.timeout)
        guard response.status == 200 else { throw failure(response) }
        guard try decode(Health.self, response).ok else {
            throw RoomsFailure(.serverError, "the server says that it is not well", place: server.description)
        }
    }

    private struct Body: Encodable {
        enum Ticket: Encodable {
            case wanted
            case proof(String)

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                switch self {
                case .wanted: try container.encode(true)
                case .proof(let ticket): try container.encode(ticket)
                }
            }
        }

        var joinid: String?
        var client1: String?
        var client2: String?
        var expiresInSeconds: Int64?
        var ticket: Ticket?
        var deviceIds: [String]?
        var tickets: [String]?
    }

    private func post(_ path: String, _ body: Body) async throws(RoomsFailure) -> HTTPResponse {
        guard let bytes = try? JSONEncoder().encode(body) else {
            throw RoomsFailure(.badRequest, "the request could not be written")
        }
        let request = HTTPRequest(
            method: "POST", path: path, headers: ["content-type": "application/json"], body: Array(bytes))
        return try await network.send(request, to: server, timeout: Self.timeout)
    }

    private func decode<Answer: Decodable>(
        _ type: Answer.Type, _ response: HTTPResponse
    ) throws(RoomsFailure) -> Answer {
        do {
            return try JSONDecoder().decode(type, from: Data(response.body))
        } catch {
            throw RoomsFailure(
                .serverForeign, "the server's answer has not the form that was agreed", place: server.description)
        }
    }

    /// Ids of the server are stored and sent back, so their size must be bounded.
    private func check(_ name: String) throws(RoomsFailure) {
        guard Self.isName(name) else {
            throw RoomsFailure(
                .serverError, "the server gave a name that is too long, or none", place: server.description)
        }
    }

    private func check(ticket: String) throws(RoomsFailure) {
        if !ticket.isEmpty { try check(ticket) }
    }

    static func isName(_ name: String) -> Bool { (1...nameLimit).contains(name.utf8.count) }

    /// Whether a refusal has the form of a rendezvous server's, and not of another server at the address.
    private func isRendezvous(_ response: HTTPResponse) -> Bool {
        struct Refusal: Decodable { var error: String? }
        return (try? JSONDecoder().decode(Refusal.self, from: Data(response.body))) != nil
    }

    private func failure(_ response: HTTPResponse) -> RoomsFailure {
        let place = server.description
        switch response.status {
        case 429:
            let wait = response.headers["retry-after"].flatMap(Int.init).map { Duration.seconds($0) }
            return RoomsFailure(.tooManyAttempts, retryAfter: wait, place: place)
        // With these a proxy reports that the server is down or overloaded.
        case 500, 502...504:
            return RoomsFailure(.serverError, "the server answered with status \(response.status)", place: place)
        case _ where !isRendezvous(response):
            // A server with TLS may answer plain HTTP with this status, to say that it demands TLS.
            let wantsTLS = response.status == 400 && !server.isSecure
            return RoomsFailure(
                wantsTLS ? .serverWithTLS : .serverForeign, "it answered with status \(response.status)", place: place)
        case 400: return RoomsFailure(.badRequest, "the server did not understand the request", place: place)
        case 403: return RoomsFailure(.forbidden)
        case 404: return RoomsFailure(.roomGone)
        default:
            return RoomsFailure(.serverError, "the server answered with status \(response.status)", place: place)
        }
    }
}
