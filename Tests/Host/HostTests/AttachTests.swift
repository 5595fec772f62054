import AppCore
import Catalogues
import Cryptography
import Foundation
import Networking
import Testing

@testable import Host

/// A profile with a host in this process, and clients that attach to it through its socket.
private final class AttachedProfile {
    let place = ProfilePlace()
    let host: AppHost
    let server: AttachServer

    init(_ scenario: String? = nil, passphrase: String? = nil) async throws {
        if let scenario { try place.fill(with: scenario) }
        host = try await place.start()
        server = AttachServer(host)
        try await server.start(profile: place.folder)
    }

    func client() async throws -> RemoteHost { try await RemoteHost(profile: place.folder) }

    func line() throws -> LineChannel {
        var limits = LineChannel.Limits()
        limits.line = 64 << 20
        return try LineChannel(path: AttachServer.path(of: place.folder), limits: limits)
    }

    func stop() async {
        await server.stop()
        await place.stop()
    }

    static func with(_ scenario: String? = nil, _ body: (AttachedProfile) async throws -> Void) async throws {
        let profile = try await AttachedProfile(scenario)
        let result: Result<Void, any Error>
        do { result = .success(try await body(profile)) } catch { result = .failure(error) }
        await profile.stop()
        try result.get()
    }
}

extension LineChannel {
    fileprivate func say(_ frame: ClientFrame) { send(AttachLine.encode(frame)) }

    /// The next frame that fulfils a condition.
    fileprivate func hear(_ isWanted: (HostFrame) -> Bool = { _ in true }) async throws -> HostFrame {
        while let line = await next() {
            let frame = try AttachLine.decode(HostFrame.self, from: line)
            if isWanted(frame) { return frame }
        }
        throw Ended(after: nil)
    }

    fileprivate struct Ended: Error { let after: HostFrame? }

    /// Says hello and takes the welcome.
    @discardableResult fileprivate func greet(session: String? = nil, rev: UInt64? = nil) async throws -> String {
        say(.hello(v: attachVersion, session: session, rev: rev, screens: nil))
        let first = try await hear()
        guard case .welcome(_, _, let session, _, _) = first else { throw Ended(after: first) }
        return session
    }
}

