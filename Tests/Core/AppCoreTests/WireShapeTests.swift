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
        (
            .app(.navigate(to: Screen(.note, note: "n1"))),
            #"{"to":{"note":"n1","page":"note"},"type":"navigate"}"#
        ),
        (.notes(.createNote(title: "T", folder: nil)), #"{"title":"T","type":"create_note"}"#),
        (.notes(.pinNote(note: "n1", on: true)), #"{"note":"n1","on":true,"type":"pin_note"}"#),
        (
            .notes(.filterNotes(filter: NotebookFilter(.folder, folder: "f1"))),
            #"{"filter":{"folder":"f1","show":"folder"},"type":"filter_notes"}"#
        ),
        (
            .notes(.deleteFolder(folder: "f1", mode: .reparent)),
            #"{"folder":"f1","mode":"reparent","type":"delete_folder"}"#
        ),
        (
            .event(
                .notesListed(
                    effect: EffectID(7),
                    notes: [
                        ListedNote(
                            id: "n1", title: "T", created: .init(milliseconds: 1), modified: .init(milliseconds: 2),
                            tags: ["a"], problem: .noteUnreadable)
                    ], folders: [ListedFolder(id: "f1", name: "F")])),
            #"{"effect":7,"folders":[{"id":"f1","name":"F"}],"notes":[{"created":1,"deleted":false,"id":"n1","#
                + #""modified":2,"pinned":false,"preview":"","problem":"note_unreadable","tags":["a"],"title":"T"}],"#
                + #""type":"notes_listed"}"#
        ),
        (
            .event(.noteText(effect: EffectID(7), revision: "r", spans: [NoteSpan(text: "a", author: "Ben")])),
            #"{"effect":7,"revision":"r","spans":[{"author":"Ben","text":"a"}],"type":"note_text"}"#
        ),
        (
            .event(.noteOffered(room: "r1", note: "n1", title: "T", adopted: true)),
            #"{"adopted":true,"note":"n1","room":"r1","title":"T","type":"note_offered"}"#
        ),
        (
            .event(.noteSharingChanged(room: "r1", note: "n1", state: .live)),
            #"{"note":"n1","room":"r1","state":"live","type":"note_sharing_changed"}"#
        ),
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
        (.openNotes, #"{"id":7,"type":"open_notes"}"#),
        (
            .createNote(note: "n1", title: "T", folder: "f1", text: nil),
            #"{"folder":"f1","id":7,"note":"n1","title":"T","type":"create_note"}"#
        ),
        (
            .writeNote(note: "n1", base: "r", text: "x"),
            #"{"base":"r","id":7,"note":"n1","text":"x","type":"write_note"}"#
        ),
        (
            .changeNote(note: "n1", change: .move(folder: nil)),
            #"{"change":{"type":"move"},"id":7,"note":"n1","type":"change_note"}"#
        ),
        (
            .changeFolder(folder: "f1", change: .delete(mode: .cascade)),
            #"{"change":{"mode":"cascade","type":"delete"},"folder":"f1","id":7,"type":"change_folder"}"#
        ),
        (.shareNote(room: "r1", note: "n1"), #"{"id":7,"note":"n1","room":"r1","type":"share_note"}"#),
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
