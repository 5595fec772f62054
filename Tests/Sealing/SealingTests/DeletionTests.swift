import Foundation
import Sealing
import SealingSupport
import Storage
import Testing

@Suite("Keys that are deleted")
struct DeletionTests {
    @Test("Messages that were sealed before their keys expired do not open later, also in a running process")
    func expiry() throws {
        let clock = Clock()
        let pair = try SealedPair(clock: clock)
        try pair.connect()
        let early = try pair.left.session.seal([1], sequence: 1)
        let late = try pair.left.session.seal([1], sequence: 2)
        for _ in 0..<120 {
            clock.advance(days: 1)
            #expect(try pair.right.session.open(late).content == [1])
        }
        #expect(try pair.right.take(early).content == [1])
        clock.advance(days: 1)
        #expect(throws: Refused(.unknownKey)) { try pair.right.session.openChecked(late) }
        pair.right.session.disconnected()
        #expect(try pair.right.files() == [])
        // This profile was not used meanwhile, so its clock alone is not enough.
        pair.left.session.disconnected()
        #expect(try pair.left.files().count == 1)
        try pair.left.use(days: 120)
        #expect(try pair.left.files() == [])
    }

    enum Ending: CaseIterable { case revoked, revokedByPeer, forgotten, expired }

    @Test("Neither the database nor its log holds the keys of a pairing that ended", arguments: Ending.allCases)
    func log(ending: Ending) throws {
        let clock = Clock()
        let pair = try SealedPair(clock: clock)
        try pair.connect()
        let secrets = try pair.right.secrets(withIdentity: ending != .expired)
        #expect(secrets.count == (ending == .expired ? 1 : 2))
        #expect(try pair.right.stored(secrets) == secrets)
        switch ending {
        case .revoked: _ = try pair.right.session.revoke()
        case .revokedByPeer:
            #expect(try pair.right.session.receive(control: pair.left.session.revoke()) == [.revoked])
        case .forgotten: try SealingDirectory(store: pair.right.store).forget("pair")
        case .expired:
            for _ in 0..<121 {
                clock.advance(days: 1)
                pair.disconnect()
            }
        }
        #expect(try pair.right.stored(secrets) == [])
    }

    @Test("An identity that was never introduced is removed from the log, too")
    func loneIdentity() throws {
        let pair = try SealedPair()
        let secrets = try pair.left.secrets(withIdentity: true)
        #expect(try pair.left.stored(secrets) == secrets)
        _ = try pair.left.session.revoke()
        #expect(try pair.left.stored(secrets) == [])
    }
}

extension SealedPair.Side {
    /// The wrapped keys of all epochs, and of the identity.
    fileprivate func secrets(withIdentity: Bool) throws -> [Data] {
        let identity = withIdentity ? "UNION ALL SELECT secret FROM sealing_bonds" : ""
        return try store.read { database in
            try database.query("SELECT secrets FROM sealing_pools \(identity)") { Data(try $0[0] as [UInt8]) }
        }
    }

    /// Those of them that the files of the database hold.
    fileprivate func stored(_ secrets: [Data]) throws -> [Data] {
        let files = try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: "\(path)/profile.sqlite\($0)")) }
        return secrets.filter { secret in files.contains { $0.range(of: secret) != nil } }
    }
}
