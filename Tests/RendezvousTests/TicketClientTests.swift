import Networking
import Testing

@testable import Rendezvous

/// What our own clients rely on, over the wire.
@Suite(.timeLimit(.minutes(5)))
struct TicketClientTests {
    @Test func twoPeopleMeetAndTalkThroughTheRelay() async throws {
        try await LiveServer.run { live in
            let created = try await live.post(
                "/api/rooms",
                ["joinid": "482913", "client1": "anna", "expiresInSeconds": 300, "ticket": true]
            )
            #expect(created.status == 201)
            let annasTicket = try #require(created["ticket"])
            let watcher = try await live.socket()
            try watcher.send(["type": "watch", "joinid": "482913", "deviceId": "anna", "ticket": annasTicket])
            #expect(await watcher.next("watching")?["joinid"] == "482913")

            let accepted = try await live.post(
                "/api/rooms/accept",
                ["joinid": "482913", "client2": "bert", "ticket": true]
            )
            #expect(accepted.status == 200)
            let room = try #require(accepted["roomid"])
            let bertsTicket = try #require(accepted["ticket"])
            #expect(await watcher.next("room_accepted")?["roomId"] == room)

            let anna = try await live.socket()
            let bert = try await live.socket()
            try bert.send(["type": "join_room", "roomId": room, "deviceId": "bert", "ticket": bertsTicket])
            #expect(await bert.next("room_joined")?["isInitiator"] == false)
            try anna.send(["type": "join_room", "roomId": room, "deviceId": "anna", "ticket": annasTicket])
            #expect(await anna.next("room_joined")?["isInitiator"] == true)
            #expect(await anna.next("room_ready") != nil)
            #expect(await bert.next("room_ready")?["isInitiator"] == false)
            try anna.send(["type": "webrtc_offer", "sdp": "v=0\r\n"])
            #expect(await bert.next("webrtc_offer")?["sdp"] == "v=0\r\n")
            try bert.send(["type": "verify", "data": "AAEC"])
            #expect(await anna.next("verify")?["data"] == "AAEC")
            anna.connection.close()
            #expect(await bert.next("peer_disconnected") != nil)
        }
    }
}
