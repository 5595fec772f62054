import Testing

@testable import Rendezvous

/// Socket messages of a client without tickets, and their exact answers.
@Suite(.timeLimit(.minutes(5)))
struct OldClientSignalingTests {
    static let talks = [
        Transcript("a ping is answered", #"A> {"type":"ping"}"#, #"A< {"type":"pong"}"#),
        Transcript("what is not JSON", "A> {", #"A< {"type":"error","error":"Invalid JSON format"}"#),
        Transcript("what is no object", "A> 5", #"A< {"type":"error","error":"Invalid JSON format"}"#),
        Transcript(
            "an unknown type", #"A> {"type":"dance"}"#,
            #"A< {"type":"error","error":"Unknown message type: dance"}"#),
        Transcript("no type", "A> {}", #"A< {"type":"error","error":"Unknown message type: undefined"}"#),
        Transcript(
            "a join without a room", #"A> {"type":"join_room"}"#,
            #"A< {"type":"error","error":"Invalid roomId"}"#),
        Transcript(
            "a join of a room that does not exist", #"A> {"type":"join_room","roomId":"5","deviceId":"anna"}"#,
            #"A< {"type":"error","error":"Invalid roomId"}"#),
        Transcript(
            "signaling outside of a room", #"A> {"type":"webrtc_offer","sdp":"x"}"#,
            #"A< {"type":"error","error":"Not in a valid room for WebRTC signaling"}"#),
        Transcript("leaving no room", #"A> {"type":"leave_room"}"#, #"A< {"type":"left_room","roomId":null}"#),
        Transcript(
            "calling a peer outside of a room", #"A> {"type":"ping_peer"}"#,
            #"A< {"type":"error","error":"Not in a room"}"#),
    ]

    @Test(arguments: talks, [Arrangement.sqlite, .twoNodes])
    func outsideOfRooms(_ transcript: Transcript, _ arrangement: Arrangement) async throws {
        try await arrangement.run(transcript)
    }

    private static let room = [
        #"POST /api/rooms {"joinid":"482913","client1":"anna","expiresInSeconds":300} => 201 {"ok":true,"exp":"*"}"#,
        #"POST /api/rooms/accept {"joinid":"482913","client2":"bert"} => 200 {"roomid":"@room"}"#,
    ]

    private static let annaAlone = [
        #"A> {"type":"join_room","roomId":"$room","deviceId":"anna"}"#,
        #"A< {"type":"room_joined","roomId":"$room","userCount":1,"isInitiator":true,"ready":false}"#,
    ]

    private static let bertComes = [
        #"B> {"type":"join_room","roomId":"$room","deviceId":"bert"}"#,
        #"B< {"type":"room_joined","roomId":"$room","userCount":2,"isInitiator":false,"ready":true}"#,
        #"B< {"type":"room_ready","roomId":"$room","message":"*","userCount":2,"isInitiator":false}"#,
        #"A< {"type":"room_ready","roomId":"$room","message":"*","userCount":2,"isInitiator":true}"#,
    ]

    private static let both = annaAlone + bertComes

    static let talksInRooms: [Transcript] = [
        Transcript("two meet", room + both),
        Transcript(
            "the creator is the initiator, whoever comes first",
            room + [
                #"B> {"type":"join_room","roomId":"$room","deviceId":"bert"}"#,
                #"B< {"type":"room_joined","roomId":"$room","userCount":1,"isInitiator":false,"ready":false}"#,
                #"A> {"type":"join_room","roomId":"$room","deviceId":"anna"}"#,
                #"A< {"type":"room_joined","roomId":"$room","userCount":2,"isInitiator":true,"ready":true}"#,
                #"A< {"type":"room_ready","roomId":"$room","message":"*","userCount":2,"isInitiator":true}"#,
                #"B< {"type":"room_ready","roomId":"$room","message":"*","userCount":2,"isInitiator":false}"#,
            ]
        ),
        Transcript(
            "offer, answer and candidates are passed on without extras and without echo",
            room + both + [
                #"A> {"type":"webrtc_offer","sdp":"v=0\r\n","extra":1,"from":"me"}"#,
                #"B< {"type":"webrtc_offer","from":"$A","roomId":"$room","sdp":"v=0\r\n"}"#,
                #"B> {"type":"webrtc_answer","sdp":"v=0 ä"}"#,
                #"A< {"type":"webrtc_answer","from":"$B","roomId":"$room","sdp":"v=0 ä"}"#,
                #"A> {"type":"ice_candidate","candidate":{"candidate":"c","sdpMLineIndex":0,"sdpMid":"0"}}"#,
                #"B< {"type":"ice_candidate","from":"$A","roomId":"$room","#
                    + #""candidate":{"candidate":"c","sdpMLineIndex":0,"sdpMid":"0"}}"#,
                #"A> {"type":"ping"}"#,
                #"A< {"type":"pong"}"#,
            ]
        ),
        Transcript(
            "keys are passed on",
            room + both + [
                #"A> {"type":"key_exchange","publicKey":"QUJD","sessionId":"s","timestamp":1.50}"#,
                #"B< {"type":"key_exchange","from":"$A","roomId":"$room","publicKey":"QUJD","sessionId":"s","#
                    + #""timestamp":1.50}"#,
                #"B> {"type":"key_exchange_complete","sessionId":"s"}"#,
                #"A< {"type":"key_exchange_complete","from":"$B","roomId":"$room","sessionId":"s"}"#,
            ]
        ),
        Transcript(
            "a client that is alone is told so",
            room + annaAlone + [
                #"A> {"type":"webrtc_offer","sdp":"x"}"#,
                #"A< {"type":"error","error":"Room must have exactly 2 users for WebRTC"}"#,
                #"A> {"type":"ping_peer"}"#,
                #"A< {"type":"ping_sent"}"#,
            ]
        ),
        Transcript(
            "the other one leaves",
            room + both + [
                #"B> {"type":"leave_room"}"#,
                #"B< {"type":"left_room","roomId":"$room"}"#,
                #"A< {"type":"peer_left","message":"*"}"#,
                #"A> {"type":"webrtc_offer","sdp":"x"}"#,
                #"A< {"type":"error","error":"Room must have exactly 2 users for WebRTC"}"#,
            ]
        ),
        Transcript(
            "the other one is cut off, and reconnects",
            room + both + ["B closes", #"A< {"type":"peer_disconnected","message":"*"}"#]
        ),
        Transcript(
            "roles stay when the creator comes back",
            room + both + [
                #"A> {"type":"leave_room"}"#,
                #"A< {"type":"left_room","roomId":"$room"}"#,
                #"B< {"type":"peer_left","message":"*"}"#,
                #"A> {"type":"join_room","roomId":"$room","deviceId":"anna"}"#,
                #"A< {"type":"room_joined","roomId":"$room","userCount":2,"isInitiator":true,"ready":true}"#,
                #"A< {"type":"room_ready","roomId":"$room","message":"*","userCount":2,"isInitiator":true}"#,
                #"B< {"type":"room_ready","roomId":"$room","message":"*","userCount":2,"isInitiator":false}"#,
            ]
        ),
        Transcript(
            "a repeated join does not disturb the others",
            room + both + [
                #"A> {"type":"join_room","roomId":"$room","deviceId":"anna"}"#,
                #"A< {"type":"room_joined","roomId":"$room","userCount":2,"isInitiator":true,"ready":true}"#,
                #"A< {"type":"room_ready","roomId":"$room","message":"*","userCount":2,"isInitiator":true}"#,
                #"B> {"type":"ping"}"#,
                #"B< {"type":"pong"}"#,
            ]
        ),
        Transcript(
            "a device that joins again takes over its own seat",
            room + both + [
                #"C> {"type":"join_room","roomId":"$room","deviceId":"bert"}"#,
                #"B< {"type":"left_room","roomId":"$room"}"#,
                "B closed 4001",
                #"A< {"type":"peer_disconnected","message":"*"}"#,
                #"C< {"type":"room_joined","roomId":"$room","userCount":2,"isInitiator":false,"ready":true}"#,
                #"C< {"type":"room_ready","roomId":"$room","message":"*","userCount":2,"isInitiator":false}"#,
                #"A< {"type":"room_ready","roomId":"$room","message":"*","userCount":2,"isInitiator":true}"#,
                #"A> {"type":"webrtc_offer","sdp":"x"}"#,
                #"C< {"type":"webrtc_offer","from":"$A","roomId":"$room","sdp":"x"}"#,
            ]
        ),
        Transcript(
            "a third device is refused",
            room + both + [
                #"C> {"type":"join_room","roomId":"$room","deviceId":"eve"}"#,
                #"C< {"type":"error","error":"Forbidden"}"#,
                #"C> {"type":"join_room","roomId":"$room"}"#,
                #"C< {"type":"error","error":"Forbidden"}"#,
                #"A> {"type":"ping"}"#,
                #"A< {"type":"pong"}"#,
            ]
        ),
        Transcript(
            "joining another room leaves the first",
            room + both + [
                #"POST /api/rooms {"joinid":"111111","client1":"anna","expiresInSeconds":60} => 201 *"#,
                #"POST /api/rooms/accept {"joinid":"111111","client2":"carl"} => 200 {"roomid":"@second"}"#,
                #"A> {"type":"join_room","roomId":"$second","deviceId":"anna"}"#,
                #"B< {"type":"peer_left","message":"*"}"#,
                #"A< {"type":"room_joined","roomId":"$second","userCount":1,"isInitiator":true,"ready":false}"#,
            ]
        ),
        Transcript(
            "a room that is deleted is closed for those inside",
            room + both + [
                #"DELETE /api/rooms {"roomid":"$room"} => 200 OK"#,
                #"A< {"type":"left_room","roomId":"$room"}"#,
                "A closed 4002",
                "B closed 4002",
            ]
        ),
    ]

    @Test(arguments: talksInRooms, Arrangement.allCases)
    func insideOfRooms(_ transcript: Transcript, _ arrangement: Arrangement) async throws {
        try await arrangement.run(transcript)
    }
}