extension HostFrame {
    fileprivate var isTree: Bool { if case .tree = self { true } else { false } }
    fileprivate var isPatch: Bool { if case .patch = self { true } else { false } }
    fileprivate var isDid: Bool { if case .did = self { true } else { false } }
    fileprivate var isBye: Bool { if case .bye = self { true } else { false } }
}

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
                let expected = await profile.host.tree(for: "client1", windows: [:])
                var isSame = await client.tree == expected
                while !isSame {
                    try await Task.sleep(for: .milliseconds(5))
                    isSame = await client.tree == expected
                }
                #expect(isSame)
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

    @Test(
        arguments: [
            "", "x", "{}", "[]", "null", #"{"type":"hello"}"#, #"{"type":"hello","v":99}"#, #"{"type":"ping"}"#,
            #"{"type":"act","n":1,"node":"x","offer":"tap"}"#, String(repeating: "[", count: 5000),
            String(repeating: "A", count: 70_000), "\u{0}\u{1}\u{2}", #"{"type":"hello","v":1,"session":7}"#,
        ])
    func whatIsNoHelloEndsTheConnectionAndDisturbsNobody(line: String) async throws {
        try await AttachedProfile.with { profile in
            let client = try await profile.client()
            let channel = try profile.line()
            channel.send(Array(line.utf8))
            channel.finish()
            while let answer = await channel.next() {
                #expect(try AttachLine.decode(HostFrame.self, from: answer).isBye)
            }
            await client.dispatch(.rooms(.createRoom(name: "still here", expiresIn: 300)))
            let rooms = await client.read { $0.rooms.count }
            let end = await client.end
            #expect(rooms == 1, "the host ended it: \(String(describing: end))")
            #expect(await profile.host.read { $0.views.count } == 2)
            await client.stop()
        }
    }

    @Test(
        arguments: [
            #"{"type":"nonsense"}"#, #"{"type":"act","n":-1}"#, #"{"type":"dispatch","n":1,"action":{"type":"x"}}"#,
            #"{"type":"hello","v":1}"#, #"{"type":"look","windows":{"a":{"before":"x"}}}"#, "{",
        ])
    func whatIsNoFrameEndsTheConnection(line: String) async throws {
        try await AttachedProfile.with { profile in
            let channel = try profile.line()
            try await channel.greet()
            channel.send(Array(line.utf8))
            #expect(try await channel.hear(\.isBye) == .bye(reason: .badFrame, retryMs: nil))
        }
    }

    /// What one client says, and a member or two of what answers it: every kind of frame, and every error that is not a matter of time.
    private static let exchanges: [(say: [String], hear: [String])] = [
        ([#"{"type":"ping","unknown":[1]}"#], [#"{"type":"pong"}"#]),
        ([#"{"type":"look","front":true}"#], [#""type":"tree""#, #""id":"rooms""#, #""screens":[{"page":"rooms"}]"#]),
        ([#"{"type":"look","seen":{"r":"m"},"windows":{}}"#, #"{"type":"ping"}"#], [#""type":"pong""#]),
        ([#"{"type":"ack","rev":99}"#, #"{"type":"ping"}"#], [#""type":"pong""#]),
        ([#"{"type":"watch","on":true}"#, dispatch("back", "")], [#""type":"did""#, #""n":1"#]),
        (
            [#"{"type":"watch","on":true}"#, dispatch("navigate", #","to":{"page":"create"}"#)],
            [#"{"type":"changed"}"#]
        ),
        ([#"{"type":"act","n":1,"node":"x","offer":"tap"}"#], [#""code":"gone""#]),
        (
            [
                #"{"type":"look","front":true}"#, dispatch("navigate", #","to":{"page":"create"}"#),
                #"{"type":"act","n":2,"node":"create.name","offer":"set_text","inputs":{"name":3}}"#,
            ], [#""code":"misfit""#]
        ),
        ([dispatch("tick", "")], [#""code":"misfit""#]), ([dispatch("open_view", "")], [#""code":"misfit""#]),
        ([#"{"type":"secret","n":3,"text":"words"}"#], [#""type":"reply""#, #""n":3"#, #""result":""#]),
        ([ask("secret", #","ref":"nothing""#)], [#""code":"unknown_secret""#]),
        ([ask("weather", "")], [#""code":"unknown_query""#]),
        ([ask("state", "")], [#""result":{"#, #""rooms":[]"#]),
        ([ask("status", "")], [#""pid":"#, #""locked":false"#]),
        ([ask("keys_left", #","room":"nothing""#)], [#""code":"gone""#]), ([ask("seal_file", "")], [#""code":"gone""#]),
        ([ask("notice", "")], [#""code":"gone""#]), ([ask("file_stored", "")], [#""code":"gone""#]),
        ([ask("give_up", "")], [#""result":null"#]), ([ask("report", "")], [#""inputs":["#, #""start":{"#]),
        ([ask("report", #","content":true"#)], [#""type":"reply""#, #""n":1"#]),
        ([#"{"type":"give","n":1,"bytes":"%"}"#], [#""code":"misfit""#]),
        (
            [#"{"type":"give","n":1,"bytes":"AAAA"}"#, ask("open_file", "")],
            [#""code":"failed""#, #""code":"unreadable""#]
        ),
        ([#"{"type":"hello","v":1}"#], [#""type":"bye""#, #""reason":"bad_frame""#]),
        ([#"{"type":"stop","n":9}"#], [#""type":"did""#, #""n":9"#]),
    ]

    private static func dispatch(_ action: String, _ members: String) -> String {
        #"{"type":"dispatch","n":1,"action":{"type":"\#(action)"\#(members)}}"#
    }

    private static func ask(_ query: String, _ members: String) -> String {
        #"{"type":"ask","n":1,"query":"\#(query)"\#(members)}"#
    }

    @Test(arguments: exchanges.indices) func everyFrameIsAnsweredAsThePageSays(index: Int) async throws {
        let (say, hear) = Self.exchanges[index]
        try await AttachedProfile.with { profile in
            let channel = try profile.line()
            try await channel.greet()
            for line in say { channel.send(Array(line.utf8)) }
            while let line = await channel.next() {
                let text = String(decoding: line, as: UTF8.self)
                if hear.allSatisfy(text.contains) { return }
                if case .tree(let rev, _, _) = try AttachLine.decode(HostFrame.self, from: line) {
                    channel.say(.ack(rev: rev))
                }
            }
            Issue.record("the connection ended before \(hear)")
        }
    }

    @Test func everyQuestionAndEveryErrorHasAnExchange() {
        let said = Self.exchanges.flatMap(\.say).joined() + Self.exchanges.flatMap(\.hear).joined()
        for query in HostQuery.allCases where query != .secret { #expect(said.contains("\"\(query.rawValue)\"")) }
        // A matter of time, of other clients or of the disk: these have tests of their own, or none can cause them.
        let others: Set<HostFrame.Code> = [.unsaved, .locked, .wrongVersion, .tooMany, .ending, .flood]
        for code in HostFrame.Code.allCases where !others.contains(code) {
            #expect(said.contains("\"\(code.rawValue)\""), "\(code)")
        }
    }

    @Test func whatTakesKeysIsRefusedWhileTheProfileIsLocked() async throws {
        try await AttachedProfile.with { profile in
            let client = try await profile.client()
            let passphrase = try await client.hold(secret: "correct horse")
            await client.dispatch(.app(.setPassphrase(passphrase: passphrase, current: nil)))
            #expect(await client.wait(upTo: ProfilePlace.patience) { $0.settings.hasPassphrase ? true : nil } == true)
            await client.dispatch(.app(.lock))
            await #expect(throws: AttachError.refused(.locked)) { try await client.keysLeft(in: "r") }
            await #expect(throws: AttachError.refused(.locked)) { try await client.recorded(withContent: true) }
            await #expect(throws: AttachError.refused(.locked)) { try await client.openFile([1]) { _ in } }
            await client.stop()
        }
    }

    @Test func thereIsRoomForFifteenClients() async throws {
        try await AttachedProfile.with { profile in
            var clients: [RemoteHost] = []
            for _ in 0..<15 { clients.append(try await profile.client()) }
            await #expect(throws: AttachError.ended(.tooMany)) { try await profile.client() }
            let stranger = try profile.line()
            stranger.say(.hello(v: 99, session: nil, rev: nil, screens: nil))
            #expect(try await stranger.hear() == .bye(reason: .wrongVersion, retryMs: nil))
            for client in clients { await client.stop() }
        }
    }

    @Test func clientsCannotSayWhatTheWorldDid() async throws {
        try await AttachedProfile.with { profile in
            let channel = try profile.line()
            try await channel.greet()
            let forbidden: [Action] = [.event(.started(locked: false, records: [])), .app(.closeView), .app(.openView)]
            for action in forbidden {
                channel.say(.dispatch(n: 1, fresh: nil, action: action))
                #expect(try await channel.hear(\.isDid) == .did(n: 1, code: .misfit))
            }
        }
    }

    @Test func aFloodEndsWithAWord() async throws {
        try await AttachedProfile.with { profile in
            let channel = try profile.line()
            try await channel.greet()
            for _ in 0..<5000 { channel.say(.ping) }
            #expect(try await channel.hear(\.isBye) == .bye(reason: .flood, retryMs: 5000))
        }
    }

    @Test func aThousandThatAttachDoNotPushOutWhoIsThere() async throws {
        try await AttachedProfile.with { profile in
            let client = try await profile.client()
            var channels: [LineChannel] = []
            for number in 0..<1000 {
                guard let channel = try? profile.line() else { continue }
                if number % 2 == 0 { channel.say(.hello(v: attachVersion, session: nil, rev: nil, screens: nil)) }
                channels.append(channel)
                if channels.count > 30 { channels.removeFirst().cut() }
            }
            #expect(await profile.host.read { $0.views.count } <= ViewList.limit)
            await client.dispatch(.rooms(.createRoom(name: "still here", expiresIn: 300)))
            #expect(await client.read { $0.rooms.count } == 1)
            for channel in channels { channel.cut() }
            await client.stop()
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

    @Test func theEndOfTheHostIsSaidAndTheSocketIsGone() async throws {
        try await AttachedProfile.with { profile in
            let channel = try profile.line()
            try await channel.greet()
            await profile.server.stop()
            #expect(try await channel.hear(\.isBye) == .bye(reason: .ending, retryMs: nil))
            #expect(await channel.next() == nil)
            await #expect(throws: NetworkingError.self) { try await profile.client() }
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

    @Test func framesSurviveJSON() throws {
        let look = ["chat.messages": Window.Request(anchor: "message.x", before: 3, after: 4)]
        let frames: [ClientFrame] = [
            .hello(v: 1, session: "s", rev: 3, screens: [Screen(.rooms)]), .look(windows: look, front: true), .ping,
            .act(n: 1, fresh: Fresh(1, 2, 3, 4), node: "a", offer: .setText, inputs: ["text": .string("x")]),
            .dispatch(n: 2, fresh: nil, action: .chat(.sendText(room: "r", text: "x"))), .watch(on: true),
            .secret(n: 3, text: "s", once: true), .ask(n: 4, query: "secret", ref: "r"), .ack(rev: 5), .stop(n: 6),
        ]
        for frame in frames {
            #expect(try AttachLine.decode(ClientFrame.self, from: AttachLine.encode(frame)) == frame)
        }
        #expect(
            String(decoding: AttachLine.encode(ClientFrame.ack(rev: 5)), as: UTF8.self) == #"{"rev":5,"type":"ack"}"#)
        let answers: [HostFrame] = [
            .welcome(v: 1, view: "a", session: "s", locked: false), .changed, .pong, .did(n: 1, code: .gone),
            .tree(rev: 1, root: SemanticNode(.screen, "rooms"), screens: [Screen(.rooms)]),
            .patch(from: 1, rev: 2, removed: ["x"], placed: nil, updated: nil), .reply(n: 1, result: .null, code: nil),
            .bye(reason: .flood, retryMs: 3),
        ]
        for frame in answers {
            let back = try AttachLine.decode(HostFrame.self, from: AttachLine.encode(frame))
            if case .reply = frame { continue }
            #expect(back == frame)
        }
    }
}
