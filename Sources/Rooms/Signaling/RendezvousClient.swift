import Foundation
import Networking

/// The REST half of the rendezvous protocol: make, accept, check and purge rooms.
///
/// Every call opts in to tickets, so that nobody without ours can act on the room (`docs/protocols/rendezvous.md`).
struct RendezvousClient: Sendable {
    private let http: HTTPClient
    private let server: ServerURL

    /// How long the server may take for one answer.
    static let timeout = Duration.seconds(10)
    /// The longest room id or ticket that is taken from a server, in bytes.
    static let nameLimit = 128
    /// The most devices that are named in one purge; the server takes a thousand.
    static let purgeLimit = 500

    init(http: HTTPClient, server: String) throws(RoomsFailure) {
        self.http = http
        do {
            self.server = try ServerURL(server)
        } catch {
            throw RoomsFailure(.badRequest, "the server address is not valid: \(error.message)")
        }
    }

    struct Created: Decodable, Sendable {
        var exp: String
        var ticket: String
    }

    struct Accepted: Decodable, Sendable {
        var roomid: String
        var ticket: String
    }

    /// Asks for a room under these digits.
    /// - Returns: nil if the digits are in use.
    func create(digits: String, device: String, expiresIn: Int64) async throws(RoomsFailure) -> Created? {
        let body = Body(joinid: digits, client1: device, expiresInSeconds: expiresIn, ticket: .wanted)
        let response = try await post("/api/rooms", body)
        if response.status == 409 || response.status == 500 { return nil }
        guard response.status == 201 else { throw failure(response) }
        let created = try decode(Created.self, response)
        try check(created.ticket)
        return created
    }

    /// Enters the room behind these digits.
    func accept(digits: String, device: String) async throws(RoomsFailure) -> Accepted {
        let response = try await post("/api/rooms/accept", Body(joinid: digits, client2: device, ticket: .wanted))
        switch response.status {
        case 200:
            let accepted = try decode(Accepted.self, response)
            try check(accepted.roomid)
            try check(accepted.ticket)
            return accepted
        case 404: throw RoomsFailure(.codeUnknown)
        case 409: throw RoomsFailure(.codeSpent)
        default: throw failure(response)
        }
    }

    /// Asks whether somebody has come.
    /// - Returns: the room's id, or nil if nobody has.
    func check(digits: String, device: String, ticket: String) async throws(RoomsFailure) -> String? {
        struct Answer: Decodable { var roomid: String }
        let body = Body(joinid: digits, client1: device, ticket: .proof(ticket))
        let response = try await post("/api/rooms/check", body)
        switch response.status {
        case 204: return nil
        case 200:
            let room = try decode(Answer.self, response).roomid
            try check(room)
            return room
        case 404: throw RoomsFailure(.codeExpired)
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
        do {
            let request = HTTPRequest(
                method: "POST", path: path, headers: ["content-type": "application/json"],
                body: Array(try JSONEncoder().encode(body)))
            return try await http.send(request, to: server, timeout: Self.timeout)
        } catch let error as NetworkingError {
            throw RoomsFailure(.serverUnreachable, error.message)
        } catch {
            throw RoomsFailure(.badRequest, "the request could not be written")
        }
    }

    private func decode<Answer: Decodable>(
        _ type: Answer.Type, _ response: HTTPResponse
    ) throws(RoomsFailure) -> Answer {
        do {
            return try JSONDecoder().decode(type, from: Data(response.body))
        } catch {
            throw RoomsFailure(.serverError, "the server's answer has not the form that was agreed")
        }
    }

    /// What the server makes up is kept and sent back, so it must be of bounded size.
    private func check(_ name: String) throws(RoomsFailure) {
        guard Self.isName(name) else {
            throw RoomsFailure(.serverError, "the server gave a name that is too long, or none")
        }
    }

    static func isName(_ name: String) -> Bool { (1...nameLimit).contains(name.utf8.count) }

    private func failure(_ response: HTTPResponse) -> RoomsFailure {
        switch response.status {
        case 400: RoomsFailure(.badRequest, "the server did not understand the request")
        case 403: RoomsFailure(.forbidden)
        case 404: RoomsFailure(.roomGone)
        case 429:
            RoomsFailure(
                .tooManyAttempts, retryAfter: response.headers["retry-after"].flatMap(Int.init).map { .seconds($0) })
        default: RoomsFailure(.serverError, "the server answered with status \(response.status)")
        }
    }
}
