import AppCore
import Testing

/// The JSON of the seam, as hosts, simulators and traces see it.
@Suite struct WireShapeTests {
    private static let address = RoomAddress(
        room: "r1", role: .creator, server: "http://127.0.0.1:8080", device: "d1", code: "482913", serverRoom: "s1")

    @Test(arguments: [
        (Action.chat(.sendText(room: "r1", text: "hi")), #"{"room":"r1","text":"hi","type":"send_text"}"#),
        (.rooms(.createRoom(name: nil, expiresIn: 300)), #"{"expires_in":300,"type":"create_room"}"#),
        (.rooms(.clearClosed), #"{"type":"clear_closed"}"#),
        (.app(.navigate(to: Screen(.chat, room: "r1"))), #"{"to":{"page":"chat","room":"r1"},"type":"navigate"}"#),
        (.app(.lock), #"{"type":"lock"}"#),
        (
            .event(.roomCreated(effect: EffectID(7), code: "482913", words: "w1", expiresAt: .init(milliseconds: 5))),
            #"{"code":"482913","effect":7,"expires_at":5,"type":"room_created","words":"w1"}"#
        ),
        (
            .event(.effectFailed(effect: EffectID(7), failure: Failure(.codeUnknown, retryable: false))),
            #"{"effect":7,"failure":{"code":"code_unknown","message":"","retryable":false},"type":"effect_failed"}"#
        ),
        (
            .event(.linkChanged(effect: EffectID(1), link: .waitingForPeer, path: nil)),
            #"{"effect":1,"link":"waiting_for_peer","type":"link_changed"}"#
        ),
        (
            .event(
                .messageReceived(
                    room: "r1", message: "m1", sequence: 3, sentAt: .init(milliseconds: 9), body: .text("a/b"))),
            #"{"body":{"text":"a/b","type":"text"},"message":"m1","room":"r1","sent_at":9,"sequence":3,"#
                + #""type":"message_received"}"#
        ),
        (.circle(.trustPeer(room: "r1", name: nil)), #"{"room":"r1","type":"trust_peer"}"#),
        (.circle(.openByHand(handle: "a.ntdf")), #"{"handle":"a.ntdf","type":"open_by_hand"}"#),
        (
            .event(.memberMet(effect: EffectID(7), role: .joiner, device: "d1", serverRoom: "s1")),
            #"{"device":"d1","effect":7,"role":"joiner","server_room":"s1","type":"member_met"}"#
        ),
        (
            .event(.keysChanged(room: "r1", ours: 1, theirs: 2, epoch: 3, level: .lastResort)),
            #"{"epoch":3,"level":"last_resort","ours":1,"room":"r1","theirs":2,"type":"keys_changed"}"#
        ),
        (
            .event(.sealedRefused(room: "r1", reason: .unknownKey)),
            #"{"reason":"unknown_key","room":"r1","type":"sealed_refused"}"#
        ),
        (
            .event(
                .messageReceived(
                    room: "r1", message: "m1", sequence: 3, sentAt: .init(milliseconds: 9), body: .trust,
                    seal: .lastResort)),
            #"{"body":{"type":"trust"},"message":"m1","room":"r1","seal":"last_resort","sent_at":9,"sequence":3,"#
                + #""type":"message_received"}"#
        ),
        (
            .event(.started(locked: false, records: [Record(key: .message("r1", "m1"), json: "{}")])),
            #"{"locked":false,"records":[{"json":"{}","key":"message/r1/m1"}],"type":"started"}"#
        ),
    ]) func actionsAreFlatObjects(action: Action, json: String) throws {
        #expect(String(decoding: try JSON.encode(action), as: UTF8.self) == json)
        #expect(try JSON.decode(Action.self, from: json.utf8) == action)
    }

    @Test(arguments: [
        (Effect.Kind.lock, #"{"id":7,"type":"lock"}"#),
        (.schedule(at: .init(milliseconds: 12)), #"{"at":12,"id":7,"type":"schedule"}"#),
        (
            .createRoom(address: address, expiresIn: 60),
            #"{"address":{"code":"482913","device":"d1","role":"creator","room":"r1","#
                + #""server":"http://127.0.0.1:8080","server_room":"s1"},"expires_in":60,"id":7,"type":"create_room"}"#
        ),
        (.stopMeeting(room: "r1"), #"{"id":7,"room":"r1","type":"stop_meeting"}"#),
        (
            .revokeTrust(address: address, reason: "x"),
            #"{"address":{"code":"482913","device":"d1","role":"creator","room":"r1","#
                + #""server":"http://127.0.0.1:8080","server_room":"s1"},"id":7,"reason":"x","type":"revoke_trust"}"#
        ),
        (
            .deliver(room: "r1", message: "m1", body: .lifetimeProposal(.oneHour), sentAt: .init(milliseconds: 1)),
            #"{"body":{"lifetime":"1h","type":"lifetime_proposal"},"id":7,"message":"m1","room":"r1","sent_at":1,"#
                + #""type":"deliver"}"#
        ),
    ]) func effectsAreFlatObjects(kind: Effect.Kind, json: String) throws {
        let effect = Effect(id: EffectID(7), kind: kind)
        #expect(String(decoding: try JSON.encode(effect), as: UTF8.self) == json)
        #expect(try JSON.decode(Effect.self, from: json.utf8) == effect)
    }
}
