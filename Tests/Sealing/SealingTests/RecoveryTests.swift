import Foundation
import Sealing
import SealingSupport
import Storage
import Testing

@Suite("Lost and damaged keys")
struct RecoveryTests {
    @Test("A sender whose profile was reset to an older copy gets fresh keys as soon as the two meet")
    func restoredSender() throws {
        let pair = try SealedPair(target: 128)
        try pair.connect()
        pair.disconnect()
        let backup = pair.folder + "/backup"
        try FileManager.default.copyItem(atPath: pair.left.path, toPath: backup)
        try pair.right.take(pair.left.session.seal([1], sequence: 1))
        try pair.left.replace(with: backup)
        try pair.connect()
        #expect(pair.left.session.state.sealingEpoch == 2)
        #expect(try pair.right.take(pair.left.session.seal([9], sequence: 2)).content == [9])
        // Nothing is lost now, so no new epoch begins.
        pair.disconnect()
        try pair.connect()
        #expect(pair.left.session.state.sealingEpoch == 2)
    }

    @Test("A message under a key that another one used is distinguished from a repeated one")
    func reusedKey() throws {
        let pair = try SealedPair(target: 128)
        try pair.connect()
        pair.disconnect()
        let backup = pair.folder + "/backup"
        try FileManager.default.copyItem(atPath: pair.left.path, toPath: backup)
        let first = try pair.left.session.seal([1], sequence: 1)
        try pair.left.replace(with: backup)
        let second = try pair.left.session.seal([2], sequence: 2)
        #expect(try SealingSession.peek(first).index == SealingSession.peek(second).index)
        try pair.right.take(first)
        for _ in 0..<2 {
            #expect(throws: Refused(.replayed)) { try pair.right.session.openChecked(first) }
            #expect(throws: Refused(.reused)) { try pair.right.session.openChecked(second) }
            try pair.right.restart()
        }
        // For keys that an earlier version marked, the opened message is unknown.
        try pair.right.store.write(durably: true) { try $0.execute("DELETE FROM sealing_opened") }
        #expect(throws: Refused(.replayed)) { try pair.right.session.openChecked(second) }
    }

