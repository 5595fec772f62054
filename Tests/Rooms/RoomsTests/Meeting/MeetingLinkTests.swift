import Cryptography
import DataChannels
import Testing

@testable import Rooms

/// After a meeting the two prove to each other who they are; others cannot.
@Suite(.timeLimit(.minutes(5)), .serialized) struct MeetingLinkTests {
    private static func outcome(_ report: RoomReport) -> Result<RoomTrust, LinkFailure>? {
        switch report {
        case .trust(_, _, let trust, _) where trust != .refused: .success(trust)
        case .linkFailed(_, _, let failure): .failure(failure)
        default: nil
        }
    }

    private static func meetAndVerify(_ ada: MeetingSide, _ ben: MeetingSide) async throws {
        await ben.service.pause()
        var keys = try #require(try ben.keys.load(room: "room"))
        keys.trust = .verified
        try ben.keys.save(keys, room: "room")
        async let first = ada.meet()
        async let second = ben.meet()
        let (adas, bens) = try await (first, second)
        ada.take(adas)
        ben.take(bens)
        try await ada.openLink()
        try await ben.openLink()
        #expect(await ada.next(outcome) == .success(.verified))
    }

    private static func isConnected(_ report: RoomReport) -> Bool? {
        if case .link(_, _, .connected, _) = report { true } else { nil }
    }

    @Test func theTwoAreVerifiedUnderNewCertificates() async throws {
        try await MeetingServer.run { _, ada, ben in
            let before = try #require(try ada.keys.load(room: "room"))
            async let first = ada.meet()
            async let second = ben.meet()
            let (adas, bens) = try await (first, second)
            ada.take(adas)
            ben.take(bens)
            try await ada.openLink()
            try await ben.openLink()
            for side in [ada, ben] {
                #expect(await side.next(Self.outcome) == .success(.verified))
                #expect(await side.next(Self.isConnected) == true)
            }
            let after = try #require(try ada.keys.load(room: "room"))
            #expect(try after.certificate.opened().fingerprint != before.certificate.opened().fingerprint)
            #expect(after.ticket != before.ticket)
            #expect(after.pinned == (try ben.keys.load(room: "room")?.certificate.opened().fingerprint))
        }
    }

    /// A server knows the id and can bring a stranger into the room, who does not know the secret.
    @Test(arguments: [true, false])
    func whoDoesNotKnowTheSecretIsRefused(claimsNothing: Bool) async throws {
        try await MeetingServer.run { _, ada, mallory in
            async let first = ada.meet()
            async let second = mallory.meet()
            let (adas, mallorys) = try await (first, second)
            ada.take(adas)
            mallory.take(mallorys)
            var keys = try #require(try mallory.keys.load(room: "room"))
            keys.resumption = claimsNothing ? nil : [UInt8](repeating: 7, count: 32)
            try mallory.keys.save(keys, room: "room")
            try await ada.openLink()
            try await mallory.openLink()
            #expect(await ada.next(Self.outcome) == .failure(.peerKeyChanged))
            // The server may have forged that. The side with the secret is met again.
            #expect(try ada.keys.load(room: "room")?.trust == .verified)
            try await Self.meetAndVerify(ada, mallory)
        }
    }
}
