import AppCore
import Foundation
import Sealing
import SealingSupport
import Testing

@Suite("Control messages")
struct ControlMessageTests {
    @Test("An announcement with one bit changed is refused, and the true one is kept")
    func alteredAnnouncement() throws {
        let pair = try SealedPair(target: 16)
        let (announcement, _) = try Self.announcement(of: pair)
        for place in announcement.indices {
            var altered = announcement
            altered[place] ^= 1 << UInt8(place % 8)
            let outputs = try? pair.right.session.receive(control: altered)
            #expect(outputs?.isEmpty ?? true, "byte \(place)")
        }
        #expect(pair.right.session.state.keysToSeal == 0)
        #expect(try pair.right.session.receive(control: announcement) == [.keysChanged])
        #expect(pair.right.session.state.keysToSeal == 16)
        #expect(try pair.right.session.receive(control: announcement) == [])
        #expect(pair.right.session.state.keysToSeal == 16)
    }

    @Test("An announcement for another identity is refused")
    func otherReader() throws {
        let pair = try SealedPair(target: 16)
        let other = try SealedPair(target: 16)
        try pair.connect()
        let (announcement, _) = try Self.announcement(of: other)
        #expect(throws: Refused(.invalidAnnouncement)) { try pair.right.session.receiveChecked(announcement) }
    }

    @Test("A part that comes too early is not kept, and one of an old epoch is ignored")
    func order() throws {
        let pair = try SealedPair(target: 640)
        let (first, introduction) = try Self.announcement(of: pair)
        let second = try #require(try pair.left.session.nextAnnouncement())
        let third = try #require(try pair.left.session.nextAnnouncement())
        #expect(SealedPair.sent(try pair.right.session.receive(control: second)).count == 1)
        #expect(pair.right.session.state.keysToSeal == 0)
        for part in [first, second] { #expect(try pair.right.session.receive(control: part) == [.keysChanged]) }
        let renewed = try pair.left.session.renew()
        for message in renewed { _ = try pair.right.session.receive(control: message) }
        #expect(pair.right.session.state.sealingEpoch == 2)
        #expect(try pair.right.session.receive(control: third) == [])
        _ = introduction
    }

    @Test("Any bytes are safe, and those of later versions and kinds are ignored")
    func hostileBytes() throws {
        let pair = try SealedPair(target: 16)
        try pair.connect()
        var random = SplitMix64(seed: 5)
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = try? pair.right.session.receive(control: bytes)
        }
        #expect(try pair.right.session.receive(control: [8, 2]) == [])
        #expect(try pair.right.session.receive(control: [8, 1, 0xA2, 6, 1, 0]) == [])
        #expect(throws: Refused(.unreadable)) { try pair.right.session.receiveChecked([]) }
        let long = [8, 1] + [UInt8](repeating: 0, count: 1 << 16)
        #expect(throws: Refused(.unreadable)) { try pair.right.session.receiveChecked(long) }
        #expect(try pair.right.take(pair.left.session.seal([1], sequence: 1)).content == [1])
    }

    @Test("Impossible holdings lead to at most a new epoch")
    func hostileHoldings() throws {
        for holdings: [UInt8] in [
            [8, 255, 255, 255, 255, 15, 16, 255, 255, 255, 255, 15], [8, 1, 16, 255, 255, 255, 255, 15], [16, 1],
        ] {
            let pair = try SealedPair(target: 16)
            try pair.connect()
            pair.disconnect()
            _ = try pair.left.session.connected(to: SealedPair.binding(.creator))
            _ = try? pair.left.session.receive(control: Self.introduction(of: pair, holdings))
            #expect(pair.left.session.state.openingEpoch <= 2)
        }
    }

    @Test("Introductions that claim one newer epoch after another cost one epoch a connection")
    func inflation() throws {
        let pair = try SealedPair(target: 16)
        try pair.connect()
        for epoch in UInt8(2)...6 {
            _ = try pair.left.session.receive(control: Self.introduction(of: pair, [8, epoch]))
        }
        #expect(pair.left.session.state.openingEpoch == 3)
    }

    /// An introduction of the right side with other holdings: they are its last field, and not signed.
    private static func introduction(of pair: SealedPair, _ holdings: [UInt8]) throws -> [UInt8] {
        let introduction = try pair.right.session.connected(to: SealedPair.binding(.joiner))[0]
        let own = introduction.lastIndex(of: 26) ?? 0
        let signed = Array(introduction[..<own])
        let length = signed.count - 5 + 2 + holdings.count
        return [8, 1, 18, UInt8(length & 0x7F | 0x80), UInt8(length >> 7)] + signed[5...] + [26, UInt8(holdings.count)]
            + holdings
    }

    /// The left side's first announcement to the right one, and the introduction of the right side that it answers.
    private static func announcement(of pair: SealedPair) throws -> (announcement: [UInt8], introduction: [UInt8]) {
        let introduction = try pair.right.session.connected(to: SealedPair.binding(.joiner))[0]
        let greeting = try pair.left.session.connected(to: SealedPair.binding(.creator))[0]
        _ = try pair.right.session.receive(control: greeting)
        let outputs = try pair.left.session.receive(control: introduction)
        return (try #require(SealedPair.sent(outputs).first), introduction)
    }
}