    @Test("A sender that learns of a reused key continues after the used keys")
    func toldSender() throws {
        let pair = try SealedPair(target: 128)
        try pair.connect()
        pair.disconnect()
        let backup = pair.folder + "/backup"
        try FileManager.default.copyItem(atPath: pair.left.path, toPath: backup)
        for number in UInt64(0)..<40 { try pair.right.take(pair.left.session.seal([1], sequence: number)) }
        try pair.left.replace(with: backup)
        let sealed = try pair.left.session.seal([9], sequence: 40)
        let error = #expect(throws: SealingError.self) { try pair.right.session.open(sealed) }
        #expect(error?.code == .reused)
        let refusal = pair.right.session.refusal(of: try SealingSession.peek(sealed), because: try #require(error))
        #expect(try pair.left.session.receive(control: refusal) == [.refused(sequence: 40, code: .replayed)])
        #expect(try pair.right.take(pair.left.session.seal([9], sequence: 40)).content == [9])
    }

    @Test("A reader whose profile was reset to an older copy begins a new epoch")
    func restoredReader() throws {
        let pair = try SealedPair(target: 128)
        try pair.connect()
        pair.disconnect()
        let backup = pair.folder + "/backup"
        try FileManager.default.copyItem(atPath: pair.right.path, toPath: backup)
        try pair.connect()
        try pair.exchange([], pair.right.session.renew())
        let lost = try pair.left.session.seal([1], sequence: 1)
        #expect(try SealingSession.peek(lost).epoch == 2)
        pair.disconnect()
        try pair.right.replace(with: backup)
        #expect(throws: Refused(.unknownKey)) { try pair.right.session.openChecked(lost) }
        try pair.connect()
        #expect(pair.left.session.state.sealingEpoch == 3)
        #expect(try pair.right.take(pair.left.session.seal([1], sequence: 1)).content == [1])
    }

    @Test("A reader that was restored within an epoch continues with it: messages that it opened since look lost")
    func restoredWithinAnEpoch() throws {
        for isRestored in [true, false] {
            let pair = try SealedPair(target: 128)
            try pair.connect()
            pair.disconnect()
            let backup = pair.folder + "/backup"
            try FileManager.default.copyItem(atPath: pair.right.path, toPath: backup)
            let first = try pair.left.session.seal([1], sequence: 1)
            if isRestored {
                try pair.right.take(first)
                try pair.right.replace(with: backup)
            }
            try pair.connect()
            #expect(pair.left.session.state.sealingEpoch == 1)
            #expect(try pair.right.take(pair.left.session.seal([2], sequence: 2)).content == [2])
            // It has the key again. The messages that it stored were restored with it, so this one is new to it.
            #expect(try pair.right.take(first).content == [1])
        }
    }

    @Test("An epoch whose file cannot be made is tried again")
    func noPlace() throws {
        let pair = try SealedPair()
        try pair.connect()
        let (folder, aside) = (pair.right.store.poolsFolder, pair.folder + "/aside")
        try FileManager.default.moveItem(atPath: folder, toPath: aside)
        #expect(throws: Refused(.storageFailed)) { try refusing { try pair.right.session.renew() } }
        #expect(try pair.right.take(pair.left.session.seal([1], sequence: 1)).content == [1])
        try FileManager.default.moveItem(atPath: aside, toPath: folder)
        try pair.exchange([], pair.right.session.renew())
        #expect(pair.left.session.state.sealingEpoch == 2)
        #expect(try pair.right.take(pair.left.session.seal([1], sequence: 2)).content == [1])
    }

    @Test("A damaged key is as good as lost: its message is refused, and sealed again it opens")
    func damagedSlot() throws {
        let pair = try SealedPair(target: 64)
        try pair.connect()
        let sealed = try pair.left.session.seal([1], sequence: 1)
        let index = Int(try #require(try SealingSession.peek(sealed).index))
        let file = pair.right.store.poolsFolder + "/" + (try #require(try pair.right.files().first))
        let slots = try SlotFile(at: file)
        var slot = try slots.read(index)
        slot[20] ^= 1
        try slots.write(slot, at: index)
        #expect(throws: Refused(.unknownKey)) { try pair.right.session.openChecked(sealed) }
        #expect(try pair.right.take(pair.left.session.seal([1], sequence: 1)).content == [1])
    }

    @Test("An announcement that goes on and meets a damaged key begins an epoch that is whole")
    func damagedBeforeAnnounced() throws {
        let pair = try SealedPair(target: 640)
        let introduction = try pair.right.session.connected(to: SealedPair.binding(.joiner))[0]
        let greeting = try pair.left.session.connected(to: SealedPair.binding(.creator))[0]
        let parts = SealedPair.sent(try pair.left.session.receive(control: introduction))
        for message in [greeting] + parts { _ = try pair.right.session.receive(control: message) }
        // The rest is made and lost on the way.
        while try pair.left.session.nextAnnouncement() != nil {}
        let file = pair.left.store.poolsFolder + "/" + (try #require(try pair.left.files().first))
        try SlotFile(at: file).write([UInt8](repeating: 7, count: SlotFile.slotByteCount), at: 300)
        pair.disconnect()
        try pair.connect()
        #expect(pair.right.session.state.sealingEpoch == 2)
        #expect(pair.right.session.state.keysToSeal == 640)
    }

    @Test(
        "A pool whose file is gone or damaged is given up, and the next one takes its place",
        arguments: [nil, 0, 8, 63, 64])
    func damage(place: Int?) throws {
        let pair = try SealedPair()
        try pair.connect()
        let file = pair.right.store.poolsFolder + "/" + (try #require(try pair.right.files().first))
        if let place {
            var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file)).prefix(place == 64 ? 64 : .max))
            if place < 64 { bytes[place] ^= 1 }
            try Data(bytes).write(to: URL(fileURLWithPath: file))
        } else {
            try FileManager.default.removeItem(atPath: file)
        }
        pair.disconnect()
        try pair.right.restart()
        try pair.connect()
        #expect(try pair.right.take(pair.left.session.seal([1], sequence: 1)).content == [1])
    }
}

extension SealedPair.Side {
    /// The profile becomes what it was when it was copied.
    func replace(with backup: String) throws {
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: backup, toPath: path)
        try restart()
    }
}
