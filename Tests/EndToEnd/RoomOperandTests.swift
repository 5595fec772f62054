import Testing

@testable import AppCore
@testable import alcove

/// Which room a name means where several have it.
@Suite struct RoomOperandTests {
    private static func ben(_ id: String, _ status: Room.Status, isMember: Bool = false, since time: Int64 = 1) -> Room
    {
        var room = Room(
            id: RoomID(id), name: "Ben", role: .creator, status: status, server: "http://127.0.0.1:1",
            device: DeviceID("device"), createdAt: Timestamp(milliseconds: time))
        if isMember {
            room.trustGiven = Timestamp(milliseconds: time)
            room.trustReceived = Timestamp(milliseconds: time)
        }
        return room
    }

    private static let leftBehind: [Room] = [
        ben("a1a1a1a1", .pending, since: 9), ben("b2b2b2b2", .expired), ben("c3c3c3c3", .failed),
        ben("d4d4d4d4", .revoked),
    ]

    @Test func `a room that is left behind makes no name ambiguous`() throws {
        let living = Self.ben("e5e5e5e5", .accepted)
        let rooms = RoomList(inOrder: Self.leftBehind + [living])
        #expect(try RoomOperand(text: "Ben").find(in: rooms).id == living.id)
        #expect(try RoomOperand(text: "Ben").find(in: rooms) { !$0.status.isOver }.id == living.id)
        #expect(try RoomOperand(text: "a1a1").find(in: rooms).id.text == "a1a1a1a1", "its id still means it")
        // Who deletes a room may mean any of them.
        #expect(throws: CommandFailure.self) { try RoomOperand(text: "Ben", meansEvery: true).find(in: rooms) }
        let two = RoomList(inOrder: [living, Self.ben("f6f6f6f6", .accepted)])
        #expect(throws: CommandFailure.self) { try RoomOperand(text: "Ben").find(in: two) }
        #expect(throws: CommandFailure.self) { try RoomOperand(text: "Ann").find(in: two) }
    }

    @Test func `a name comes before the beginning of an id`() throws {
        var named = Self.ben("f6f6f6f6", .accepted)
        named.name = "e5e5"
        let rooms = RoomList(inOrder: [Self.ben("e5e5e5e5", .accepted, isMember: true), named])
        #expect(try RoomOperand(text: "e5e5", isPerson: true).find(in: rooms).id == named.id)
        #expect(try RoomOperand(text: "e5e5e", isPerson: true).find(in: rooms).id.text == "e5e5e5e5")
    }

    @Test func `somebody of the circle is meant before all others who are called so`() throws {
        let member = Self.ben("e5e5e5e5", .accepted, isMember: true)
        let met = Self.ben("f6f6f6f6", .accepted, since: 5)
        let rooms = RoomList(inOrder: Self.leftBehind + [met, member])
        let person = RoomOperand(text: "Ben", isPerson: true)
        #expect(try person.find(in: rooms, fits: \.isMember).id == member.id)
        #expect(try person.find(in: rooms, fits: \.canRevoke).id == member.id)
        #expect(try person.find(in: rooms) { $0.id == met.id }.id == met.id, "what the command is about counts")
        // What does not come back is not guessed.
        #expect(throws: CommandFailure.self) {
            try RoomOperand(text: "Ben", isPerson: true, meansEvery: true).find(in: rooms) { $0.status == .accepted }
        }
        // Where nobody fits, the command has somebody to speak of.
        let strangers = RoomList(inOrder: Self.leftBehind)
        #expect(try person.find(in: strangers, fits: \.isMember).id.text == "a1a1a1a1")
    }
}
