import Foundation
import Sealing
import SealingSupport
import Storage
import Testing

@Suite("Pools of one-time keys")
struct PoolTests {
    @Test("The first part of a pool is small, the rest follows in parts until the epoch is whole")
    func parts() throws {
        let pair = try SealedPair(target: 640)
        _ = try pair.left.session.connected(to: SealedPair.binding(.creator))
        let introduction = try pair.right.session.connected(to: SealedPair.binding(.joiner))[0]
        let outputs = try pair.left.session.receive(control: introduction)
        #expect(SealedPair.sent(outputs).count == 1)
        #expect(pair.left.session.state.keysToOpen == 64)
        var counts: [Int] = []
        while let part = try pair.left.session.nextAnnouncement() {
            #expect(part.count < 1 << 16)
            counts.append(pair.left.session.state.keysToOpen)
        }
        #expect(counts == [320, 576, 640])
    }

    @Test("Below a tenth the keys are low and a new epoch follows; the old one's messages still open")
    func refill() throws {
        let pair = try SealedPair(target: 160)
        try pair.connect()
        #expect(pair.left.session.state.level == .enough)
        let late = try pair.left.session.seal([0], sequence: 1000)
        for number in UInt64(0)..<143 { try pair.right.take(pair.left.session.seal([1], sequence: number)) }
        #expect(pair.left.session.state.keysToSeal == 16)
        #expect(pair.right.session.state.openingEpoch == 1)
        #expect(try pair.exchange().contains(.keysChanged))
        #expect(pair.right.session.state.openingEpoch == 2)
        #expect(pair.left.session.state.sealingEpoch == 2)
        #expect(pair.left.session.state.level == .enough)
        let fresh = try pair.right.take(pair.left.session.seal([2], sequence: 2000))
        #expect(fresh.use.epoch == 2)
        #expect(try pair.right.take(late).use.epoch == 1)
    }

    @Test("When no key is left, the last-resort key is used, visibly; new keys end that")
    func lastResort() throws {
        let pair = try SealedPair(target: 32)
        try pair.connect()
        // Lost messages: the reader does not see that its keys run out.
        for number in UInt64(0)..<31 { _ = try pair.left.session.seal([1], sequence: number) }
        #expect(pair.left.session.state.level == .low)
        _ = try pair.left.session.seal([1], sequence: 31)
        #expect(pair.left.session.state.level == .lastResort)
        let sealed = try pair.left.session.seal([3], sequence: 32)
        let again = try pair.left.session.seal([4], sequence: 33)
        #expect(try SealingSession.peek(sealed).isLastResort)
        let opened = try pair.right.take(sealed)
        #expect(opened.isLastResort)
        #expect(opened.use.index == nil)
        #expect(throws: Refused(.replayed)) { try pair.right.session.openChecked(sealed) }
        #expect(try pair.right.take(again).content == [4])
        try pair.exchange()
        #expect(pair.left.session.state.level == .enough)
        #expect(try pair.right.take(pair.left.session.seal([5], sequence: 34)).isLastResort == false)
    }

    @Test("A sender whose keys were lost on the way asks for more")
    func asking() throws {
        let pair = try SealedPair(target: 32)
        try pair.connect()
        for number in UInt64(0)..<32 { _ = try pair.left.session.seal([1], sequence: number) }
        try pair.exchange()
        #expect(pair.left.session.state.level == .enough)
        #expect(pair.left.session.state.sealingEpoch == 2)
    }

    @Test("Repeated requests for keys cost one epoch for each connection")
    func greed() throws {
        let pair = try SealedPair(target: 32)
        try pair.connect()
        let greedy: [UInt8] = [8, 1, 34, 2, 8, 1]  // version 1, holdings {epoch 1}: nothing remains
        for _ in 0..<10 {
            for message in [greedy, [8, 1, 50, 0]] {
                _ = try pair.right.session.receive(control: message)
                while try pair.right.session.nextAnnouncement() != nil {}
            }
        }
        #expect(pair.right.session.state.openingEpoch == 2)
    }

