import AppCore
import Catalogues
import Cryptography
import Foundation
import Networking
import Testing

@testable import Host

/// Views of clients, and what becomes of them.
@Suite(.timeLimit(.minutes(5))) struct AttachTests {
    @Test func clientsShareDataAndHaveScreensOfTheirOwn() async throws {
        try await AttachedProfile.with { profile in
            let (one, other) = (try await profile.client(), try await profile.client())
            await one.dispatch(.rooms(.createRoom(name: "Ann", expiresIn: 300)))
            await other.dispatch(.app(.navigate(to: Screen(.settings))))
            #expect(await one.wait(upTo: ProfilePlace.patience) { $0.rooms.count == 1 ? true : nil } == true)
            #expect(await other.read { $0.rooms.first?.name } == "Ann")
            #expect(await Self.screen(of: one, is: "chat"))
            #expect(await Self.screen(of: other, is: "settings"))
            #expect(await profile.host.read { $0.views.count } == 3)
            await one.stop()
            await other.stop()
        }
    }

    private static func screen(of client: RemoteHost, is id: String) async -> Bool {
        for await _ in await client.changes() where await client.tree.id == id { return true }
        return false
    }

    @Test func patchesMakeTheTreeThatTheHostHas() async throws {
        try await AttachedProfile.with("rooms_list") { profile in
            let client = try await profile.client()
            let steps: [Action] = [
                .app(.navigate(to: Screen(.settings))), .app(.setServer(url: "https://example.org")),
                .app(.setServer(url: "nonsense")), .app(.back), .app(.navigate(to: Screen(.create))),
                .rooms(.editCreate(name: "Ünïcode 👩‍👩‍👧 שלום", expiresIn: 60)), .app(.back),
                .app(.navigate(to: Screen(.circle))), .app(.back),
            ]
            for step in steps {
                await client.dispatch(step)
                // What the host finds out meanwhile, as what the profile takes of the disk, changes its tree, too.
                while await client.tree != profile.host.tree(for: "client1", windows: [:]) {
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            await client.stop()
        }
    }

    @Test func anOfferIsDoneOnceHoweverOftenItIsAsked() async throws {
        try await AttachedProfile.with { profile in
            let channel = try profile.line()
            try await channel.greet()
            channel.say(.look(windows: nil, front: true))
            var random = SystemRandomNumberGenerator()
            channel.say(.act(n: 1, fresh: Fresh(using: &random), node: "rooms.create", offer: .tap, inputs: nil))
            #expect(try await channel.hear(\.isDid) == .did(n: 1, code: nil))
            let name = ["name": JSONValue.string("Garden")]
            channel.say(.act(n: 2, fresh: nil, node: "create.name", offer: .setText, inputs: name))
            #expect(try await channel.hear(\.isDid) == .did(n: 2, code: nil))
            let fresh = Fresh(using: &random)
            for n in [3, 4, 5] as [UInt64] {
                channel.say(.act(n: n, fresh: fresh, node: "create.submit", offer: .tap, inputs: nil))
                #expect(try await channel.hear(\.isDid) == .did(n: n, code: nil))
            }
            #expect(await profile.host.read { $0.rooms.map(\.name) } == ["Garden"])
            channel.say(.act(n: 6, fresh: nil, node: "create.submit", offer: .tap, inputs: nil))
            #expect(
                try await channel.hear(\.isDid) == .did(n: 6, code: .gone), "the form is not on the screen any more")
            channel.say(.act(n: 7, fresh: nil, node: "chat.draft", offer: .setText, inputs: ["text": .integer(3)]))
            guard case .did(7, let code) = try await channel.hear(\.isDid) else { return }
            #expect(code == .misfit || code == .gone)
        }
    }

    /// As after the end of the host process: another connection, and the same ids.
    @Test func whatIsAskedForAgainOnAnotherConnectionHappensOnce() async throws {
        try await AttachedProfile.with { profile in
            var random = SystemRandomNumberGenerator()
            let fresh = Fresh(using: &random)
            for _ in 0..<2 {
                let channel = try profile.line()
                try await channel.greet()
                let action = Action.rooms(.createRoom(name: "once", expiresIn: 300))
                channel.say(.dispatch(n: 1, fresh: fresh, action: action))
                #expect(try await channel.hear(\.isDid) == .did(n: 1, code: nil))
                channel.cut()
            }
            #expect(await profile.host.read { $0.rooms.map(\.name) } == ["once"])
        }
    }

    @Test func whoComesBackGoesOnWhereItWas() async throws {
        try await AttachedProfile.with { profile in
            let first = try profile.line()
            let session = try await first.greet()
            first.say(.look(windows: nil, front: true))
            first.say(.dispatch(n: 1, fresh: nil, action: .app(.navigate(to: Screen(.settings)))))
            var revision: UInt64 = 0
            while case .tree(let rev, let root, _) = try await first.hear(\.isTree) {
                revision = rev
                first.say(.ack(rev: rev))
                if root.id == "settings" { break }
            }
            first.cut()
            let again = try profile.line()
            #expect(try await again.greet(session: session, rev: revision) == session)
            again.say(.look(windows: nil, front: true))
            again.say(.dispatch(n: 2, fresh: nil, action: .app(.setServer(url: "https://example.org"))))
            let next = try await again.hear { $0.isPatch || $0.isTree }
            if case .tree(_, let root, let screens) = next {
                #expect(["settings", "cover.screen"].contains(root.id) && screens.last?.page == .settings)
            }
            #expect(await profile.host.read { $0.views.count } == 2)
        }
    }

    @Test func whoIsSlowGetsOnePatchAndThenTheLatest() async throws {
        try await AttachedProfile.with { profile in
            let channel = try profile.line()
            try await channel.greet()
            channel.say(.look(windows: nil, front: true))
            channel.say(.dispatch(n: 1, fresh: nil, action: .app(.navigate(to: Screen(.create)))))
            for n in 2..<100 as Range<UInt64> {
                channel.say(.dispatch(n: n, fresh: nil, action: .rooms(.editCreate(name: "\(n)", expiresIn: nil))))
            }
            var (trees, changes, last) = (0, 0, UInt64(0))
            while true {
                let frame = try await channel.hear()
                if case .tree(let rev, _, _) = frame { (trees, last) = (trees + 1, rev) }
                if case .patch(_, let rev, _, _, _) = frame { (changes, last) = (changes + 1, rev) }
                if frame == .did(n: 99, code: nil) { break }
            }
            #expect(trees + changes <= 1, "nothing more comes before what came was shown")
            var shown: String?
            while shown != "99" {
                channel.say(.ack(rev: last))
                switch try await channel.hear({ $0.isTree || $0.isPatch }) {
                case .tree(let rev, let root, _):
                    last = rev
                    if case .text(let name)? = root.find("create.name")?.value { shown = name }
                case .patch(_, let rev, _, _, let updated):
                    last = rev
                    shown = updated?.first { $0.id == "create.name" }?.fields["value"]?["text"]?.string ?? shown
                default: break
                }
            }
        }
    }

    @Test func secretsComeAndGoByReference() async throws {
        try await AttachedProfile.with { profile in
            let client = try await profile.client()
            let ref = try await client.keep(secret: "maple-otter")
            #expect(await client.secret(ref) == "maple-otter")
            #expect(await client.secret("unknown") == nil)
            let passphrase = try await client.hold(secret: "correct horse")
            await client.dispatch(.app(.setPassphrase(passphrase: passphrase, current: nil)))
            #expect(await client.wait(upTo: ProfilePlace.patience) { $0.settings.hasPassphrase ? true : nil } == true)
            await client.dispatch(.app(.lock))
            #expect(await Self.screen(of: client, is: "lock"))
            await client.dispatch(.app(.unlock(passphrase: try await client.hold(secret: "correct horse"))))
            #expect(await Self.screen(of: client, is: "rooms"))
            await client.stop()
        }
    }

    @Test func aClientGoesOnWhenTheHostIsBack() async throws {
        try await AttachedProfile.with { profile in
            let client = try await profile.client()
            await client.dispatch(.app(.navigate(to: Screen(.settings))))
            #expect(await Self.screen(of: client, is: "settings"))
            await profile.server.stop(restarts: true)
            let next = AttachServer(profile.host)
            try await next.start(profile: profile.place.folder)
            await client.dispatch(.rooms(.createRoom(name: "after", expiresIn: 300)))
            #expect(await client.read { $0.rooms.map(\.name) } == ["after"])
            #expect(await profile.host.read { $0.rooms.count } == 1)
            #expect(await client.ending == nil)
            await next.stop()
            for await _ in await client.changes() {}
            #expect(await client.ending != nil)
            #expect(await client.read { $0.rooms.map(\.name) } == ["after"], "what was known last stays readable")
            await client.stop()
        }
    }

    /// The host says once that something changed, also while a copy of the state from before is on its way.
    @Test func aClientMissesNoChange() async throws {
        try await AttachedProfile.with("rooms_list") { profile in
            let client = try await profile.client()
            for number in 0..<200 {
                let url = "https://\(number).example"
                await profile.host.dispatch(.app(.setServer(url: "https://other.example")))
                async let known = client.read(\.settings.server)
                await profile.host.dispatch(.app(.setServer(url: url)))
                let isThere = await client.wait(upTo: ProfilePlace.patience) { $0.settings.server == url ? true : nil }
                #expect(isThere == true)
                _ = await known
                guard isThere == true else { break }
            }
            await client.stop()
        }
    }

    @Test func onlyWhatAClientSawIsSeen() async throws {
        try await AttachedProfile.with("rooms_list") { profile in
            let client = try await profile.client()
            let unread = await client.read { state in
                state.rooms.first { $0.unreadCount > 0 }.flatMap { room in room.messages.last.map { (room.id, $0.id) } }
            }
            let (room, message) = try #require(unread)
            await client.tellSeen()
            await client.dispatch(.rooms(.openRoom(room: room)))
            #expect(await client.read { $0.rooms[room]?.unreadCount ?? 0 } > 0)
            await client.saw(message, in: room)
            let isSeen = await client.wait(upTo: ProfilePlace.patience) {
                $0.rooms[room]?.unreadCount == 0 ? true : nil
            }
            #expect(isSeen == true)
            await client.stop()
        }
    }

    /// A page whose first connection looks dead opens another one, also while what it is to see is being made.
    @Test(.timeLimit(.minutes(1))) func whoComesBackBeforeAnythingWasShownIsShownIt() async throws {
        try await AttachedProfile.with("member") { profile in
            for _ in 0..<200 {
                let first = try profile.line()
                let session = try await first.greet()
                first.say(.look(windows: [:], front: true, seen: nil))
                let second = try profile.line()
                try await second.greet(session: session)
                second.say(.look(windows: nil, front: true, seen: nil))
                _ = try await second.hear(\.isTree)
                first.cut()
                second.cut()
            }
        }
    }

    @Test func aProfileLocksWhenNobodyDoesAnything() async throws {
        try await AttachedProfile.with { profile in
            let client = try await profile.client()
            let passphrase = try await client.hold(secret: "correct horse")
            await client.dispatch(.app(.setPassphrase(passphrase: passphrase, current: nil)))
            #expect(await client.wait(upTo: ProfilePlace.patience) { $0.settings.hasPassphrase ? true : nil } == true)
            await profile.server.lockIfIdle(for: .zero)
            #expect(await client.read { !$0.lock.isLocked }, "auto-lock is off")
            await client.dispatch(.app(.setAutoLock(on: true)))
            await profile.server.lockIfIdle(for: .seconds(300))
            #expect(await client.read { !$0.lock.isLocked }, "somebody has just done something")
            await profile.server.lockIfIdle(for: .zero)
            #expect(await Self.screen(of: client, is: "lock"))
            await client.stop()
        }
    }

    @Test func whoeverSpeaksIsNotIdle() async throws {
        try await AttachedProfile.with("member") { profile in
            let host = profile.host
            let room = try #require(await host.read { $0.rooms.first?.id })
            await host.dispatch(.app(.setPassphrase(passphrase: try await host.hold(secret: "horse"), current: nil)))
            try await profile.place.until("there to be a passphrase") {
                await host.read { $0.settings.hasPassphrase }
            }
            for action: Action in [
                .app(.setAutoLock(on: true)), .app(.tellAbilities(can: [.microphone])), .rooms(.openRoom(room: room)),
                .chat(.recordVoice(room: room)),
            ] { await host.dispatch(action) }
            let effect = try #require(await host.read { $0.views.main.recording?.effect })
            await host.dispatch(.event(.voiceBegan(effect: effect)))
            await profile.server.lockIfIdle(for: .zero)
            #expect(await host.read { !$0.lock.isLocked })
            await host.dispatch(.event(.effectDone(effect: effect)))
            await profile.server.lockIfIdle(for: .zero)
            #expect(await host.read(\.lock.isLocked))
        }
    }

    @Test func theKeyGoesToTheNextHost() async throws {
        let place = ProfilePlace()
        var host = try await place.start()
        #expect(await host.handedOverKey == nil, "a device key lies in the profile")
        let passphrase = host.pass(secret: "correct horse")
        await host.dispatch(.app(.setPassphrase(passphrase: passphrase, current: nil)))
        #expect(await host.wait(upTo: ProfilePlace.patience) { $0.settings.hasPassphrase ? true : nil } == true)
        let key = try #require(await host.handedOverKey)
        await host.stop()
        for (key, isOpen) in [(key, true), (SecretBytes.random(count: 32), false)] {
            host = try AppHost(HostConfiguration(profile: place.folder, handedOverKey: key))
            await host.start()
            let opened = await host.wait(upTo: ProfilePlace.patience) { state -> Bool? in
                state.lock.attempt == nil ? !state.lock.isLocked : nil
            }
            #expect(opened == isOpen)
            await host.stop()
        }
        await place.stop()
    }
}
