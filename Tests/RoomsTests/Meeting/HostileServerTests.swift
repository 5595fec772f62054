import Networking
import Synchronization
import Testing

@testable import Rooms

/// A server may answer anything: the search goes on, at a bounded rate, until it is called off.
@Suite(.timeLimit(.minutes(2))) struct HostileServerTests {
    /// Answers each path with what the test says, and counts.
    private final class Liar: HTTPServerHandler {
        let answers: [String: (Int, String)]
        let requests = Mutex(0)

        init(_ answers: [String: (Int, String)]) { self.answers = answers }

        func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
            requests.withLock { $0 += 1 }
            let (status, body) = answers[request.path] ?? (404, "{}")
            responder.respond(
                HTTPResponse(status: status, headers: ["retry-after": "99999999"], body: Array(body.utf8)))
        }
    }

    private static let name = String(repeating: "x", count: 5000)
    private static let created = (201, #"{"ok":true,"exp":"now","ticket":"t"}"#)

    @Test(
        arguments: [
            [:],
            ["/api/rooms": (201, "{}")],
            ["/api/rooms": (201, "[")],
            ["/api/rooms": (201, "{\"exp\":\"\",\"ticket\":\"\(name)\"}")],
            ["/api/rooms": (409, "{}")],
            ["/api/rooms": (429, "{}")],
            ["/api/rooms": (500, "{}"), "/api/rooms/accept": (500, "")],
            ["/api/rooms": created, "/api/rooms/check": (200, "{}")],
            ["/api/rooms": created, "/api/rooms/check": (403, "{}")],
            ["/api/rooms": created, "/api/rooms/check": (404, "{}")],
            ["/api/rooms": created, "/api/rooms/check": (200, "{\"roomid\":\"\(name)\"}")],
            ["/api/rooms/accept": (200, #"{"roomid":"","ticket":"t"}"#)],
            ["/api/rooms/accept": (200, "{\"roomid\":\"\(name)\",\"ticket\":\"t\"}")],
            ["/api/rooms/accept": (200, "{\"roomid\":5}")],
            // Somebody was in our room, each time.
            [
                "/api/rooms": created, "/api/rooms/check": (204, ""),
                "/api/user/purge": (200, #"{"roomsDeleted":1}"#),
            ],
        ] as [[String: (Int, String)]])
    func answersThatMakeNoSense(answers: [String: (Int, String)]) async throws {
        let liar = Liar(answers)
        let server = HTTPServer(configuration: HTTPServerConfiguration(), handler: liar)
        let side = try MeetingSide("ada", server: "http://127.0.0.1:\(try await server.start())")
        await #expect(throws: RoomsFailure(.peerTimeout, "the other side did not come")) {
            try await side.meet(limit: .milliseconds(300))
        }
        // Each round is followed by a pause of at least a quarter of a second, and has few requests and looks.
        #expect(liar.requests.withLock { $0 } < 200)
        await side.service.stop()
        await server.stop()
    }

    /// A server that does not know meetings says so at once.
    @Test func anOlderServer() async throws {
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(),
            handler: Liar(["/api/rooms/accept": (400, #"{"error":"invalid_joinid"}"#)]))
        let side = try MeetingSide("ada", server: "http://127.0.0.1:\(try await server.start())")
        let error = await #expect(throws: RoomsFailure.self) { try await side.meet() }
        #expect(error?.code == .badRequest)
        await side.service.stop()
        await server.stop()
    }

    /// A server may call both sides creators, or lead one to the room where it was before.
    @Test(arguments: ["old", "elsewhere"])
    func aRoomThatLeadsNowhereIsTakenAndFails(room: String) async throws {
        let liar = Liar([
            "/api/rooms": Self.created, "/api/rooms/check": (200, "{\"roomid\":\"\(room)\"}"),
            "/api/user/purge": (200, "{}"),
        ])
        let server = HTTPServer(configuration: HTTPServerConfiguration(), handler: liar)
        let url = "http://127.0.0.1:\(try await server.start())"
        for side in [try MeetingSide("ada", server: url), try MeetingSide("ben", server: url)] {
            let met = try await side.meet()
            #expect(met.serverRoom == room)
            #expect(met.role == .initiator)
            await side.service.stop()
        }
        await server.stop()
    }
}
