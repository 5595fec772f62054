import Foundation
import Networking
import Synchronization
import Testing

@testable import Rooms

/// A server may answer anything: the search continues, at a bounded rate, until it is cancelled.
@Suite(.timeLimit(.minutes(5))) struct HostileServerTests {
    /// Answers each path as the test says, and counts requests.
    private final class Liar: HTTPServerHandler {
        let answers: [String: (Int, String)]
        let requests = Mutex(0)
        /// Which ids each device asked for.
        let asked = Mutex<[(device: String, id: String)]>([])
        let purged = Mutex<[[String]]>([])

        init(_ answers: [String: (Int, String)]) { self.answers = answers }

        func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
            requests.withLock { $0 += 1 }
            note(request.body)
            let (status, body) = answers[request.path] ?? (404, "{}")
            responder.respond(
                HTTPResponse(status: status, headers: ["retry-after": "99999999"], body: Array(body.utf8)))
        }

        private func note(_ body: [UInt8]) {
            struct Fields: Decodable {
                var joinid: String?
                var client1: String?
                var client2: String?
                var deviceIds: [String]?
            }
            guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(body)) else { return }
            if let id = fields.joinid, let device = fields.client1 ?? fields.client2 {
                asked.withLock { $0.append((device, id)) }
            }
            if let devices = fields.deviceIds { purged.withLock { $0.append(devices) } }
        }
    }

    /// Near the border of a period both ids are searched, and the requests do not show that they belong together.
    @Test(arguments: [(Int64(0), 1), (290, 2), (310, 2)])
    func noDeviceAsksForTwoIDs(minutes: Int64, ids: Int) async throws {
        let liar = Liar([
            "/api/rooms": Self.created, "/api/rooms/check": (204, ""), "/api/user/purge": (200, #"{"roomsDeleted":0}"#),
        ])
        let server = HTTPServer(configuration: HTTPServerConfiguration(), handler: liar)
        let side = try MeetingSide("ada", server: "http://127.0.0.1:\(try await server.start())")
        side.pass(minutes: minutes)
        for _ in 0..<2 {
            let before = liar.asked.withLock { $0.count }
            let search = Task { try await side.meet() }
            while liar.asked.withLock({ Set($0[before...].map(\.id)).count }) < ids {
                try await Task.sleep(for: .milliseconds(5))
            }
            search.cancel()
            _ = await search.result
            side.restart()
        }
        await side.service.stop()
        await server.stop()
        let asked = liar.asked.withLock { $0 }
        let devices = Dictionary(grouping: asked, by: \.id).mapValues { Set($0.map(\.device)) }
        #expect(devices.count == ids)
        #expect(Set(asked.map(\.device)).count == ids)
        #expect(devices.values.allSatisfy { $0.count == 1 }, "also after a restart")
        #expect(liar.purged.withLock { $0 }.allSatisfy { $0.count == 1 })
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
            // There was a guest in our room, each time.
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
            handler: Liar(["/api/rooms": (400, #"{"error":"invalid_joinid"}"#)]))
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
