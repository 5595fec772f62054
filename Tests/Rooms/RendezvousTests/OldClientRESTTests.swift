import Networking
import Testing
import Wire

@testable import Rendezvous

/// REST requests of a client without tickets, and their exact answers.
@Suite(.timeLimit(.minutes(5)))
struct OldClientRESTTests {
    private static let create = #"POST /api/rooms {"joinid":"482913","client1":"anna","expiresInSeconds":300}"#
    private static let created = create + #" => 201 {"ok":true,"exp":"*"}"#
    private static let accepted =
        #"POST /api/rooms/accept {"joinid":"482913","client2":"bert"} => 200 {"roomid":"@room"}"#
    private static let check = #"POST /api/rooms/check {"joinid":"482913","client1":"anna"}"#
    private static let unknown = #"404 {"error":"not_found_or_expired"}"#

    static let life = [
        Transcript("the greeting is plain text", "GET / => 200 The rendezvous server is running.\n"),
        Transcript("a code is made", created),
        Transcript(
            "a code is made with an unused platform and push token",
            #"POST /api/rooms {"joinid":"482913","client1":"anna","expiresInSeconds":60,"platform":"ios","#
                + #""client1_token":"ab"} => 201 {"ok":true,"exp":"*"}"#),
        Transcript("a code in use is not made again", created, create + #" => 500 {"error":"create_failed"}"#),
        Transcript("a pending code is checked again and again", created, check + " => 204", check + " => 204"),
        Transcript(
            "an accepted code leads to the room once",
            created, accepted, check + #" => 200 {"roomid":"$room"}"#, check + " => \(unknown)"),
        Transcript(
            "a code that is seen is free again",
            created, accepted, check + #" => 200 {"roomid":"$room"}"#, created),
        Transcript(
            "another creator's code cannot be checked",
            created, #"POST /api/rooms/check {"joinid":"482913","client1":"eve"} => \#(unknown)"#),
        Transcript(
            "an unknown code cannot be accepted",
            #"POST /api/rooms/accept {"joinid":"482913","client2":"bert"} => \#(unknown)"#),
        Transcript(
            "only one can accept, and keeps the room",
            created, accepted,
            #"POST /api/rooms/accept {"joinid":"482913","client2":"eve"} => 409 {"error":"conflict"}"#,
            check + #" => 200 {"roomid":"$room"}"#,
            #"GET /api/rooms?roomid=$room => 200 {"roomid":"$room","client1":"anna","client2":"bert"}"#),
        Transcript(
            "an acceptance can be repeated by the same device",
            created, accepted,
            #"POST /api/rooms/accept {"joinid":"482913","client2":"bert"} => 200 {"roomid":"$room"}"#),
        Transcript(
            "a device cannot accept its own code", created,
            #"POST /api/rooms/accept {"joinid":"482913","client2":"anna"} => 409 {"error":"conflict"}"#),
        Transcript(
            "a room is shown to anyone who knows its id",
            created, accepted,
            #"GET /api/rooms?roomid=$room => 200 {"roomid":"$room","client1":"anna","client2":"bert"}"#,
            #"GET /api/rooms {"roomid":"$room"} => 200 {"roomid":"$room","client1":"anna","client2":"bert"}"#,
            #"GET /api/rooms?roomid=$room&deviceId=bert => 200 {"roomid":"$room","client1":"anna","client2":"bert"}"#),
        Transcript(
            "a room is not shown to a device that does not belong to it",
            created, accepted, #"GET /api/rooms?roomid=$room&deviceId=eve => 403 {"error":"forbidden"}"#),
        Transcript(
            "a room is deleted, and again",
            created, accepted, #"DELETE /api/rooms {"roomid":"$room"} => 200 OK"#,
            #"DELETE /api/rooms {"roomid":"$room"} => 200 OK"#, "GET /api/rooms?roomid=$room => 404 Not Found",
            check + " => \(unknown)"),
        Transcript(
            "a device is purged with its rooms and codes",
            created, accepted,
            #"POST /api/rooms {"joinid":"111111","client1":"bert","expiresInSeconds":60} => 201 {"ok":true,"exp":"*"}"#,
            #"POST /api/user/purge {"deviceIds":["bert","nobody"]} => 200 {"success":true,"deviceIdCount":2,"#
                + #""roomsDeleted":1,"pendingsDeleted":2}"#,
            "GET /api/rooms?roomid=$room => 404 Not Found"),
        Transcript(
            "a single device is purged",
            created,
            #"POST /api/user/purge {"deviceId":"anna"} => 200 {"success":true,"deviceIdCount":1,"#
                + #""roomsDeleted":0,"pendingsDeleted":1}"#,
            check + " => \(unknown)"),
        Transcript(
            "push tokens are ignored, and the badge is unknown",
            #"POST /api/badge/reset {"deviceId":"anna"} => 404 Not Found"#),
        Transcript("live rooms are not listed", "GET /rooms => 404 Not Found"),
        Transcript(
            "paths of old say so",
            #"POST /api/rooms/482913/accept {} => 410 {"error":"use_new_endpoints"}"#,
            #"GET /api/rooms/482913 => 410 {"error":"use_new_endpoints"}"#),
        Transcript("a browser may ask from anywhere", "OPTIONS /api/rooms => 204", "OPTIONS /anything => 204"),
    ]

    @Test(arguments: life, Arrangement.allCases)
    func codesAndRoomsLiveAsListed(_ transcript: Transcript, _ arrangement: Arrangement) async throws {
        try await arrangement.run(transcript)
    }

    /// Requests that are refused: path, body, status, error.
    static let refusals: [(String, String, Int, String)] = [
        ("/api/rooms", "", 400, "missing_joinid"),
        ("/api/rooms", "{}", 400, "missing_joinid"),
        ("/api/rooms", "[]", 400, "missing_joinid"),
        ("/api/rooms", #"{"joinid":null,"client1":"a","expiresInSeconds":1}"#, 400, "missing_joinid"),
        ("/api/rooms", #"{"joinid":"","client1":"a","expiresInSeconds":1}"#, 400, "missing_joinid"),
        ("/api/rooms", #"{"joinid":"482913","client1":"","expiresInSeconds":1}"#, 400, "missing_client1"),
        ("/api/rooms", #"{"joinid":"482913"}"#, 400, "missing_client1"),
        ("/api/rooms", #"{"joinid":"482913","client1":"a"}"#, 400, "missing_expiresInSeconds"),
        ("/api/rooms", #"{"joinid":"12345","client1":"a","expiresInSeconds":1}"#, 400, "invalid_joinid"),
        ("/api/rooms", #"{"joinid":"12345x","client1":"a","expiresInSeconds":1}"#, 400, "invalid_joinid"),
        ("/api/rooms", #"{"joinid":"١٢٣٤٥٦","client1":"a","expiresInSeconds":1}"#, 400, "invalid_joinid"),
        ("/api/rooms", #"{"joinid":482913,"client1":"a","expiresInSeconds":1}"#, 400, "invalid_joinid"),
        ("/api/rooms", #"{"joinid":{"a":1},"client1":"a","expiresInSeconds":1}"#, 400, "invalid_joinid"),
        ("/api/rooms", #"{"joinid":"482913","client1":7,"expiresInSeconds":1}"#, 400, "invalid_client1"),
        ("/api/rooms/accept", "{}", 400, "missing_joinid"),
        ("/api/rooms/accept", #"{"joinid":"482913"}"#, 400, "missing_client2"),
        ("/api/rooms/accept", #"{"joinid":"4829","client2":"b"}"#, 400, "invalid_joinid"),
        ("/api/rooms/check", "{}", 400, "missing_joinid"),
        ("/api/rooms/check", #"{"joinid":"482913"}"#, 400, "missing_client1"),
        ("/api/user/purge", "{}", 400, "missing_deviceIds_or_deviceId"),
        ("/api/user/purge", #"{"deviceId":""}"#, 400, "missing_deviceIds_or_deviceId"),
        ("/api/user/purge", #"{"deviceIds":[]}"#, 400, "empty_deviceIds_array"),
        ("/api/rooms", "{", 400, "invalid_json"),
        ("/api/rooms", "\"text\"", 400, "invalid_json"),
        ("/api/rooms", "{\"joinid\":\"\u{1}\"}", 400, "invalid_json"),
    ]

    @Test(arguments: refusals)
    func wrongRequestsAreRefusedAsListed(_ path: String, _ body: String, _ status: Int, _ error: String) async throws {
        try await LiveServer.run { live in
            let response = try await live.send("POST", path, body)
            #expect(response.status == status)
            #expect(response.text == "{\"error\":\"\(error)\"}")
            #expect(response.headers["access-control-allow-origin"] == "*")
        }
    }

    @Test func aRoomIDIsMissedByGetAndDelete() async throws {
        try await LiveServer.run { live in
            for method in ["GET", "DELETE"] {
                let response = try await live.send(method, "/api/rooms")
                #expect(response.status == 400)
                #expect(response["error"] == "missing_roomid")
            }
        }
    }

    @Test func invalidDeviceIDsAreCounted() async throws {
        try await LiveServer.run { live in
            let response = try await live.send("POST", "/api/user/purge", #"{"deviceIds":["a","",5,null]}"#)
            #expect(response.status == 400)
            #expect(response["error"] == "invalid_device_ids")
            #expect(response["count"] == 3)
        }
    }

    /// As JavaScript's `parseInt` reads it.
    @Test(arguments: [
        ("1", true), ("86400", true), ("\"300\"", true), ("\"5x\"", true), ("12.9", true), ("\" 7\"", true),
        ("0", false), ("86401", false), ("-5", false), ("\"x5\"", false), ("true", false), ("{}", false),
        ("99999999999999999999999", false),
    ])
    func expiryIsReadLeniently(_ written: String, _ isTaken: Bool) async throws {
        try await LiveServer.run { live in
            let body = "{\"joinid\":\"482913\",\"client1\":\"a\",\"expiresInSeconds\":\(written)}"
            let response = try await live.send("POST", "/api/rooms", body)
            #expect(response.status == (isTaken ? 201 : 400))
            if !isTaken {
                #expect(response["error"] == "invalid_expiresInSeconds")
                #expect(response["details"]?.string?.isEmpty == false)
            }
        }
    }

    @Test func roomIDsAreFortyEightHexadecimalDigits() async throws {
        try await LiveServer.run { live in
            _ = try await live.send(
                "POST", "/api/rooms", #"{"joinid":"482913","client1":"a","expiresInSeconds":60}"#)
            let answer = try await live.send("POST", "/api/rooms/accept", #"{"joinid":"482913","client2":"b"}"#)
            let room = try #require(answer["roomid"]?.string)
            #expect(room.wholeMatch(of: /[0-9a-f]{48}/) != nil)
        }
    }
}
