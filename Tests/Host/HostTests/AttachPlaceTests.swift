import AppCore
import Testing

@testable import Host

/// Where what a person did takes effect, when the view has been led elsewhere, is covered, or the profile is locked by then.
@Suite(.timeLimit(.minutes(2))) struct AttachPlaceTests {
    private let text = ["text": JSONValue.string("for the first")]

    @Test func whatIsTypedForARoomGoesToNoOther() async throws {
        try await AttachedProfile.with("rooms_list") { profile in
            let rooms = await profile.host.read { $0.rooms.filter(\.canWrite).map(\.id) }
            try #require(rooms.count > 1)
            let channel = try profile.line()
            try await channel.greet()
            channel.say(.look(windows: nil, front: true))
            channel.say(.dispatch(n: 1, fresh: nil, action: .app(.navigate(to: Screen(.chat, room: rooms[1])))))
            #expect(try await channel.hear(\.isDid) == .did(n: 1, code: nil))
            channel.say(
                .act(n: 2, fresh: nil, node: "chat.draft", offer: .setText, inputs: text, room: rooms[0]))
            #expect(try await channel.hear(\.isDid) == .did(n: 2, code: .gone))
            channel.say(
                .act(n: 3, fresh: nil, node: "chat.draft", offer: .setText, inputs: text, room: rooms[1]))
            #expect(try await channel.hear(\.isDid) == .did(n: 3, code: nil))
            #expect(await profile.host.read { $0.composers.all.map(\.room) } == [rooms[1]])
        }
    }

    @Test func whatWasDoneBeforeTheWindowWasHiddenCounts() async throws {
        try await AttachedProfile.with("rooms_list") { profile in
            let room = try #require(await profile.host.read { $0.rooms.first(where: \.canWrite)?.id })
            let channel = try profile.line()
            try await channel.greet()
            channel.say(.look(windows: nil, front: true))
            channel.say(.dispatch(n: 1, fresh: nil, action: .app(.navigate(to: Screen(.chat, room: room)))))
            #expect(try await channel.hear(\.isDid) == .did(n: 1, code: nil))
            channel.say(.look(windows: nil, front: false))
            channel.say(.act(n: 2, fresh: nil, node: "chat.draft", offer: .setText, inputs: text, room: room))
            #expect(try await channel.hear(\.isDid) == .did(n: 2, code: nil))
            #expect(await profile.host.read { $0.composers.all.map(\.text) } == ["for the first"])
        }
    }

    @Test func aLockedProfileSaysThatItHearsNothing() async throws {
        try await AttachedProfile.with("locked") { profile in
            #expect(await profile.host.read(\.lock.isLocked))
            let channel = try profile.line()
            try await channel.greet()
            channel.say(.dispatch(n: 1, fresh: nil, action: .rooms(.createRoom(name: "no", expiresIn: 300))))
            #expect(try await channel.hear(\.isDid) == .did(n: 1, code: .locked))
        }
    }
}
