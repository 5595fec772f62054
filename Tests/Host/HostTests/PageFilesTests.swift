import AppCore
import Foundation
import Testing

@testable import Host
@testable import PageServer

/// Files that a page gives and gets.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PageFilesTests {
    private static let fresh = Fresh(1, 2, 3, 4)
    /// A member of the circle: nothing that a server says ends the room.
    private static let scenario = "member"

    /// A page that was let in, with its socket.
    private struct Visit {
        let served: ServedPage
        let channel = PageChannel()
        let cookie: String
        let session: String
        let room: RoomID

        /// - Parameter cookie: that of a page in the same browser.
        init(_ served: ServedPage, cookie: String? = nil) async throws {
            self.served = served
            if let cookie { self.cookie = cookie } else { self.cookie = try await served.enter() }
            session = try await channel.greet(served.profile.server)
            room = try #require(await served.profile.host.read { $0.rooms.first?.id })
        }

        /// Gives a file.
        /// - Returns: its id.
        func give(_ content: String) async throws -> String {
            let answer = try await served.give(content, session: session, cookie: cookie)
            #expect(answer.hasPrefix("HTTP/1.1 201"), "\(answer)")
            let json = try #require(answer.components(separatedBy: "\r\n\r\n").last)
            return try #require(try JSONDecoder().decode([String: String].self, from: Data(json.utf8))["id"])
        }

        func send(_ handle: String, as name: String = "a.txt", _ fresh: Fresh = PageFilesTests.fresh) async throws
            -> HostFrame.Code?
        {
            try await channel.perform(
                .chat(.sendFile(room: room, name: name, bytes: 1, handle: handle, media: nil)), fresh)
        }

        func get(_ path: String, _ fields: [String] = [], method: String = "GET") async throws -> String {
            try await served.ask(
                method, path, ["host: \(served.host)", "cookie: \(cookie)", "connection: close"] + fields)
        }

        /// The message that an input with these ids made.
        func message(_ fresh: Fresh = PageFilesTests.fresh) async -> Message? {
            let (room, id) = (room, AppCore.MessageID(fresh.first))
            return await served.profile.host.read { $0.rooms[room]?.messages[id] }
        }

        var sent: String { served.profile.place.file("Files/Sent") }
        var waiting: [String] { (try? FileManager.default.contentsOfDirectory(atPath: sent + "/Waiting")) ?? [] }
    }

    private static func with(_ body: (Visit) async throws -> Void) async throws {
        try await ServedPage.with(scenario) { try await body(Visit($0)) }
    }

    @Test func whatIsGivenIsSentFromAPlaceThatThePageDoesNotKnow() async throws {
        try await Self.with { visit in
            let id = try await visit.give("hello")
            #expect(!id.contains("/") && visit.waiting == [id])
            #expect(try await visit.send(id) == nil)
            let message = try #require(await visit.message())
            guard case .file(let offer) = message.body else { throw PageChannel.Ended() }
            // The page said another length.
            #expect(offer.bytes == 5 && offer.handle == "\(visit.sent)/\(visit.room)/\(Self.fresh.first)")
            #expect(visit.waiting.isEmpty)
            let answer = try await visit.get("/files/\(visit.room)/\(message.id)")
            #expect(answer.hasPrefix("HTTP/1.1 200") && answer.hasSuffix("\r\n\r\nhello"))
        }
    }

    @Test func aPageRecordsAndHandsOverWhatItWasToldToSend() async throws {
        try await Self.with { visit in
            let host = visit.served.profile.host
            _ = try await visit.channel.perform(.app(.tellAbilities(can: [.microphone])))
            _ = try await visit.channel.perform(.rooms(.openRoom(room: visit.room)))
            _ = try await visit.channel.perform(.chat(.recordVoice(room: visit.room)))
            let effect = try #require(await host.read { $0.views.compactMap(\.recording).last?.effect })
            // Another page has another microphone.
            let other = try await Visit(visit.served, cookie: visit.cookie)
            #expect(try await other.channel.answer(.voiceBegan(effect: effect)) == .gone)
            #expect(try await visit.channel.answer(.vaultUnlocked(effect: effect, records: [])) == .misfit)
            #expect(try await visit.channel.answer(.voiceBegan(effect: effect)) == nil)
            _ = try await visit.channel.perform(.chat(.sendVoice(room: visit.room)))
            let media = Media.voice(duration: 4000, waveform: [0, 255])
            let whole = { (handle: String) in
                Event.voiceRecorded(effect: effect, name: "voice.weba", bytes: 1, handle: handle, media: media)
            }
            #expect(try await visit.channel.answer(whole("/etc/passwd"), Self.fresh) == .gone)
            let file = try await visit.give("sound")
            for _ in 0..<2 { #expect(try await visit.channel.answer(whole(file), Self.fresh) == nil) }
            guard case .file(let offer) = try #require(await visit.message()).body else { throw PageChannel.Ended() }
            #expect(offer.bytes == 5 && offer.media == media)
            #expect(offer.handle == "\(visit.sent)/\(visit.room)/\(Self.fresh.first)")
            #expect(try await visit.get("/files/\(visit.room)/\(Self.fresh.first)").hasSuffix("\r\n\r\nsound"))
            #expect(try await visit.channel.answer(.voiceBegan(effect: effect)) == .gone)
        }
    }

    /// The client makes the ids of messages, so it can say one again.
    @Test func anIdThatWasUsedBeforeTouchesNoFile() throws {
        let folder = NSTemporaryDirectory() + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let uploads = ClientUploads(files: folder)
        let give = { (session: String) in
            uploads.open(session)
            try uploads.take("of \(session)", bytes: 3, of: session) { folder, name in
                try Data(session.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
            }
            return "of \(session)"
        }
        let first = try #require(try uploads.claim(give("one"), of: "one", for: "message", in: "room"))
        uploads.settle(first.path, isUsed: true)
        #expect(try uploads.claim(give("two"), of: "two", for: "message", in: "room") == nil)
        #expect(try String(contentsOfFile: first.path, encoding: .utf8) == "one")
    }

    @Test func partsAreServed() async throws {
        try await Self.with { visit in
            #expect(try await visit.send(visit.give("0123456789"), as: "film.mp4") == nil)
            let path = "/files/\(visit.room)/\(Self.fresh.first)"
            let part = try await visit.get(path, ["range: bytes=2-4"])
            #expect(part.hasPrefix("HTTP/1.1 206") && part.contains("content-range: bytes 2-4/10\r\n"), "\(part)")
            #expect(part.contains("content-type: video/mp4\r\n") && part.hasSuffix("\r\n\r\n234"))
            #expect(try await visit.get(path, ["range: bytes=10-"]).hasPrefix("HTTP/1.1 416"))
            let head = try await visit.get(path, method: "HEAD")
            #expect(head.contains("content-length: 10\r\n") && head.hasSuffix("\r\n\r\n"), "\(head)")
            #expect(try await visit.get(path, method: "POST").hasPrefix("HTTP/1.1 40"))
        }
    }

    @Test(arguments: [
        ("a.png", "image/png", "inline"), ("a.JPG", "image/jpeg", "inline"), ("voice.weba", "audio/webm", "inline"),
        ("a.html", "application/octet-stream", "attachment"), ("a.svg", "application/octet-stream", "attachment"),
        ("a.js", "application/octet-stream", "attachment"), ("a.png.pdf", "application/octet-stream", "attachment"),
        ("png", "application/octet-stream", "attachment"),
    ])
    func onlyWhatIsSafeHasAType(name: String, type: String, manner: String) async throws {
        try await Self.with { visit in
            #expect(try await visit.send(visit.give("<script>"), as: name) == nil)
            let path = "/files/\(visit.room)/\(Self.fresh.first)"
            let answer = try await visit.get(path)
            for field in [
                "content-type: \(type)", "content-disposition: \(manner); filename*=UTF-8''\(name)",
                "x-content-type-options: nosniff", "cache-control: no-store",
                "content-security-policy: default-src 'none'; frame-ancestors 'none'; sandbox",
            ] { #expect(answer.contains("\r\n\(field)\r\n"), "\(field) is not in \(answer)") }
            #expect(try await visit.get(path + "?save").contains("content-disposition: attachment;"))
        }
    }

    @Test func aNameIsEscaped() async throws {
        try await Self.with { visit in
            #expect(try await visit.send(visit.give("x"), as: "a\"; é.png") == nil)
            let answer = try await visit.get("/files/\(visit.room)/\(Self.fresh.first)")
            #expect(answer.contains("filename*=UTF-8''a%22%3B%20%C3%A9.png\r\n"))
        }
    }

    @Test(arguments: [
        "/files/", "/files/ROOM", "/files/ROOM/", "/files/ROOM/none", "/files/none/MESSAGE", "/files/ROOM/MESSAGE/",
        "/files//ROOM/MESSAGE", "/files/ROOM/../ROOM/MESSAGE/..", "/files/../../etc/passwd",
        "/files/%2e%2e%2f%2e%2e/etc%2fpasswd", "/files/ROOM/%2fetc%2fpasswd", "/files/Waiting/ID",
    ])
    func nothingButFilesOfMessagesIsServed(path: String) async throws {
        try await Self.with { visit in
            #expect(try await visit.send(visit.give("secret")) == nil)
            let id = try await visit.give("secret")
            let path = path.replacingOccurrences(of: "ROOM", with: visit.room.text)
                .replacingOccurrences(of: "MESSAGE", with: Self.fresh.first).replacingOccurrences(of: "ID", with: id)
            let answer = try await visit.get(path)
            #expect(answer.hasPrefix("HTTP/1.1 40") && !answer.contains("secret") && !answer.contains("root:"))
        }
    }

    @Test func onlyThePageItselfGetsFiles() async throws {
        try await Self.with { visit in
            let id = try await visit.give("secret")
            #expect(try await visit.send(id) == nil)
            let path = "/files/\(visit.room)/\(Self.fresh.first)"
            #expect(try await visit.get(path, ["sec-fetch-site: same-origin"]).hasSuffix("secret"))
            for site in ["cross-site", "same-site", "none"] {
                #expect(try await visit.get(path, ["sec-fetch-site: \(site)"]).hasPrefix("HTTP/1.1 403"))
            }
            #expect(try await visit.get(path, ["origin: http://evil.example"]).hasPrefix("HTTP/1.1 403"))
            #expect(try await visit.served.get(path, cookie: nil).hasPrefix("HTTP/1.1 403"))
            #expect(try await visit.served.get(path, cookie: "alcove-\(visit.served.port)=0").hasPrefix("HTTP/1.1 403"))
            let other = ["host: localhost:\(visit.served.port)", "cookie: \(visit.cookie)", "connection: close"]
            #expect(try await visit.served.ask("GET", path, other).hasPrefix("HTTP/1.1 403"))
        }
    }

    @Test func aLockedProfileGivesNone() async throws {
        try await Self.with { visit in
            #expect(try await visit.send(visit.give("secret")) == nil)
            try await visit.served.profile.place.setPassphrase("six plain words are enough here", current: nil)
            await visit.served.profile.host.dispatch(.app(.lock))
            let answer = try await visit.get("/files/\(visit.room)/\(Self.fresh.first)")
            #expect(answer.hasPrefix("HTTP/1.1 403") && answer.contains("Alcove is locked"))
        }
    }

    @Test func aFileBelongsToThePageThatGaveIt() async throws {
        try await Self.with { visit in
            let id = try await visit.give("mine")
            let other = try await Visit(visit.served, cookie: visit.cookie)
            #expect(try await other.send(id) == .gone)
            // Neither is a path of the disk a file that was given.
            for path in ["/etc/passwd", "../\(id)", visit.sent + "/Waiting/" + id, ""] {
                #expect(try await visit.send(path) == .gone)
                #expect(try await visit.channel.perform(.circle(.openByHand(handle: path))) == .gone)
            }
            #expect(await visit.message() == nil)
            #expect(try await visit.send(id) == nil)
            // It is used up.
            #expect(try await visit.send(id, Fresh(5, 6, 7, 8)) == .gone)
        }
    }

    @Test(arguments: ["", "none", "client1"]) func whoIsNobodyGivesNothing(session: String) async throws {
        try await Self.with { visit in
            let answer = try await visit.served.give("x", session: session, cookie: visit.cookie)
            #expect(answer.hasPrefix("HTTP/1.1 403") && visit.waiting.isEmpty)
        }
    }

    @Test func aPageNamesNoPlaceAndEndsNothing() async throws {
        try await Self.with { visit in
            #expect(try await visit.channel.refusal(of: .page) == .unknownQuery)
            #expect(try await visit.channel.refusal(of: .report, withContent: true) == .unknownQuery)
            #expect(try await visit.channel.refusal(of: .report) == nil)
            #expect(try await visit.channel.refusal(of: .status) == nil)
            #expect(
                try await visit.channel.perform(
                    .chat(.saveFile(room: visit.room, message: .init(Self.fresh.first), to: "/tmp"))) == .misfit)
            let program = Action.agents(.addAgent(name: "a", command: ["sh"], variables: "t"))
            let gateway = Action.agents(.addGateway(name: "a", url: "https://a", fingerprint: nil, token: "t"))
            let code = Action.apps(.chooseCore(bundle: "/tmp/core.js"))
            let allowed = Action.agents(
                .noteDecision(
                    agent: "a", session: "s", folder: nil, decision: AgentDecision(.once, AgentCall(id: "t"))))
            for action in [program, gateway, code, allowed, .apps(.installApp(source: "/tmp/app"))] {
                #expect(try await visit.channel.perform(action) == .misfit)
            }
            visit.channel.say(.stop(n: 9))
            let answer = try await visit.channel.hear(\.isDid)
            #expect(answer == .did(n: 9, code: .misfit))
        }
    }

    /// A program of this machine becomes an agent only outside of every page.
    @Test func aPageAddsNoProgramAndCannotAnswerForThePerson() async throws {
        try await Self.with { visit in
            let host = visit.served.profile.host
            for action: Action in [
                .agents(.addAgent(name: "a", command: ["sh"])), .agents(.proposeAgent(name: "b", command: ["sh"])),
            ] {
                let code = try await visit.channel.perform(action)
                #expect(code == nil)
            }
            for number in 1...20 {
                let answer = Event.desktopAnswered(effect: EffectID(UInt64(number)), isAccepted: true)
                let code = try await visit.channel.answer(answer)
                #expect(code == .misfit)
            }
            let model = Action.agents(.addModel(name: "c", url: "https://c", model: nil, key: nil))
            let code = try await visit.channel.perform(model)
            #expect(code == nil)
            #expect(await host.read { $0.agents.inOrder.map(\.name) } == ["c"])
        }
    }

    /// Nor is one shared: what the page says becomes a question for the person.
    @Test func aPageSharesNoAgent() async throws {
        try await Self.with { visit in
            let host = visit.served.profile.host
            await host.dispatch(.agents(.addAgent(name: "a", command: ["sh"])))
            let agent = try await visit.served.profile.place.expect("the agent") { $0.agents.inOrder.first?.id }
            let share = Action.agents(
                .shareAgent(agent: agent, room: visit.room, folder: "/", readOnly: false, ownerDecides: false))
            let code = try await visit.channel.perform(share)
            #expect(code == nil)
            let room = visit.room
            try await visit.served.profile.place.expect("the question") { state in
                state.views.contains { $0.agents.sharing?.proposal?.room == room } ? true : nil
            }
            for number in 1...20 {
                let answer = Event.desktopAnswered(effect: EffectID(UInt64(number)), isAccepted: true)
                let code = try await visit.channel.answer(answer)
                #expect(code == .misfit)
            }
            #expect(await host.read { $0.agents.inOrder.allSatisfy(\.shares.isEmpty) })
        }
    }

    @Test func whatNoMessageUsesGoes() async throws {
        try await Self.with { visit in
            _ = try await visit.served.give("he", session: visit.session, cookie: visit.cookie, length: 500)
            try await visit.served.profile.place.until("what broke off to go") { visit.waiting.isEmpty }
            _ = try await visit.give("waits")
            #expect(try await visit.send(visit.give("used")) == nil)
            let refused = Fresh(5, 6, 7, 8)
            let nowhere = ChatAction.sendFile(
                room: "none", name: "a", bytes: 1, handle: try await visit.give("nowhere"), media: nil)
            #expect(try await visit.channel.perform(.chat(nowhere), refused) == .gone)
            #expect(visit.waiting.count == 2)
            let used = "\(visit.sent)/\(visit.room)/\(Self.fresh.first)"
            #expect(FileManager.default.fileExists(atPath: used))
            await visit.served.profile.host.dispatch(
                .chat(.deleteMessage(room: visit.room, message: .init(Self.fresh.first))))
            // The end of the page's view.
            await visit.served.profile.server.stop()
            #expect(visit.waiting.isEmpty && !FileManager.default.fileExists(atPath: used))
        }
    }

    @Test func aProcessBeginsWithoutWhatWaitedInTheLastOne() throws {
        let place = ProfilePlace()
        let folder = place.file("Files/Sent/Waiting")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/1"))
        let uploads = ClientUploads(files: place.file("Files"))
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(throws: ClientUploads.Refusal.unknownClient) {
            try uploads.take("1", bytes: 1, of: "nobody") { _, _ in Issue.record("nobody gave this") }
        }
    }

    @Test func whatWaitsHasALimit() throws {
        let place = ProfilePlace()
        let uploads = ClientUploads(files: place.file("Files"))
        uploads.open("page")
        let take = { (id: String, bytes: Int64) throws in try uploads.take(id, bytes: bytes, of: "page") { _, _ in } }
        try take("first", ClientUploads.limit - 1)
        try take("second", 1)
        #expect(throws: ClientUploads.Refusal.full) { () throws in try take("third", 1) }
        uploads.close("page")
        uploads.open("page")
        for number in 0..<ClientUploads.waitingLimit { try take("\(number)", 1) }
        #expect(throws: ClientUploads.Refusal.full) { () throws in try take("one more", 1) }
    }
}
