import AppCore
import Networking
import Testing

@testable import Host

/// Where what a person did takes effect, when the view has been led elsewhere, is covered, or the profile is locked by then.
@Suite(.timeLimit(.minutes(2))) struct AttachPlaceTests {
    @Test func whatIsTypedForARoomGoesToNoOther() async throws {
        try await inARoom { host, channel, room in
            try await type(2, into: "another", channel, expecting: .gone)
            try await type(3, into: room, channel, expecting: nil)
            #expect(await host.read { $0.composers.all.map(\.room) } == [room])
        }
    }

    @Test func whatWasDoneBeforeTheWindowWasHiddenCounts() async throws {
        try await inARoom { host, channel, room in
            channel.say(.look(windows: nil, front: false))
            try await type(2, into: room, channel, expecting: nil)
            #expect(await host.read { $0.composers.all.map(\.text) } == ["for the room"])
        }
    }

    @Test func aLockedProfileSaysThatItHearsNothing() async throws {
        try await AttachedProfile.with("verified_chat") { profile in
            try await profile.place.setPassphrase("correct horse battery", current: nil)
            await profile.host.dispatch(.app(.lock))
            try await profile.place.expect("the lock") { $0.lock.isLocked ? true : nil }
            let channel = try profile.line()
            try await channel.greet()
            channel.say(.dispatch(n: 1, fresh: nil, action: .rooms(.createRoom(name: "no", expiresIn: 300))))
            #expect(try await channel.hear(\.isDid) == .did(n: 1, code: .locked))
        }
    }

    /// A client that looks at a room of two people who talk.
    private func inARoom(_ body: (AppHost, LineChannel, RoomID) async throws -> Void) async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        let server = AttachServer(hosts.ada)
        let profile = hosts.folder + "/ada"
        try await server.start(profile: profile)
        let room = try #require(await hosts.ada.read { $0.rooms.first?.id })
        let channel = try LineChannel(path: AttachServer.path(of: profile), limits: LineChannel.Limits())
        try await channel.greet()
        channel.say(.look(windows: nil, front: true))
        channel.say(.dispatch(n: 1, fresh: nil, action: .app(.navigate(to: Screen(.chat, room: room)))))
        #expect(try await channel.hear(\.isDid) == .did(n: 1, code: nil))
        try await body(hosts.ada, channel, room)
        await server.stop()
        await hosts.stop()
    }

    /// Writes into the composer of a room.
    private func type(
        _ n: UInt64, into room: RoomID, _ channel: LineChannel, expecting code: HostFrame.Code?
    ) async throws {
        let text = ["text": JSONValue.string("for the room")]
        channel.say(.act(n: n, fresh: nil, node: "chat.draft", offer: .setText, inputs: text, room: room))
        #expect(try await channel.hear(\.isDid) == .did(n: n, code: code))
    }
}
