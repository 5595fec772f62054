import Foundation
import Sealing
import SealingSupport
import Storage
import Testing

@Suite("Identities and revocation")
struct TrustTests {
    private static let one = [UInt8](repeating: 1, count: 32)
    private static let two = [UInt8](repeating: 2, count: 32)
    private static let three = [UInt8](repeating: 3, count: 32)

    @Test(
        "An identity that was introduced on another connection is refused",
        arguments: [
            ChannelBinding(localFingerprint: one, remoteFingerprint: three, room: "room", role: .creator),
            ChannelBinding(localFingerprint: three, remoteFingerprint: two, room: "room", role: .creator),
            ChannelBinding(localFingerprint: two, remoteFingerprint: one, room: "room", role: .creator),
            ChannelBinding(localFingerprint: one, remoteFingerprint: two, room: "roof", role: .creator),
            ChannelBinding(localFingerprint: two, remoteFingerprint: one, room: "room", role: .joiner),
        ])
    func otherConnection(binding: ChannelBinding) throws {
        let pair = try SealedPair()
        let introduction = try pair.right.session.connected(to: SealedPair.binding(.joiner))[0]
        _ = try pair.left.session.connected(to: binding)
        #expect(throws: Refused(.identityChanged)) { try pair.left.session.receiveChecked(introduction) }
        #expect(pair.left.session.state.peerFingerprint == nil)
        _ = try pair.left.session.connected(to: SealedPair.binding(.creator))
        #expect(try pair.left.session.receive(control: introduction).contains(.peerKnown))
    }

    @Test("A side is not introduced without a connection, or to itself")
    func nobody() throws {
        let pair = try SealedPair()
        let introduction = try pair.right.session.connected(to: SealedPair.binding(.joiner))[0]
        #expect(throws: Refused(.identityChanged)) { try pair.left.session.receiveChecked(introduction) }
        #expect(throws: Refused(.identityChanged)) { try pair.right.session.receiveChecked(introduction) }
        let same = ChannelBinding(localFingerprint: Self.one, remoteFingerprint: Self.one, room: "room", role: .creator)
        #expect(throws: SealingError.self) { try pair.left.session.connected(to: same) }
    }

    @Test("Every introduction and every revocation with one bit changed is refused or ignored")
    func alteredWords() throws {
        let pair = try SealedPair()
        try pair.connect()
        let introduction = try pair.right.session.connected(to: SealedPair.binding(.joiner))[0]
        let fresh = try SealedPair()
        _ = try fresh.left.session.connected(to: SealedPair.binding(.creator))
        let holdings = introduction.count - 12
        for bit in 0..<holdings * 8 {
            var altered = introduction
            altered[bit / 8] ^= 1 << UInt8(bit % 8)
            let outputs = try? fresh.left.session.receive(control: altered)
            #expect(outputs?.isEmpty ?? true, "bit \(bit)")
        }
        #expect(fresh.left.session.state.peerFingerprint == nil)

        let notice = try pair.right.session.revoke()
        for bit in 0..<notice.count * 8 {
            var altered = notice
            altered[bit / 8] ^= 1 << UInt8(bit % 8)
            let outputs = try? pair.left.session.receive(control: altered)
            #expect(outputs?.contains(.revoked) != true, "bit \(bit)")
        }
        #expect(try pair.left.session.receive(control: notice) == [.revoked])
    }

    @Test("Another identity than the known one is refused, and the pinned one stays")
    func changedIdentity() throws {
        let pair = try SealedPair()
        try pair.connect()
        let known = pair.left.session.state.peerFingerprint
        let stranger = try SealedPair()
        let introduction = try stranger.right.session.connected(to: SealedPair.binding(.joiner))[0]
        #expect(throws: Refused(.identityChanged)) { try pair.left.session.receiveChecked(introduction) }
        #expect(pair.left.session.state.peerFingerprint == known)
        try pair.left.restart()
        #expect(pair.left.session.state.peerFingerprint == known)
    }

