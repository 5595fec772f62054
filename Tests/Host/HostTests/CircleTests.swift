import AppCore
import Foundation
import Sealing
import Storage
import Testing

@testable import Host

/// Seals and trust through whole hosts: what the disk holds, what is refused, how trust begins and ends.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CircleTests {
    private static func room(_ stage: TwoHosts, _ host: AppHost) async throws -> RoomID {
        try await stage.expect(host, "a room") { $0.rooms.first?.id }
    }

    /// Both take each other into their circles.
    private static func trust(_ stage: TwoHosts) async throws {
        for host in [stage.ada, stage.ben] {
            let room = try await stage.expect(host, "the identity") { state in
                state.rooms.first.flatMap { $0.identity == nil ? nil : $0.id }
            }
            await host.dispatch(.circle(.trustPeer(room: room, name: nil)))
        }
        for host in [stage.ada, stage.ben] {
            try await stage.expect(host, "a member") { $0.rooms.first?.isMember == true ? true : nil }
        }
    }

    /// Seals a text on one side.
    private static func seal(_ stage: TwoHosts, _ host: AppHost, _ text: String) async throws -> [UInt8] {
        await host.dispatch(.circle(.sealByHand(room: try await room(stage, host), text: text)))
        let path = try await stage.expect(host, "the sealed file") { state in
            state.rooms.first?.messages.all.last { $0.status == .carried && $0.body == .text(text) }?.byHand?.handle
        }
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private static func open(_ stage: TwoHosts, _ host: AppHost, _ bytes: [UInt8]) async throws {
        let path = stage.folder + "/\(UUID().uuidString).ntdf"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        await host.dispatch(.circle(.openByHand(handle: path)))
        try await stage.expect(host, "an answer") { state in
            state.pendingEffects.byID.values.contains { kind in
                switch kind {
                case .openByHand, .acknowledgeByHand: true
                default: false
                }
            } ? nil : true
        }
    }

    @Test func `a message that was opened cannot be opened again from what is on the disk`() async throws {
        let stage = try await TwoHosts()
        try await stage.meet()
        try await Self.trust(stage)
        let room = try await Self.room(stage, stage.ben)
        let sealed = try await Self.seal(stage, stage.ada, "once")
        #expect(await stage.ben.refusal(of: sealed, in: room) == nil)
        #expect(try await stage.ben.keyIsErased(of: sealed, in: room) == false)

        try await Self.open(stage, stage.ben, sealed)
        #expect(await stage.ben.read { TwoHosts.texts($0, .received) } == ["once"])
        #expect(await stage.ben.refusal(of: sealed, in: room) == .replayed)
        #expect(try await stage.ben.keyIsErased(of: sealed, in: room))
        try await Self.open(stage, stage.ben, sealed)
        #expect(await stage.ben.read { TwoHosts.texts($0, .received) } == ["once"])

        // Not even who forgets which keys were used can open it.
        try await stage.ben.profile.write { try $0.execute("DELETE FROM sealing_used") }
        #expect(await stage.ben.refusal(of: sealed, in: room) == .replayed)
        await stage.stop()
    }

    @Test func `a key that was marked when the process died is erased when the profile is opened again`() async throws {
        let stage = try await TwoHosts()
        try await stage.meet()
        try await Self.trust(stage)
        let room = try await Self.room(stage, stage.ben)
        let sealed = try await Self.seal(stage, stage.ada, "kept, then killed")
        let use = try SealingSession(pairing: room.text, store: await stage.ben.profile).open(sealed).use
        // The transaction went through, and nothing after it.
        try await stage.ben.profile.write { try SealingTables.mark([use], in: $0) }
        await stage.ben.stop()
        stage.ben = try await TwoHosts.host(stage.folder + "/ben", stage.url)
        #expect(try await stage.ben.keyIsErased(of: sealed, in: room))
        #expect(await stage.ben.refusal(of: sealed, in: room) == .replayed)
        await stage.stop()
    }

    @Test func `what cannot be sealed by hand fails at once, and is not sealed when keys come`() async throws {
        let stage = try await TwoHosts()
        try await stage.meet()
        try await Self.trust(stage)
        let room = try await Self.room(stage, stage.ada)
        await stage.ben.stop()
        try await stage.ada.profile.write {
            try $0.execute("UPDATE sealing_peer_pools SET not_after = not_after - 10000000000000")
        }
        try await Self.restartAda(stage)
        await stage.ada.dispatch(.circle(.sealByHand(room: room, text: "too late")))
        let code = try await stage.expect(stage.ada, "the refusal") { state in
            state.rooms.first?.messages.all.last.flatMap { $0.status == .failed ? $0.failure?.code : nil }
        }
        #expect(code == .noKeys)
        try await stage.ada.profile.write {
            try $0.execute("UPDATE sealing_peer_pools SET not_after = not_after + 10000000000000")
        }
        try await Self.restartAda(stage)
        let sealed = try await Self.seal(stage, stage.ada, "in time")
        #expect(try SealingSession.peek(sealed).isLastResort == false)
        #expect(try await Self.sealedFiles(stage.ada).count == 1)
        await stage.stop()
    }

    @Test func `sealed files that no message refers to go at the start, and others stay`() async throws {
        let stage = try await TwoHosts()
        try await stage.meet()
        try await Self.trust(stage)
        _ = try await Self.seal(stage, stage.ada, "to be carried")
        let kept = try await Self.sealedFiles(stage.ada)
        try Data([1]).write(to: URL(fileURLWithPath: await stage.ada.profile.sealedFolder + "/stray.ntdf"))
        #expect(try await Self.sealedFiles(stage.ada).count == 2)
        try await Self.restartAda(stage)
        #expect(try await Self.sealedFiles(stage.ada) == kept)
        await stage.stop()
    }

    @Test func `whoever sees the vault open sees how many keys there are`() async throws {
        let stage = try await TwoHosts()
        try await stage.meet()
        try await Self.trust(stage)
        try await stage.expect(stage.ada, "keys") { $0.rooms.first?.live.keys }
        await stage.ada.dispatch(.app(.setPassphrase(passphrase: stage.ada.pass(secret: "one"), current: nil)))
        try await stage.expect(stage.ada, "the passphrase") {
            $0.settings.hasPassphrase && !$0.changesPassphrase ? true : nil
        }
        await stage.ben.stop()
        try await Self.restartAda(stage)
        await stage.ada.dispatch(.app(.unlock(passphrase: stage.ada.pass(secret: "one"))))
        let keys = try await stage.expect(stage.ada, "the vault to open") { state in
            state.lock.isLocked ? nil : state.rooms.first?.live.keys?.theirs ?? 0
        }
        #expect(keys > 0)
        await stage.stop()
    }

    private static func restartAda(_ stage: TwoHosts) async throws {
        await stage.ada.stop()
        stage.ada = try await TwoHosts.host(stage.folder + "/ada", stage.url)
    }

    private static func sealedFiles(_ host: AppHost) async throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: await host.profile.sealedFolder).sorted()
    }

    @Test func `members who stopped meet again without a code, and what waited arrives`() async throws {
        let stage = try await TwoHosts()
        try await stage.meet()
        try await Self.trust(stage)
        await stage.ben.stop()
        try await stage.say(stage.ada, "for later")
        await stage.ada.stop()
        stage.ada = try await TwoHosts.host(stage.folder + "/ada", stage.url)
        stage.ben = try await TwoHosts.host(stage.folder + "/ben", stage.url)
        try await stage.untilHeard(stage.ben, ["for later"])
        for host in [stage.ada, stage.ben] {
            #expect(await host.read { $0.rooms.first?.live.verification } == .verified)
        }
        await stage.stop()
    }

    @Test func `revoked trust leaves no key on either side, and old messages stay`() async throws {
        let stage = try await TwoHosts()
        try await stage.meet()
        try await Self.trust(stage)
        try await stage.say(stage.ada, "before")
        try await stage.untilHeard(stage.ben, ["before"])
        let unopened = try await Self.seal(stage, stage.ada, "never to be read")
        let room = try await Self.room(stage, stage.ben)
        await stage.ben.dispatch(.circle(.revokeTrust(room: room, reason: "a test")))
        for host in [stage.ada, stage.ben] {
            try await stage.expect(host, "the end of trust") { $0.rooms.first?.status == .revoked ? true : nil }
            try await stage.expect(host, "rest") { state in
                state.pendingEffects.byID.values.contains { kind in
                    switch kind {
                    case .revokeTrust, .leaveRoom: true
                    default: false
                    }
                } ? nil : true
            }
            #expect(await host.read { $0.circle.tombstones.count } == 1)
            let pools = try FileManager.default.contentsOfDirectory(atPath: await host.profile.poolsFolder)
            #expect(pools.isEmpty)
        }
        #expect(await stage.ben.refusal(of: unopened, in: room) == .revoked)
        #expect(await stage.ben.read { TwoHosts.texts($0, .received) } == ["before"])
        await stage.stop()
    }

    @Test func `erasing everything takes keys, identities and tombstones along`() async throws {
        let stage = try await TwoHosts()
        try await stage.meet()
        try await Self.trust(stage)
        await stage.ada.dispatch(.app(.eraseAll))
        try await stage.expect(stage.ada, "the end of everything") {
            $0.rooms.isEmpty && $0.pendingEffects.byID.isEmpty ? true : nil
        }
        let profile = await stage.ada.profile
        #expect(try FileManager.default.contentsOfDirectory(atPath: profile.poolsFolder).isEmpty)
        let rows = try profile.read { database in
            try database.first(
                "SELECT (SELECT count(*) FROM sealing_bonds) + (SELECT count(*) FROM sealing_tombstones)"
            ) {
                try $0[0] as Int
            }
        }
        #expect(rows == 0)
        await stage.stop()
    }

    @Test func `what nobody waits for any more is not sealed, and leaves no file`() async throws {
        let stage = try await TwoHosts()
        try await stage.meet()
        try await Self.trust(stage)
        let room = try await Self.room(stage, stage.ada)
        await stage.ada.beginAndGiveUp(.circle(.sealByHand(room: room, text: "too late")))
        let message = await stage.ada.read { $0.rooms[room]?.messages.last }
        #expect(message?.status == .failed && message?.failure?.code == .timeout)
        // The next one is sealed after whatever came of the first.
        _ = try await Self.seal(stage, stage.ada, "in time")
        let files = try FileManager.default.contentsOfDirectory(atPath: stage.folder + "/ada/Sealed")
        #expect(files.count == 1)
        await stage.stop()
    }

    @Test func `a notice that is carried by hand ends the trust in the step that opens it`() async throws {
        let stage = try await TwoHosts()
        try await stage.meet()
        try await Self.trust(stage)
        let (adas, bens) = (try await Self.room(stage, stage.ada), try await Self.room(stage, stage.ben))
        await stage.ben.dispatch(.rooms(.leaveRoom(room: bens)))
        try await stage.expect(stage.ada, "nobody") { $0.rooms[adas]?.isTalking == false ? true : nil }
        await stage.ada.dispatch(.circle(.revokeTrust(room: adas, reason: nil)))
        let notice = try await stage.ada.untilNotice(adas)
        let path = stage.folder + "/notice"
        try Data(notice).write(to: URL(fileURLWithPath: path))
        await stage.ben.dispatch(.circle(.openByHand(handle: path)))
        let status = try await stage.expect(stage.ben, "the end of opening") { state in
            let isOpening = state.pendingEffects.byID.values.contains {
                if case .openByHand = $0 { true } else { false }
            }
            return isOpening ? nil : state.rooms[bens]?.status
        }
        #expect(status == .revoked)
        await stage.stop()
    }
}

extension AppHost {
    /// Nothing comes in between.
    fileprivate func beginAndGiveUp(_ action: Action) {
        dispatch(action)
        giveUpHandCarried()
    }

    /// The notice is there once the wing has ended the trust.
    fileprivate func untilNotice(_ room: RoomID) async throws -> [UInt8] {
        for _ in 0..<6000 {
            if let notice = try await revocationNotice(room) { return notice }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw TwoHosts.Timeout(description: "no notice came")
    }
}
