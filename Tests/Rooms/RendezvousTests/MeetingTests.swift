import Networking
import Testing
import Wire

@testable import Rendezvous

/// Meetings: the same requests under ids that cannot be guessed.
@Suite(.timeLimit(.minutes(5)))
struct MeetingTests {
    private static let id = "abcdefghijklmnopqrstuvwx27"

    @Test(arguments: Arrangement.allCases)
    func anIDOfAMeetingStandsWhereACodeStood(_ arrangement: Arrangement) async throws {
        try await arrangement.run(
            Transcript(
                "a meeting",
                #"POST /api/rooms {"joinid":"\#(Self.id)","client1":"a","expiresInSeconds":600,"ticket":true}"#
                    + #" => 201 {"ok":true,"exp":"*","ticket":"@as"}"#,
                #"A> {"type":"watch","joinid":"\#(Self.id)","deviceId":"a","ticket":"$as"}"#,
                #"A< {"type":"watching","joinid":"\#(Self.id)"}"#,
                #"POST /api/rooms/check {"joinid":"\#(Self.id)","client1":"a","ticket":"$as"} => 204 "#,
                #"POST /api/rooms {"joinid":"\#(Self.id)","client1":"b","expiresInSeconds":600,"ticket":true}"#
                    + #" => 409 {"error":"code_in_use"}"#,
                #"POST /api/rooms/accept {"joinid":"\#(Self.id)","client2":"b","ticket":true}"#
                    + #" => 200 {"roomid":"@room","ticket":"@bs"}"#,
                #"A< {"type":"room_accepted","joinid":"\#(Self.id)","roomId":"$room"}"#,
                // A second meeting in the same period removes the earlier room, which frees the id.
                #"POST /api/user/purge {"deviceIds":["b"],"tickets":["$bs"]} => 200 *"#,
                #"POST /api/rooms/accept {"joinid":"\#(Self.id)","client2":"c","ticket":true}"#
                    + #" => 404 {"error":"not_found_or_expired"}"#
            ))
    }

    @Test(arguments: [
        "abcdefghijklmnopqrstuvwx2", "abcdefghijklmnopqrstuvwx277", "Abcdefghijklmnopqrstuvwx27",
        "abcdefghijklmnopqrstuvwx21", "abcdefghijklmnopqrstuvwx28", "abcdefghijklmnopqrstuvwxé", "1234567", "12345a",
    ])
    func nothingElseDoes(id: String) async throws {
        try await LiveServer.run { live in
            let body = "{\"joinid\":\"\(id)\",\"client2\":\"b\"}"
            let answer = try await live.send("POST", "/api/rooms/accept", body)
            #expect(answer.status == 400)
            #expect(answer["error"] == "invalid_joinid")
            let socket = try await live.socket()
            try socket.send(["type": "watch", "joinid": .string(id), "deviceId": "b"])
            #expect(await socket.next("error")?["error"] == "Invalid joinid or deviceId")
        }
    }

    /// Guesses at codes from the same address do not prevent meetings, and meetings do not help to guess codes.
    @Test(arguments: Arrangement.allCases)
    func attemptsAtCodesAndMeetingsAreCountedApart(_ arrangement: Arrangement) async throws {
        var limits = RendezvousLimits.unlimited
        limits.codeAttemptsByAddress = RateLimit(burst: 2, perMinute: 0)
        limits.codeAttemptsByNetwork = RateLimit(burst: 2, perMinute: 0)
        try await arrangement.run(limits: limits) { nodes in
            let meeting: JSONValue = ["joinid": .string(Self.id), "client2": "b"]
            let code: JSONValue = ["joinid": "482913", "client2": "b"]
            for number in 0..<20 {
                let answer = try await nodes[number % nodes.count].post("/api/rooms/accept", meeting)
                #expect(answer.status == 404)
            }
            for (number, status) in [404, 404, 429].enumerated() {
                let answer = try await nodes[number % nodes.count].post("/api/rooms/accept", code)
                #expect(answer.status == status)
            }
            #expect(try await nodes[0].post("/api/rooms/accept", meeting).status == 404)
            let socket = try await nodes[nodes.count - 1].socket()
            try socket.send(["type": "watch", "joinid": .string(Self.id), "deviceId": "b"])
            #expect(await socket.next("watch_ended")?["reason"] == "expired")
        }
    }

    @Test(arguments: Arrangement.allCases)
    func requestsForMeetingsAreBounded(_ arrangement: Arrangement) async throws {
        var limits = RendezvousLimits.unlimited
        limits.requests = RateLimit(burst: 20, perMinute: 0)
        try await arrangement.run(limits: limits) { nodes in
            let meeting: JSONValue = ["joinid": .string(Self.id), "client2": "b"]
            var statuses: [Int] = []
            while statuses.last != 429, statuses.count <= 20 {
                statuses.append(
                    try await nodes[statuses.count % nodes.count].post("/api/rooms/accept", meeting).status)
            }
            // A node also counts how often it was asked whether it is ready.
            #expect(
                statuses.count > 1 && statuses.last == 429 && statuses.dropLast().allSatisfy { $0 == 404 },
                "\(statuses)")
        }
    }
}
