import Networking
import Testing
import Wire

@testable import Rendezvous

/// Meetings: the same requests under ids that cannot be guessed.
@Suite(.timeLimit(.minutes(5)))
struct MeetingTests {
    private static let id = "abcdefghijklmnopqrstuvwx27"

    @Test func anIDOfAMeetingStandsWhereACodeStood() async throws {
        try await LiveServer.run { live in
            try await Transcript(
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
            ).run(on: [live])
        }
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
    @Test func attemptsAtCodesAndMeetingsAreCountedApart() async throws {
        var limits = RendezvousLimits.unlimited
        limits.codeAttemptsByAddress = RateLimit(burst: 2, perMinute: 0)
        limits.codeAttemptsByNetwork = RateLimit(burst: 2, perMinute: 0)
        try await LiveServer.run(limits: limits) { live in
            let meeting = "{\"joinid\":\"\(Self.id)\",\"client2\":\"b\"}"
            let code = #"{"joinid":"482913","client2":"b"}"#
            for _ in 0..<20 { #expect(try await live.send("POST", "/api/rooms/accept", meeting).status == 404) }
            for status in [404, 404, 429] {
                #expect(try await live.send("POST", "/api/rooms/accept", code).status == status)
            }
            #expect(try await live.send("POST", "/api/rooms/accept", meeting).status == 404)
            let socket = try await live.socket()
            try socket.send(["type": "watch", "joinid": .string(Self.id), "deviceId": "b"])
            #expect(await socket.next("watch_ended")?["reason"] == "expired")
        }
    }

    @Test func requestsForMeetingsAreBounded() async throws {
        var limits = RendezvousLimits.unlimited
        limits.requests = RateLimit(burst: 3, perMinute: 0)
        try await LiveServer.run(limits: limits) { live in
            let meeting = "{\"joinid\":\"\(Self.id)\",\"client2\":\"b\"}"
            for status in [404, 404, 404, 429] {
                let answer = try await live.send("POST", "/api/rooms/accept", meeting)
                #expect(answer.status == status)
            }
        }
    }
}
