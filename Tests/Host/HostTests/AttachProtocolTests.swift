import AppCore
import Foundation
import Networking
import Testing

@testable import Host

/// What clients and hosts say to each other, and what neither may say.
@Suite(.timeLimit(.minutes(5))) struct AttachProtocolTests {
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
            #"{"type":"nonsense"}"#, #"{"type":"act","n":-1}"#, #"{"type":"hello","v":1}"#,
            #"{"type":"look","windows":{"a":{"before":"x"}}}"#, "{",
            #"{"type":"doc_update","doc":"n","seq":-1,"update":""}"#,
            #"{"type":"doc_close","doc":"a/b"}"#, #"{"type":"doc_open","n":-1,"note":"a/b","vector":""}"#,
            #"{"type":"act","n":1,"offer":"fly"}"#, #"{"type":"act","n":1,"node":"x"}"#,
        ])
    func whatIsNoFrameEndsTheConnection(line: String) async throws {
        try await AttachedProfile.with { profile in
            let channel = try profile.line()
            try await channel.greet()
            channel.send(Array(line.utf8))
            #expect(try await channel.hear(\.isBye) == .bye(reason: .badFrame, retryMs: nil))
        }
    }

    /// The first tree of a view is made while the frame that ends the connection is read: some earlier, some later.
    @Test func nothingIsSaidAfterBye() async throws {
        try await AttachedProfile.with { profile in
            for frames in 0..<200 {
                let channel = try profile.line()
                channel.say(.hello(v: attachVersion, session: nil, rev: nil, screens: nil))
                for _ in 0..<frames { channel.say(.ping) }
                channel.send(Array("{".utf8))
                var last: HostFrame?
                while let line = await channel.next() { last = try AttachLine.decode(HostFrame.self, from: line) }
                #expect(last?.isBye == true, "\(String(describing: last))")
            }
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
        ([ask("page", "")], [#""code":"failed""#]),
        ([ask("give_up", "")], [#""result":null"#]),
        ([ask("talk", #","session":"nothing","item":1"#)], [#""code":"gone""#]),
        ([ask("qr_code", #","text":"482913-maple-otter""#)], [#""rows":["1111111"#]),
        ([ask("qr_code", "")], [#""type":"reply""#]),
        ([ask("report", "")], [#""type":"reply""#, #""n":1"#]),
        ([ask("report", #","content":true"#)], [#""type":"reply""#, #""n":1"#]),
        ([#"{"type":"give","n":1,"bytes":"%"}"#], [#""code":"misfit""#]),
        (
            [#"{"type":"give","n":1,"bytes":"AAAA"}"#, ask("open_file", "")],
            [#""code":"failed""#, #""code":"unreadable""#]
        ),
        (
            [#"{"type":"doc_open","n":4,"note":"none","vector":"AA=="}"#],
            [#""type":"reply""#, #""n":4"#, #""code":"gone""#]
        ),
        (
            [#"{"type":"doc_update","doc":"none","seq":1,"update":"AAA="}"#],
            [#""type":"doc_closed""#, #""reason":"gone""#]
        ),
        ([#"{"type":"doc_picture","n":5,"doc":"none","handle":"/x"}"#], [#""n":5"#, #""code":"gone""#]),
        (
            [
                #"{"type":"doc_ack","doc":"none"}"#, #"{"type":"doc_cursor","doc":"none"}"#,
                #"{"type":"doc_close","doc":"none"}"#, #"{"type":"ping"}"#,
            ], [#""type":"pong""#]
        ),
        ([#"{"type":"hello","v":1}"#], [#""type":"bye""#, #""reason":"bad_frame""#]),
        (
            [#"{"type":"dispatch","n":6,"action":{"type":"send_text","room":7}}"#],
            [#""type":"did""#, #""n":6"#, #""code":"misfit""#]
        ),
        // The connection stays.
        (unknownVerb, [#""type":"did""#, #""n":2"#, #""code":"gone""#]), (unknownVerb, [#""type":"pong""#]),
        (noNote, [#""type":"reply""#, #""n":3"#, #""code":"gone""#]), (noNote, [#""type":"pong""#]),
        (noDocument, [#""type":"reply""#, #""n":4"#, #""code":"gone""#]), (noDocument, [#""type":"pong""#]),
        ([#"{"type":"dispatch","n":7,"action":{"type":"no_such_action"}}"#, #"{"type":"ping"}"#], [#""type":"pong""#]),
        ([#"{"type":"dispatch","n":-1,"action":{}}"#], [#""type":"bye""#, #""reason":"bad_frame""#]),
        ([answer(#""type":"voice_began","effect":7"#)], [#""type":"did""#, #""n":8"#, #""code":"gone""#]),
        ([answer(#""type":"tick""#)], [#""n":8"#, #""code":"misfit""#]),
        ([answer(#""type":"no_such_event""#)], [#""n":8"#, #""code":"misfit""#]),
        ([#"{"type":"stop","n":9}"#], [#""type":"did""#, #""n":9"#]),
    ]

    private static func answer(_ event: String) -> String { #"{"type":"answer","n":8,"event":{\#(event)}}"# }

    private static let unknownVerb = [
        #"{"type":"act","n":2,"node":"rooms.create","offer":"fly"}"#, #"{"type":"ping"}"#,
    ]
    private static let noNote = [#"{"type":"doc_open","n":3,"note":"a/b","vector":"AA=="}"#, #"{"type":"ping"}"#]
    private static let noDocument = [
        #"{"type":"doc_picture","n":4,"doc":"a/b","handle":"/x"}"#, #"{"type":"ping"}"#,
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
