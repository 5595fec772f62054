import Networking
import Testing

@testable import Rendezvous

/// The features that our own clients use: tickets, repeated requests, news over the socket.
@Suite(.timeLimit(.minutes(5)))
struct TicketClientTests {
    private static let create =
        #"POST /api/rooms {"joinid":"482913","client1":"anna","expiresInSeconds":300,"ticket":true}"#
    private static let created = create + #" => 201 {"ok":true,"exp":"@exp","ticket":"@annas"}"#
    private static let accept = #"POST /api/rooms/accept {"joinid":"482913","client2":"bert","ticket":true}"#
    private static let accepted = accept + #" => 200 {"roomid":"@room","ticket":"@berts"}"#
    private static let check = #"POST /api/rooms/check {"joinid":"482913","client1":"anna","ticket":"$annas"}"#
    private static let watch = #"A> {"type":"watch","joinid":"482913","deviceId":"anna","ticket":"$annas"}"#
    private static let forbidden = #"403 {"error":"forbidden"}"#

    static let rest = [
        Transcript(
            "a lost answer to a creation can be requested again",
            created, create + #" => 201 {"ok":true,"exp":"$exp","ticket":"$annas"}"#),
        Transcript(
            "a code in use is distinguished from a failure",
            created,
            #"POST /api/rooms {"joinid":"482913","client1":"eve","expiresInSeconds":300,"ticket":true}"#
                + #" => 409 {"error":"code_in_use"}"#),
        Transcript(
            "a lost answer to an acceptance can be requested again",
            created, accepted, accept + #" => 200 {"roomid":"$room","ticket":"$berts"}"#),
        Transcript(
            "without its ticket an acceptance cannot be repeated",
            created, accepted,
            #"POST /api/rooms/accept {"joinid":"482913","client2":"bert"} => 409 {"error":"conflict"}"#),
        Transcript(
            "a check can be repeated after it was answered",
            created, accepted, check + #" => 200 {"roomid":"$room"}"#, check + #" => 200 {"roomid":"$room"}"#),
        Transcript(
            "a check needs the ticket",
            created,
            #"POST /api/rooms/check {"joinid":"482913","client1":"anna"} => \#(forbidden)"#,
            #"POST /api/rooms/check {"joinid":"482913","client1":"anna","ticket":"AAAA"} => \#(forbidden)"#),
        Transcript(
            "a check needs the right ticket",
            created, accepted,
            #"POST /api/rooms/check {"joinid":"482913","client1":"anna","ticket":"$berts"} => \#(forbidden)"#),
        Transcript(
            "each side sees itself only",
            created, accepted,
            #"GET /api/rooms?roomid=$room&ticket=$annas => 200 {"roomid":"$room","client1":"anna"}"#,
            #"GET /api/rooms {"roomid":"$room","ticket":"$berts"} => 200 {"roomid":"$room","client2":"bert"}"#),
        Transcript(
            "the room's id opens nothing",
            created, accepted,
            "GET /api/rooms?roomid=$room => \(forbidden)",
            "GET /api/rooms?roomid=$room&deviceId=anna => \(forbidden)",
            #"DELETE /api/rooms {"roomid":"$room"} => \#(forbidden)"#,
            #"DELETE /api/rooms {"roomid":"$room","deviceId":"bert","ticket":"$annas"} => \#(forbidden)"#,
            #"DELETE /api/rooms {"roomid":"$room","ticket":"$berts"} => 200 OK"#),
        Transcript(
            "a purge without proof removes nothing",
            created, accepted,
            #"POST /api/user/purge {"deviceIds":["anna","bert"],"tickets":["nonsense",5]} => 200 "#
                + #"{"success":true,"deviceIdCount":2,"roomsDeleted":0,"pendingsDeleted":0}"#,
            #"POST /api/user/purge {"deviceIds":["anna"],"tickets":["$berts"]} => 200 "#
                + #"{"success":true,"deviceIdCount":1,"roomsDeleted":0,"pendingsDeleted":0}"#),
        Transcript(
            "a purge with proof removes what it proves",
            created, accepted,
            #"POST /api/user/purge {"deviceIds":["nobody","anna"],"tickets":["","$annas"]} => 200 "#
                + #"{"success":true,"deviceIdCount":2,"roomsDeleted":1,"pendingsDeleted":1}"#,
            "GET /api/rooms?roomid=$room&ticket=$berts => 404 Not Found"),
    ]

    /// Rooms where only one side has a ticket.
    static let mixed = [
        Transcript(
            "a guest without a ticket shows its device",
            created, #"POST /api/rooms/accept {"joinid":"482913","client2":"bert"} => 200 {"roomid":"@room"}"#,
            "GET /api/rooms?roomid=$room => \(forbidden)",
            #"GET /api/rooms?roomid=$room&deviceId=bert => 200 {"roomid":"$room","client2":"bert"}"#,
            #"B> {"type":"join_room","roomId":"$room","deviceId":"bert"}"#,
            #"B< {"type":"room_joined","roomId":"$room","userCount":1,"isInitiator":false,"ready":false}"#,
            #"C> {"type":"join_room","roomId":"$room","deviceId":"anna"}"#,
            #"C< {"type":"error","error":"Forbidden"}"#),
        Transcript(
            "a guest with a ticket in a room without",
            #"POST /api/rooms {"joinid":"482913","client1":"anna","expiresInSeconds":60} => 201 {"ok":true,"exp":"*"}"#,
            accepted,
            #"POST /api/rooms/check {"joinid":"482913","client1":"anna"} => 200 {"roomid":"$room"}"#,
            #"B> {"type":"join_room","roomId":"$room","deviceId":"bert"}"#,
            #"B< {"type":"error","error":"Forbidden"}"#,
            #"B> {"type":"join_room","roomId":"$room","deviceId":"bert","ticket":"$berts"}"#,
            #"B< {"type":"room_joined","roomId":"$room","userCount":1,"isInitiator":false,"ready":false}"#,
            #"A> {"type":"join_room","roomId":"$room","deviceId":"anna"}"#,
            #"A< {"type":"room_joined","roomId":"$room","userCount":2,"isInitiator":true,"ready":true}"#),
    ]

    /// Anyone who learns the device id of a side could request its ticket again; and credentials of an old reservation
    /// are invalid for a new one.
    static let kept = [
        Transcript(
            "a guest's device is not shown to a creator without a ticket",
            #"POST /api/rooms {"joinid":"482913","client1":"anna","expiresInSeconds":60} => 201 {"ok":true,"exp":"*"}"#,
            accepted,
            #"GET /api/rooms?roomid=$room => 200 {"roomid":"$room","client1":"anna"}"#,
            #"GET /api/rooms?roomid=$room&deviceId=anna => 200 {"roomid":"$room","client1":"anna"}"#,
            #"GET /api/rooms?roomid=$room&ticket=$berts => 200 {"roomid":"$room","client2":"bert"}"#),
        Transcript(
            "a ticket of a code that was deleted opens nothing of the next one",
            created,
            #"POST /api/user/purge {"deviceIds":["anna"],"tickets":["$annas"]} => 200 *"#,
            create + #" => 201 {"ok":true,"exp":"*","ticket":"*"}"#,
            check + " => \(forbidden)"),
        Transcript(
            "a guest's ticket of a room that was deleted opens nothing of the next one",
            created, accepted,
            #"POST /api/user/purge {"deviceIds":["anna"],"tickets":["$annas"]} => 200 *"#,
            create + #" => 201 {"ok":true,"exp":"*","ticket":"*"}"#,
            accept + #" => 200 {"roomid":"@second","ticket":"*"}"#,
            #"GET /api/rooms?roomid=$second&ticket=$berts => \#(forbidden)"#),
    ]

    static let sockets = [
        Transcript(
            "an acceptance is announced to a waiting client",
            created, watch, #"A< {"type":"watching","joinid":"482913"}"#, accepted,
            #"A< {"type":"room_accepted","joinid":"482913","roomId":"$room"}"#),
        Transcript(
            "an acceptance is announced to a client that comes later",
            created, accepted, watch, #"A< {"type":"room_accepted","joinid":"482913","roomId":"$room"}"#),
        Transcript(
            "a stranger cannot watch a code",
            created,
            #"C> {"type":"watch","joinid":"482913","deviceId":"anna"}"#, #"C< {"type":"error","error":"Forbidden"}"#,
            #"C> {"type":"watch","joinid":"482913","deviceId":"eve"}"#,
            #"C< {"type":"watch_ended","joinid":"482913","reason":"expired"}"#),
        Transcript(
            "a watch that is not one", #"A> {"type":"watch","joinid":"12","deviceId":"anna"}"#,
            #"A< {"type":"error","error":"Invalid joinid or deviceId"}"#),
        Transcript(
            "a code that is purged ends the wait",
            created, watch, #"A< {"type":"watching","joinid":"482913"}"#,
            #"POST /api/user/purge {"deviceIds":["anna"],"tickets":["$annas"]} => 200 *"#,
            #"A< {"type":"watch_ended","joinid":"482913","reason":"deleted"}"#),
        Transcript(
            "joining needs the ticket of the own side",
            created, accepted,
            #"C> {"type":"join_room","roomId":"$room","deviceId":"anna"}"#, #"C< {"type":"error","error":"Forbidden"}"#,
            #"C> {"type":"join_room","roomId":"$room","deviceId":"anna","ticket":"$berts"}"#,
            #"C< {"type":"error","error":"Forbidden"}"#,
            #"C> {"type":"join_room","roomId":"$room","ticket":"$annas"}"#, #"C< {"type":"error","error":"Forbidden"}"#,
            #"A> {"type":"join_room","roomId":"$room","deviceId":"anna","ticket":"$annas"}"#,
            #"A< {"type":"room_joined","roomId":"$room","userCount":1,"isInitiator":true,"ready":false}"#),
        Transcript(
            "verification is passed on, and only as base64url",
            created, accepted,
            #"A> {"type":"join_room","roomId":"$room","deviceId":"anna","ticket":"$annas"}"#,
            #"A< {"type":"room_joined","roomId":"$room","userCount":1,"isInitiator":true,"ready":false}"#,
            #"A> {"type":"verify","data":"AAEC"}"#,
            #"A< {"type":"error","error":"Room must have exactly 2 users for WebRTC"}"#,
            #"B> {"type":"join_room","roomId":"$room","deviceId":"bert","ticket":"$berts"}"#,
            #"B< {"type":"room_joined","roomId":"$room","userCount":2,"isInitiator":false,"ready":true}"#,
            #"B< {"type":"room_ready","roomId":"$room","message":"*","userCount":2,"isInitiator":false}"#,
            #"B> {"type":"verify","data":"AAEC"}"#,
            #"A< {"type":"room_ready","roomId":"$room","message":"*","userCount":2,"isInitiator":true}"#,
            #"A< {"type":"verify","from":"$B","roomId":"$room","data":"AAEC"}"#,
            #"B> {"type":"verify","data":"!"}"#,
            #"B< {"type":"error","error":"Invalid verify data"}"#,
            #"B> {"type":"verify","data":"\#(String(repeating: "A", count: 4100))"}"#,
            #"B< {"type":"error","error":"Invalid verify data"}"#),
    ]

    @Test(arguments: rest + mixed + kept + sockets, Arrangement.allCases)
    func ticketsHold(_ transcript: Transcript, _ arrangement: Arrangement) async throws {
        try await arrangement.run(transcript)
    }

    @Test(arguments: Arrangement.allCases)
    func messagesSentBeforeAJoinIsAnsweredWaitForIt(_ arrangement: Arrangement) async throws {
        try await arrangement.run(
            Transcript(
                "hasty", Self.created, Self.accepted,
                #"A> {"type":"join_room","roomId":"$room","deviceId":"anna","ticket":"$annas"}"#,
                #"A> {"type":"leave_room"}"#,
                #"A> {"type":"ping"}"#,
                #"A< {"type":"room_joined","roomId":"$room","userCount":1,"isInitiator":true,"ready":false}"#,
                #"A< {"type":"left_room","roomId":"$room"}"#,
                #"A< {"type":"pong"}"#))
    }

    /// Many people press the button in the same moment.
    @Test(arguments: Arrangement.allCases)
    func exactlyOneGuestGetsIn(_ arrangement: Arrangement) async throws {
        try await arrangement.run { servers in
            _ = try await servers[0].send(
                "POST", "/api/rooms", #"{"joinid":"482913","client1":"a","expiresInSeconds":60}"#)
            let answers = try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for guest in 0..<16 {
                    group.addTask {
                        let body = "{\"joinid\":\"482913\",\"client2\":\"guest\(guest)\",\"ticket\":true}"
                        let answer = try await servers[guest % servers.count].send("POST", "/api/rooms/accept", body)
                        return (answer.status, answer.text)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.filter { $0.0 == 200 }.count == 1)
            #expect(answers.filter { $0.0 == 409 && $0.1 == #"{"error":"conflict"}"# }.count == 15)
        }
    }
}
