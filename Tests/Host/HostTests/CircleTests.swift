import AppCore
import Foundation
import Sealing
import Storage
import Testing

@testable import Host

/// Seals and trust through whole hosts: what the disk holds, what is refused, how trust begins and ends.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CircleTests {
    private static func room(_ hosts: TwoHosts, _ host: AppHost) async throws -> RoomID {
        try await hosts.expect(host, "a room") { $0.rooms.first?.id }
    }

    /// Seals a text on one side.
    private static func seal(_ hosts: TwoHosts, _ host: AppHost, _ text: String) async throws -> [UInt8] {
        await host.dispatch(.circle(.sealByHand(room: try await room(hosts, host), text: text)))
        let path = try await hosts.expect(host, "the sealed file") { state in
            state.rooms.first?.messages.all.last { $0.status == .carried && $0.body == .text(text) }?.byHand?.handle
        }
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private static func open(_ hosts: TwoHosts, _ host: AppHost, _ bytes: [UInt8]) async throws {
        let path = hosts.folder + "/\(UUID().uuidString).ntdf"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        await host.dispatch(.circle(.openByHand(handle: path)))
        try await hosts.expect(host, "an answer") { state in
            state.pendingEffects.byID.values.contains { kind in
                switch kind {
                case .openByHand, .acknowledgeByHand: true
                default: false
                }
            } ? nil : true
        }
    }

    @Test func `a message that was opened cannot be opened again from what is on the disk`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        try await hosts.trust()
        let room = try await Self.room(hosts, hosts.ben)
        let sealed = try await Self.seal(hosts, hosts.ada, "once")
        #expect(await hosts.ben.refusal(of: sealed, in: room) == nil)
        #expect(try await hosts.ben.keyIsErased(of: sealed, in: room) == false)

        try await Self.open(hosts, hosts.ben, sealed)
        #expect(await hosts.ben.read { TwoHosts.texts($0, .received) } == ["once"])
        #expect(await hosts.ben.refusal(of: sealed, in: room) == .replayed)
        #expect(try await hosts.ben.keyIsErased(of: sealed, in: room))
        try await Self.open(hosts, hosts.ben, sealed)
        #expect(await hosts.ben.read { TwoHosts.texts($0, .received) } == ["once"])

        // Not even who forgets which keys were used can open it.
        try await hosts.ben.profile.write { try $0.execute("DELETE FROM sealing_used") }
        #expect(await hosts.ben.refusal(of: sealed, in: room) == .replayed)
        await hosts.stop()
    }

    @Test func `a key that was marked when the process died is erased when the profile is opened again`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        try await hosts.trust()
        let room = try await Self.room(hosts, hosts.ben)
        let sealed = try await Self.seal(hosts, hosts.ada, "kept, then killed")
        let use = try SealingSession(pairing: room.text, store: await hosts.ben.profile).open(sealed).use
        // The transaction went through, and nothing after it.
        try await hosts.ben.profile.write { try SealingTables.mark([use], in: $0) }
        await hosts.ben.stop()
        hosts.ben = try await TwoHosts.host(hosts.folder + "/ben", hosts.url)
        #expect(try await hosts.ben.keyIsErased(of: sealed, in: room))
        #expect(await hosts.ben.refusal(of: sealed, in: room) == .replayed)
        await hosts.stop()
    }

    @Test func `what cannot be sealed by hand fails at once, and is not sealed when keys come`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        try await hosts.trust()
        let room = try await Self.room(hosts, hosts.ada)
        await hosts.ben.stop()
        try await hosts.ada.profile.write {
            try $0.execute("UPDATE sealing_peer_pools SET not_after = not_after - 10000000000000")
        }
        try await Self.restartAda(hosts)
        await hosts.ada.dispatch(.circle(.sealByHand(room: room, text: "too late")))
        let code = try await hosts.expect(hosts.ada, "the refusal") { state in
            state.rooms.first?.messages.all.last.flatMap { $0.status == .failed ? $0.failure?.code : nil }
        }
        #expect(code == .noKeys)
        try await hosts.ada.profile.write {
            try $0.execute("UPDATE sealing_peer_pools SET not_after = not_after + 10000000000000")
        }
        try await Self.restartAda(hosts)
        let sealed = try await Self.seal(hosts, hosts.ada, "in time")
        #expect(try SealingSession.peek(sealed).isLastResort == false)
        #expect(try await Self.sealedFiles(hosts.ada).count == 1)
        await hosts.stop()
    }

    @Test func `sealed files that no message refers to go at the start, and others stay`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        try await hosts.trust()
        _ = try await Self.seal(hosts, hosts.ada, "to be carried")
        let kept = try await Self.sealedFiles(hosts.ada)
        try Data([1]).write(to: URL(fileURLWithPath: await hosts.ada.profile.sealedFolder + "/stray.ntdf"))
        #expect(try await Self.sealedFiles(hosts.ada).count == 2)
        try await Self.restartAda(hosts)
        #expect(try await Self.sealedFiles(hosts.ada) == kept)
        await hosts.stop()
    }

    @Test func `whoever sees the vault open sees how many keys there are`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        try await hosts.trust()
        try await hosts.expect(hosts.ada, "keys") { $0.rooms.first?.live.keys }
        await hosts.ada.dispatch(.app(.setPassphrase(passphrase: hosts.ada.pass(secret: "one"), current: nil)))
        try await hosts.expect(hosts.ada, "the passphrase") {
            $0.settings.hasPassphrase && !$0.changesPassphrase ? true : nil
        }
        await hosts.ben.stop()
        try await Self.restartAda(hosts)
        await hosts.ada.dispatch(.app(.unlock(passphrase: hosts.ada.pass(secret: "one"))))
        let keys = try await hosts.expect(hosts.ada, "the vault to open") { state in
            state.lock.isLocked ? nil : state.rooms.first?.live.keys?.theirs ?? 0
        }
        #expect(keys > 0)
        await hosts.stop()
    }

    private static func restartAda(_ hosts: TwoHosts) async throws {
        await hosts.ada.stop()
        hosts.ada = try await TwoHosts.host(hosts.folder + "/ada", hosts.url)
    }

    private static func sealedFiles(_ host: AppHost) async throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: await host.profile.sealedFolder).sorted()
    }

    @Test func `members who stopped meet again without a code, and what waited arrives`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        try await hosts.trust()
        await hosts.ben.stop()
        try await hosts.say(hosts.ada, "for later")
        await hosts.ada.stop()
        hosts.ada = try await TwoHosts.host(hosts.folder + "/ada", hosts.url)
        hosts.ben = try await TwoHosts.host(hosts.folder + "/ben", hosts.url)
        try await hosts.untilHeard(hosts.ben, ["for later"])
        for host in [hosts.ada, hosts.ben] {
            #expect(await host.read { $0.rooms.first?.live.verification } == .verified)
        }
        await hosts.stop()
    }

    @Test func `revoked trust leaves no key on either side, and old messages stay`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        try await hosts.trust()
        try await hosts.say(hosts.ada, "before")
        try await hosts.untilHeard(hosts.ben, ["before"])
        let unopened = try await Self.seal(hosts, hosts.ada, "never to be read")
        let room = try await Self.room(hosts, hosts.ben)
        await hosts.ben.dispatch(.circle(.revokeTrust(room: room, reason: "a test")))
        for host in [hosts.ada, hosts.ben] {
            try await hosts.expect(host, "the end of trust") { $0.rooms.first?.status == .revoked ? true : nil }
            try await hosts.expect(host, "rest") { state in
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
        #expect(await hosts.ben.refusal(of: unopened, in: room) == .revoked)
        #expect(await hosts.ben.read { TwoHosts.texts($0, .received) } == ["before"])
        await hosts.stop()
    }

    @Test func `erasing everything takes keys, identities and tombstones along`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        try await hosts.trust()
        await hosts.ada.dispatch(.app(.eraseAll))
        try await hosts.expect(hosts.ada, "the end of everything") {
            $0.rooms.isEmpty && $0.pendingEffects.byID.isEmpty ? true : nil
        }
        let profile = await hosts.ada.profile
        #expect(try FileManager.default.contentsOfDirectory(atPath: profile.poolsFolder).isEmpty)
        let rows = try profile.read { database in
            try database.first(
                "SELECT (SELECT count(*) FROM sealing_bonds) + (SELECT count(*) FROM sealing_tombstones)"
            ) {
                try $0[0] as Int
            }
        }
        #expect(rows == 0)
        await hosts.stop()
    }

    @Test func `what nobody waits for any more is not sealed, and leaves no file`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        try await hosts.trust()
        let room = try await Self.room(hosts, hosts.ada)
        await hosts.ada.beginAndGiveUp(.circle(.sealByHand(room: room, text: "too late")))
        let message = await hosts.ada.read { $0.rooms[room]?.messages.last }
        #expect(message?.status == .failed && message?.failure?.code == .timeout)
        // The next one is sealed after whatever came of the first.
        _ = try await Self.seal(hosts, hosts.ada, "in time")
        let files = try FileManager.default.contentsOfDirectory(atPath: hosts.folder + "/ada/Sealed")
        #expect(files.count == 1)
        await hosts.stop()
    }

    @Test func `a notice that is carried by hand ends the trust in the step that opens it`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        try await hosts.trust()
        let (adas, bens) = (try await Self.room(hosts, hosts.ada), try await Self.room(hosts, hosts.ben))
        await hosts.ben.dispatch(.rooms(.leaveRoom(room: bens)))
        try await hosts.expect(hosts.ada, "nobody") { $0.rooms[adas]?.isTalking == false ? true : nil }
        await hosts.ada.dispatch(.circle(.revokeTrust(room: adas, reason: nil)))
        let notice = try await hosts.ada.untilNotice(adas)
        let path = hosts.folder + "/notice"
        try Data(notice).write(to: URL(fileURLWithPath: path))
        await hosts.ben.dispatch(.circle(.openByHand(handle: path)))
        let status = try await hosts.expect(hosts.ben, "the end of opening") { state in
            let isOpening = state.pendingEffects.byID.values.contains {
                if case .openByHand = $0 { true } else { false }
            }
            return isOpening ? nil : state.rooms[bens]?.status
        }
        #expect(status == .revoked)
        await hosts.stop()
    }
}

extension AppHost {
    /// Nothing comes in between.
    fileprivate func beginAndGiveUp(_ action: Action) {
        dispatch(action)
        giveUpHandCarried()
    }

    /// The notice is there once the rooms subsystem has ended the trust.
    fileprivate func untilNotice(_ room: RoomID) async throws -> [UInt8] {
        for _ in 0..<6000 {
            if let notice = try await revocationNotice(room) { return notice }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw TwoHosts.Timeout(description: "no notice came")
    }
}