    @Test("Revoking deletes the keys of both sides and leaves tombstones that hold")
    func revocation() throws {
        let pair = try SealedPair()
        try pair.connect()
        let waiting = try pair.left.session.seal([1], sequence: 1)
        let notice = try pair.right.session.revoke()
        #expect(try pair.right.files() == [])
        #expect(try pair.right.rows() == 0)
        #expect(throws: Refused(.revoked)) { try pair.right.session.openChecked(waiting) }
        #expect(throws: Refused(.revoked)) { try pair.right.session.sealChecked([1]) }
        #expect(throws: Refused(.revoked)) { try refusing { try pair.right.restart() } }

        #expect(try pair.left.session.receive(control: notice) == [.revoked])
        #expect(try pair.left.session.receive(control: notice) == [])
        #expect(try pair.left.files() == [])
        #expect(try pair.left.rows() == 0)
        #expect(throws: Refused(.revoked)) { try pair.left.session.sealChecked([1]) }
        let left = try SealingDirectory(store: pair.left.store).tombstones()
        let right = try SealingDirectory(store: pair.right.store).tombstones()
        #expect(left.map(\.isByPeer) == [true])
        #expect(right.map(\.isByPeer) == [false])
        #expect(right.map(\.notice) == [notice])
    }

    @Test("A hand-carried notice finds its pairing, and others cannot forge one")
    func noticeByHand() throws {
        let pair = try SealedPair()
        let stranger = try SealedPair()
        try pair.connect()
        try stranger.connect()
        let foreign = try stranger.right.session.revoke()
        #expect(throws: Refused(.forged)) { try pair.left.session.receiveChecked(foreign) }
        let notice = try pair.right.session.revoke()
        let directory = SealingDirectory(store: pair.left.store)
        #expect(try directory.pairing(forNotice: foreign) == nil)
        #expect(try directory.pairing(forNotice: [1, 2, 3]) == nil)
        #expect(try directory.pairing(forNotice: notice) == "pair")
        #expect(try pair.left.session.receive(control: notice) == [.revoked])
    }

    @Test("An identity under a tombstone is not accepted in another pairing either")
    func buriedIdentity() throws {
        let pair = try SealedPair()
        try pair.connect()
        _ = try pair.left.session.revoke()
        let again = try SealingSession(pairing: "another", store: pair.left.store, target: 16)
        _ = try again.connected(to: SealedPair.binding(.creator))
        let introduction = try pair.right.session.connected(to: SealedPair.binding(.joiner))[0]
        #expect(throws: Refused(.revoked)) { try again.receiveChecked(introduction) }
        #expect(again.state.peerFingerprint == nil)
    }

    @Test("A forgotten pairing leaves nothing, and can be made again with another identity")
    func forgetting() throws {
        let pair = try SealedPair()
        try pair.connect()
        let before = pair.right.session.state.peerFingerprint
        try SealingDirectory(store: pair.left.store).forget("pair")
        #expect(try pair.left.files() == [])
        #expect(try pair.left.rows() == 0)
        try pair.left.restart()
        #expect(pair.left.session.state.peerFingerprint == nil)
        let introduction = try pair.left.session.connected(to: SealedPair.binding(.creator))[0]
        #expect(throws: Refused(.identityChanged)) { try pair.right.session.receiveChecked(introduction) }
        #expect(pair.right.session.state.peerFingerprint == before)
    }
}

extension SealedPair.Side {
    /// The files of pools.
    func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: store.poolsFolder) }

    /// Rows of pairings and keys, without tombstones.
    func rows() throws -> Int {
        try store.read { database in
            let tables =
                SealingTables.tables.filter { $0 != "sealing_tombstones" } + ["sealing_peer_keys", "sealing_used"]
            return try tables.reduce(0) { sum, table in
                sum + (try database.first("SELECT count(*) FROM \(table)") { try $0[0] as Int } ?? 0)
            }
        }
    }
}
