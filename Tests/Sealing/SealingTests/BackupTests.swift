import Foundation
import Sealing
import SealingSupport
import Storage
import Testing

/// A profile that is restored from a backup while the original was used further, or still is.
@Suite("Copies of a profile")
struct BackupTests {
    /// The keys that messages were sealed to, by epoch and index.
    private struct Keys {
        private(set) var seen: Set<[UInt32]> = []

        /// - Returns: the content, as bytes, sealed.
        mutating func seal(_ side: SealedPair.Side, _ sequence: UInt64) throws -> [UInt8] {
            let sealed = try side.session.seal([UInt8(sequence & 0xFF)], sequence: sequence)
            let header = try SealingSession.peek(sealed)
            let isNew = seen.insert([header.epoch, try #require(header.index)]).inserted
            #expect(isNew, "epoch \(header.epoch), key \(header.index ?? 0) was used before")
            return sealed
        }
    }

    @Test("A backup never uses a key that was used after it was made", arguments: [0, 1, 40])
    func restoredSender(opened: Int) throws {
        let pair = try SealedPair(target: 128)
        var keys = Keys()
        try pair.connect()
        for number in UInt64(0)..<5 { try pair.right.take(keys.seal(pair.left, number)) }
        pair.disconnect()
        let backup = try pair.left.copy(pair.folder + "/backup")
        // Messages after the backup: some have arrived, and the rest are still on their way.
        let later = try (UInt64(5)..<60).map { try keys.seal(pair.left, $0) }
        for sealed in later.prefix(opened) { try pair.right.take(sealed) }
        try pair.left.restore(backup)
        // It has no keys before the two meet, and so cannot use one again.
        #expect(throws: Refused(.noKeysYet)) { try pair.left.session.sealChecked([1]) }
        try pair.connect()
        for number in UInt64(60)..<100 { try pair.right.take(keys.seal(pair.left, number)) }
        // Messages on their way still open.
        for sealed in later.dropFirst(opened) { try pair.right.take(sealed) }
    }

    @Test("A profile and its copies never use the same key, in whatever order they are used")
    func twoAtOnce() throws {
        let pair = try SealedPair(target: 64)
        var keys = Keys()
        try pair.connect()
        pair.disconnect()
        let backup = try pair.left.copy(pair.folder + "/backup")
        let copies = try (1...2).map { number in try pair.left.another(backup, at: "\(pair.folder)/copy-\(number)") }
        let sides = [pair.left] + copies
        var sequence: UInt64 = 0
        for turn in [0, 1, 0, 2, 1, 1, 0, 2, 2, 0] {
            let side = sides[turn]
            try pair.connect(left: side)
            // Nothing is opened: from what came, the other side cannot see which keys are used.
            for _ in 0..<3 {
                sequence += 1
                _ = try keys.seal(side, sequence)
            }
            side.session.disconnected()
            pair.right.session.disconnected()
        }
        #expect(keys.seen.count == 30)
    }

    @Test("One connection costs one epoch, and the same copy gets no new one when it comes again")
    func epochs() throws {
        let pair = try SealedPair(target: 64)
        try pair.connect()
        pair.disconnect()
        try pair.left.restore(pair.left.copy(pair.folder + "/backup"))
        for _ in 0..<3 {
            try pair.connect()
            pair.disconnect()
        }
        #expect(pair.right.session.state.openingEpoch == 2)
        #expect(pair.left.session.state.openingEpoch == 2)
    }

    @Test("Keys that were renewed without a connection go to the first copy that connects")
    func renewed() throws {
        let pair = try SealedPair(target: 64)
        try pair.connect()
        pair.disconnect()
        try pair.left.restore(pair.left.copy(pair.folder + "/backup"))
        #expect(try pair.right.session.renew().isEmpty)
        try pair.connect()
        #expect(pair.right.session.state.openingEpoch == 2)
        #expect(pair.left.session.state.sealingEpoch == 2)
    }

    @Test("A backup opens nothing that was sealed before it was restored, and everything after")
    func restoredReader() throws {
        let pair = try SealedPair(target: 128)
        try pair.connect()
        let backup = try pair.right.copy(pair.folder + "/backup")
        let recorded = try pair.left.session.seal([1], sequence: 1)
        let waiting = try pair.left.session.seal([2], sequence: 2)
        try pair.right.take(recorded)
        pair.disconnect()
        try pair.right.restore(backup)
        for sealed in [recorded, waiting] {
            #expect(throws: Refused(.unknownKey)) { try pair.right.session.openChecked(sealed) }
        }
        try pair.connect()
        #expect(pair.right.session.state.openingEpoch == 2, "the epoch is new to both sides")
        #expect(try pair.right.take(pair.left.session.seal([3], sequence: 3)).content == [3])
    }

    @Test("Both profiles may be restored, and revoked trust stays revoked")
    func both() throws {
        let pair = try SealedPair(target: 64)
        try pair.connect()
        pair.disconnect()
        try pair.left.restore(pair.left.copy(pair.folder + "/left-backup"))
        try pair.right.restore(pair.right.copy(pair.folder + "/right-backup"))
        try pair.connect()
        #expect(try pair.right.take(pair.left.session.seal([1], sequence: 1)).content == [1])
        #expect(try pair.left.take(pair.right.session.seal([2], sequence: 2)).content == [2])
        _ = try pair.left.session.revoke()
        let backup = try pair.left.copy(pair.folder + "/revoked")
        #expect(throws: Refused(.revoked)) { try refusing { try pair.left.restore(backup) } }
    }

    @Test("Every table of sealing is copied or left behind")
    func tables() throws {
        let database = try Database.inMemory()
        try database.migrate(SealingTables.schema)
        let all = try database.query("SELECT name FROM sqlite_schema WHERE type = 'table'") { try $0[0] as String }
        #expect(all.sorted() == (ProfileCopy.tables + ProfileCopy.keyTables).sorted())
    }
}

extension SealedPair {
    /// A connection to another copy of the left side.
    fileprivate func connect(left side: Side) throws {
        var toRight = try side.session.connected(to: Self.binding(.creator))
        var toLeft = try right.session.connected(to: Self.binding(.joiner))
        while !(toRight.isEmpty && toLeft.isEmpty) {
            let answers = try toRight.flatMap { try right.session.receive(control: $0) }
            let replies = try toLeft.flatMap { try side.session.receive(control: $0) }
            (toLeft, toRight) = (Self.sent(answers), Self.sent(replies))
            if let more = try right.session.nextAnnouncement() { toLeft.append(more) }
            if let more = try side.session.nextAnnouncement() { toRight.append(more) }
        }
    }
}

extension SealedPair.Side {
    /// The folder, as it is now.
    fileprivate func copy(_ backup: String) throws -> String {
        try FileManager.default.copyItem(atPath: path, toPath: backup)
        return backup
    }

    /// The profile becomes a copy of what it was, as importing makes one.
    fileprivate func restore(_ backup: String) throws {
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: backup, toPath: path)
        try FolderStore(path).write(durably: true) { try ProfileCopy.begin(in: $0) }
        try restart()
    }

    /// Another copy, beside this one.
    fileprivate func another(_ backup: String, at path: String) throws -> SealedPair.Side {
        try FileManager.default.copyItem(atPath: backup, toPath: path)
        try FolderStore(path).write(durably: true) { try ProfileCopy.begin(in: $0) }
        return try SealedPair.Side(role, path: path, target: target, clock: clock)
    }
}
