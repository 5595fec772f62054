import Cryptography
import Sealing
import Testing

@testable import Rooms

/// Trust over a real link: renewing keys, revoking, meeting again, messages carried by hand.
@Suite(.timeLimit(.minutes(5)), .serialized) struct CircleTests {
    private static func identity(_ report: RoomReport) -> String? {
        if case .identity(_, _, let number) = report { number } else { nil }
    }

    private static func text(_ report: RoomReport) -> ReceivedMessage? {
        if case .received(_, let message) = report { message } else { nil }
    }

    private static func failure(_ report: RoomReport) -> LinkFailure? {
        if case .linkFailed(_, _, let failure) = report { failure } else { nil }
    }

    private static func words(_ number: Int, _ text: String) -> OutgoingMessage {
        OutgoingMessage(id: OutboxTests.id(number), sentAt: 5, content: .ready(.text(text)))
    }

    /// Two machines that have met, and introduced themselves over a link that is verified.
    private static func introduced(
        _ body: (MeetingServer, MeetingSide, MeetingSide) async throws -> Void
    ) async throws {
        try await MeetingServer.run { server, ada, ben in
            async let first = ada.meet()
            async let second = ben.meet()
            let (adas, bens) = try await (first, second)
            ada.take(adas)
            ben.take(bens)
            for side in [ada, ben] { try await side.openLink() }
            let numbers = (await ada.next(identity), await ben.next(identity))
            #expect(numbers.0 != nil && numbers.0 == numbers.1)
            for side in [ada, ben] {
                while try await side.service.sealingState("room").keysToSeal == 0 {
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            try await body(server, ada, ben)
        }
    }

    @Test func `a message crosses the link sealed, and members meet again by what they share`() async throws {
        try await Self.introduced { _, ada, ben in
            try await ada.service.deliver(Self.words(1, "hello"), in: "room")
            let heard = try #require(await ben.next(Self.text))
            #expect(heard.content == .text("hello") && heard.sequence == 1 && !heard.isLastResort)
            // It needs no other secret: it is derived from both identities.
            async let first = ada.service.meet(ada.address)
            async let second = ben.service.meet(ben.address)
            let (adas, bens) = try await (first, second)
            #expect(adas.serverRoom == bens.serverRoom)
            #expect(adas.serverRoom != ada.address.serverRoom)
        }
    }

    @Test func `revoked trust reaches the other side and leaves nothing but tombstones`() async throws {
        try await Self.introduced { _, ada, ben in
            try await ada.service.revoke(ada.address)
            #expect(await ben.next(Self.failure) == .trustRevoked)
            for side in [ada, ben] {
                let directory = SealingDirectory(store: side.sealing)
                #expect(try directory.tombstones().map(\.pairing) == ["room"])
                side.restart()
                let error = await #expect(throws: SealingError.self) {
                    try await side.service.deliver(Self.words(2, "too late"), in: "room")
                }
                #expect(error?.code == .revoked)
            }
            #expect(try ada.keys.load(room: "room") == nil)
            // After a crash the request comes again.
            try await ada.service.revoke(ada.address)
        }
    }

    @Test func `a notice that was never sent is sent when the request comes again, and can be carried`() async throws {
        try await Self.introduced { _, ada, ben in
            #expect(try await ada.service.revocationNotice("room") == nil)
            // This simulates that the process died during the request.
            let notice = try await ada.service.conversation("room").revoke()
            #expect(try await ada.service.revocationNotice("room") == notice)
            try await ada.service.revoke(ada.address)
            #expect(await ben.next(Self.failure) == .trustRevoked)
            #expect(try await ada.service.revocationNotice("room") == notice)
            #expect(try await ben.service.revocationNotice("room") == nil, "it was not this side")
        }
    }

    @Test func `a message carried by hand is opened once it is brought, and once only`() async throws {
        try await Self.introduced { _, ada, ben in
            for side in [ada, ben] { await side.service.closeLink("room") }
            let sealed = try await ada.service.sealByHand(Self.words(7, "in a bottle"), in: "room")
            guard case .message(let room, let message) = try await ben.service.openByHand(sealed) else {
                Issue.record("it is a message")
                return
            }
            #expect(room == "room" && message.content == .text("in a bottle") && message.sentAt == 5)
            #expect(message.id == OutboxTests.id(7))
            // Until it is stored it can be opened again.
            _ = try await ben.service.openByHand(sealed)
            try ben.sealing.write(durably: true) { try SealingTables.mark([message.use], in: $0) }
            try await ben.service.eraseKey(message.use)
            for (bytes, code) in [(sealed, SealingError.Code.replayed), ([1, 2, 3], .unreadable)] {
                let error = await #expect(throws: SealingError.self) { try await ben.service.openByHand(bytes) }
                #expect(error?.code == code)
            }
            let stranger = await #expect(throws: SealingError.self) { try await ada.service.openByHand(sealed) }
            #expect(stranger?.code == .unknownKey)
        }
    }

    @Test func `a notice that is carried by hand ends the trust, too`() async throws {
        try await Self.introduced { _, ada, ben in
            for side in [ada, ben] { await side.service.closeLink("room") }
            let session = try SealingSession(pairing: "room", store: ada.sealing, target: 64)
            let notice = try session.revoke()
            guard case .revocation("room") = try await ben.service.openByHand(notice) else {
                Issue.record("it is the notice")
                return
            }
            #expect(try SealingDirectory(store: ben.sealing).tombstones().map(\.isByPeer) == [true])
        }
    }

    @Test func `keys are renewed over the link`() async throws {
        try await Self.introduced { _, ada, ben in
            try await ada.service.renewKeys("room")
            for side in [ada, ben] {
                let epoch = await side.next { report -> UInt32? in
                    guard case .keys(_, let state) = report, state.sealingEpoch > 1, state.openingEpoch > 1 else {
                        return nil
                    }
                    return state.sealingEpoch
                }
                #expect(epoch != nil)
            }
        }
    }
}