    @Test("Renewing begins a new epoch on both sides, once a connection on request")
    func renewal() throws {
        let pair = try SealedPair()
        try pair.connect()
        let late = try pair.left.session.seal([7], sequence: 1)
        for _ in 0..<3 { try pair.exchange(pair.left.session.renew()) }
        #expect(pair.left.session.state.openingEpoch == 4)
        #expect(pair.right.session.state.sealingEpoch == 4)
        #expect(pair.right.session.state.openingEpoch == 2)
        #expect(pair.left.session.state.sealingEpoch == 2)
        #expect(try pair.right.take(late).use.epoch == 1)
        pair.disconnect()
        #expect(try pair.left.session.renew() == [])
        try pair.connect()
        #expect(pair.right.session.state.sealingEpoch == 5)
        #expect(try pair.left.files().count == 4)
    }

    @Test("Nothing is sealed to expired keys; messages on their way have more time")
    func expiry() throws {
        let clock = Clock()
        let pair = try SealedPair(clock: clock)
        try pair.connect()
        let early = try pair.left.session.seal([1], sequence: 1)
        let late = try pair.left.session.seal([1], sequence: 2)
        clock.advance(days: 91)
        try pair.left.restart()
        #expect(pair.left.session.state.level == .none)
        #expect(throws: Refused(.noKeysYet)) { try pair.left.session.sealChecked([1]) }
        try pair.right.restart()
        #expect(try pair.right.take(early).content == [1])
        clock.advance(days: 30)
        try pair.right.restart()
        #expect(try pair.right.session.openChecked(late).content == [1], "one reading of a clock ends nothing")
        try pair.right.use(days: 120)
        #expect(throws: Refused(.unknownKey)) { try pair.right.session.openChecked(late) }
        #expect(try pair.right.files() == [])
    }

    @Test("Keys that are half as old as they may get are renewed when the two meet")
    func age() throws {
        let clock = Clock()
        let pair = try SealedPair(clock: clock)
        try pair.connect()
        clock.advance(days: 46)
        try pair.exchange()
        #expect(pair.left.session.state.sealingEpoch == 2)
        #expect(pair.right.session.state.sealingEpoch == 2)
    }

    @Test("An interrupted announcement goes on where it was", arguments: 1...4)
    func interruption(parts: Int) throws {
        let pair = try SealedPair(target: 1024)
        let introduction = try pair.right.session.connected(to: SealedPair.binding(.joiner))[0]
        _ = try pair.left.session.connected(to: SealedPair.binding(.creator))
        var waiting = SealedPair.sent(try pair.left.session.receive(control: introduction))
        _ = try pair.right.session.receive(control: pair.left.session.connected(to: SealedPair.binding(.creator))[0])
        _ = try pair.left.session.receive(control: introduction)
        while let part = try pair.left.session.nextAnnouncement() { waiting.append(part) }
        for part in waiting.prefix(parts) { _ = try pair.right.session.receive(control: part) }
        try pair.left.restart()
        try pair.connect()
        #expect(pair.right.session.state.keysToSeal == 1024)
        #expect(pair.right.session.state.sealingEpoch == 1)
        let sealed = try (0..<5).map { try pair.right.session.seal([$0], sequence: UInt64($0)) }
        for (number, message) in sealed.enumerated() { #expect(try pair.left.take(message).content == [UInt8(number)]) }
    }

    @Test("Several devices of one person never take the same key")
    func allotments() throws {
        let pair = try SealedPair(target: 256)
        try pair.connect()
        pair.disconnect()
        var indexes: [UInt32?] = []
        for device in 0..<3 {
            let copy = pair.folder + "/device-\(device)"
            try FileManager.default.copyItem(atPath: pair.left.path, toPath: copy)
            let session = try SealingSession(
                pairing: "pair", store: FolderStore(copy), target: 16,
                partition: try #require(KeyPartition(device: device, of: 3)))
            for number in 0..<UInt64(session.state.keysToSeal) {
                let sealed = try session.seal([UInt8(device)], sequence: UInt64(device) * 1000 + number)
                indexes.append(try pair.right.take(sealed).use.index)
            }
            #expect(session.state.level == .lastResort)
        }
        #expect(indexes.count == 256)
        #expect(Set(indexes).count == 256)
        #expect(KeyPartition(device: 3, of: 3) == nil)
        #expect(KeyPartition(device: 0, of: 65) == nil)
    }
}
