import Cryptography
import Foundation
import Networking
import Rendezvous
import Testing

@testable import Rooms

/// Two machines find each other again at a real server, without a code.
@Suite(.timeLimit(.minutes(5)), .serialized) struct MeetingTests {
    private static func fit(_ ada: MetRoom, _ ben: MetRoom) {
        #expect(ada.serverRoom == ben.serverRoom)
        #expect(Set([ada.role, ben.role]) == [.initiator, .responder])
        #expect(ada.device != ben.device)
    }

    /// Both search at once, repeatedly within one period: each time they get a new room.
    @Test func bothAtOnce() async throws {
        try await MeetingServer.run { _, ada, ben in
            var rooms: Set<String> = []
            for _ in 0..<8 {
                async let first = ada.meet()
                async let second = ben.meet()
                let (adas, bens) = try await (first, second)
                Self.fit(adas, bens)
                #expect(rooms.insert(adas.serverRoom).inserted)
                ada.take(adas)
                ben.take(bens)
            }
        }
    }

    @Test func oneWaitsForHoursAndFarBeyondAPeriod() async throws {
        try await MeetingServer.run { server, ada, ben in
            async let first = ada.meet()
            try await untilWaiting(server)
            for side in [ada, ben] { side.pass(hours: 26) }
            // The new id is reserved soon after; the other side may come before or after that.
            let second = try await ben.meet()
            Self.fit(try await first, second)
        }
    }

    /// The clocks disagree by half an hour, also across the border of a period, which is 300 minutes off.
    @Test(arguments: [(0, 30), (299, 30), (271, 30), (310, -30), (300, -1), (329, -30)] as [(Int64, Int64)])
    func clocksThatDisagree(time: Int64, difference: Int64) async throws {
        try await MeetingServer.run { server, ada, ben in
            for side in [ada, ben] { side.pass(minutes: time) }
            ben.pass(minutes: difference)
            async let first = ada.meet()
            try await untilWaiting(server)
            let second = try await ben.meet()
            Self.fit(try await first, second)
        }
    }

    /// Two sides that come at the same moment and count different periods reserve different ids. They must not wait for
    /// ever, nor each in the other's room.
    @Test func atOnceAcrossTheBorderOfAPeriod() async throws {
        try await MeetingServer.run { _, ada, ben in
            ada.pass(minutes: 290)
            ben.pass(minutes: 310)
            for _ in 0..<8 {
                async let first = ada.meet()
                async let second = ben.meet()
                let (adas, bens) = try await (first, second)
                Self.fit(adas, bens)
                ada.take(adas)
                ben.take(bens)
            }
        }
    }

    @Test(arguments: [true, false])
    func theServerStartsAnew(remembers: Bool) async throws {
        let file = NSTemporaryDirectory() + "meeting-\(UUID().uuidString).sqlite"
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + end) } }
        try await MeetingServer.run(store: remembers ? .sqlite(file) : .memory) { server, ada, ben in
            async let first = ada.meet()
            try await untilWaiting(server)
            await server.stop()
            async let second = ben.meet()
            try await Task.sleep(for: .milliseconds(100))
            try await server.start()
            Self.fit(try await first, try await second)
        }
    }

    /// The process of the waiting side dies, and no important state is lost.
    @Test func whoWaitsStartsAnew() async throws {
        try await MeetingServer.run { server, ada, ben in
            let lost = Task { [service = ada.service] in
                try await service.meet(ada.address, secret: MeetingSide.secret, limit: nil)
            }
            try await untilWaiting(server)
            ada.restart()
            async let first = ada.meet()
            try await untilWaiting(server)
            let second = try await ben.meet()
            Self.fit(try await first, second)
            lost.cancel()
        }
    }

    /// The process dies after it has met and before its owner has learned of it.
    @Test func whoHasMetStartsAnew() async throws {
        try await MeetingServer.run { _, ada, ben in
            async let first = ada.meet()
            async let second = ben.meet()
            let (adas, bens) = try await (first, second)
            ada.restart()
            #expect(try await ada.meet() == adas)
            ada.take(adas)
            ben.take(bens)
            // Once the owner knows the room, a meeting is another meeting.
            async let third = ada.meet()
            async let fourth = ben.meet()
            let (again, bensAgain) = try await (third, fourth)
            Self.fit(again, bensAgain)
            #expect(again.serverRoom != adas.serverRoom)
        }
    }

    /// The server let the guest in, and the guest died before it knew.
    @Test func whoEntersStartsAnew() async throws {
        try await MeetingServer.run { server, ada, ben in
            let period = MeetingPeriod(at: 1_771_200_000_000)
            let id = try MeetingPlace(secret: MeetingSide.secret).id(in: period)
            var keys = try #require(try ben.keys.load(room: "room"))
            keys.meeting = MeetingRecord(attempt: .init(period: period.number, device: "ben again"))
            try ben.keys.save(keys, room: "room")

            async let first = ada.meet()
            try await untilWaiting(server)
            let client = try RendezvousClient(network: RoomsNetwork(), server: server.url)
            let entered = try await client.accept(digits: id, device: "ben again")
            let bens = try await ben.meet()
            #expect(bens.serverRoom == entered.roomid)
            Self.fit(try await first, bens)
        }
    }

    @Test func aSearchThatIsGivenUpLeavesNothing() async throws {
        try await MeetingServer.run { server, ada, ben in
            let search = Task { try await ada.meet() }
            try await untilWaiting(server)
            await ada.service.stopMeeting("room")
            await #expect(throws: CancellationError.self) { try await search.value }
            try await untilWaiting(server, 0)
            await #expect(throws: RoomsFailure(.peerTimeout, "the other side did not come")) {
                try await ben.meet(limit: .milliseconds(200))
            }
        }
    }

    @Test func twoRequestsAtOnceGetTheSameRoom() async throws {
        try await MeetingServer.run { server, ada, ben in
            async let first = ada.meet()
            async let same = ada.meet()
            try await untilWaiting(server)
            let bens = try await ben.meet()
            let (adas, again) = try await (first, same)
            #expect(adas == again)
            Self.fit(adas, bens)
        }
    }

    /// Wrong codes from the same address, and guessed ids, have no effect on others.
    @Test func strangersAtTheSameAddress() async throws {
        var limits = RendezvousLimits()
        limits.requests = .unlimited
        try await MeetingServer.run(limits: limits) { server, ada, ben in
            let client = try RendezvousClient(network: RoomsNetwork(), server: server.url)
            for number in 0..<30 {
                _ = try? await client.accept(digits: String(100_000 + number), device: "mallory")
            }
            async let first = ada.meet()
            try await untilWaiting(server)
            let stranger = MeetingPlace(secret: SecretBytes(copying: [UInt8](repeating: 7, count: 32)))
            for number in Int64(82_000)..<82_010 {
                let id = try stranger.id(in: MeetingPeriod(number: number))
                await #expect(throws: RoomsFailure(.codeUnknown)) { try await client.accept(digits: id, device: "m") }
            }
            let second = try await ben.meet()
            Self.fit(try await first, second)
        }
    }

    @Test(arguments: [
        (RoomTrust.refused, RoomsFailure.Code.codeSpent), (.unverified, .badRequest), (.unmet, .badRequest),
    ])
    func whoeverWasNotVerifiedIsNotMet(trust: RoomTrust, code: RoomsFailure.Code) async throws {
        try await MeetingServer.run { _, ada, _ in
            var keys = try #require(try ada.keys.load(room: "room"))
            keys.trust = trust
            try ada.keys.save(keys, room: "room")
            let error = await #expect(throws: RoomsFailure.self) { try await ada.meet() }
            #expect(error?.code == code)
        }
    }

    /// The server would have told when the other side comes. Without it, this side looks soon.
    @Test(.timeLimit(.minutes(1))) func whoLosesTheServerDoesNotWaitForTheNextLook() async throws {
        let server = try await MeetingServer()
        var pace = MeetingPace()
        pace.now = { 1_771_200_000_000 + 3_600_000 }
        (pace.firstLook, pace.longestLook) = (.seconds(3600), .seconds(3600))
        pace.longestUnwatchedLook = .milliseconds(50)
        let network = RoomsNetwork(bindAddresses: ["127.0.0.1"])
        let (troubles, trouble) = AsyncStream.makeStream(of: RoomsFailure?.self)
        let meeting = Meeting(
            place: MeetingPlace(secret: MeetingSide.secret),
            client: try RendezvousClient(network: network, server: server.url),
            server: server.url, network: network, pace: pace, attempt: nil, leftover: nil,
            trouble: { trouble.yield($0) }
        ) { _ async throws(RoomsFailure) in }
        let search = Task { [meeting] in
            var meeting = meeting
            return try await meeting.run()
        }
        try await untilWaiting(server)
        await server.stop()
        for await case .some in troubles { break }
        search.cancel()
        _ = await search.result
    }
}
