import AppCore
import Foundation
import Peers
import Storage
import Synchronization
import Testing

@testable import Host

/// Agents between the core and a program of others: an agent by the reference library of the protocol.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HostedAgentsTests {
    /// A host with a session.
    struct Place {
        let profile: ProfilePlace
        let session: AgentSessionID

        init(
            _ script: String = "acp_agent.py", _ arguments: [String] = [],
            folder: String = FileManager.default.temporaryDirectory.path
        ) async throws {
            profile = ProfilePlace()
            let host = try await profile.start()
            let command = [try Programs.python().path, Programs.script(script)] + arguments
            await host.dispatch(.agents(.addAgent(name: "helper", command: command)))
            let agent = try await profile.expect("the agent") { $0.agents.inOrder.first?.id }
            await host.dispatch(.agents(.newAgentSession(agent: agent, folder: folder)))
            session = try await profile.expect("the session") { $0.talks.inOrder.first?.id }
        }

        var host: AppHost {
            get throws { try #require(profile.host) }
        }

        func ask(_ text: String) async throws {
            try await host.dispatch(.agents(.askAgent(session: session, text: text)))
        }

        @discardableResult
        func talk(_ what: String, _ look: @escaping @Sendable (AgentTalk) -> Bool) async throws -> AgentTalk {
            let session = session
            return try await profile.expect(what) { state in state.talks[session].flatMap { look($0) ? $0 : nil } }
        }
    }

    private static func answer(_ approval: AgentApproval, of id: AgentSessionID, _ choice: AgentChoice) -> Action {
        .agents(.answerAgent(session: id, approval: approval.id, of: approval.of, choice: choice))
    }

    @Test func `a turn is started, told and ended, and the next one goes to the same program`() async throws {
        let place = try await Place()
        try await place.ask("say one two")
        try await place.ask("work")
        let talk = try await place.talk("the turns") { $0.session.status == .done && $0.session.turn == 2 }
        #expect(talk.items.map(\.content).contains(.text(text: "onetwo")))
        #expect(talk.items.map(\.content).contains(.thought(text: "hm")))
        #expect(talk.session.plan.map(\.content) == ["Read it"])
        guard case .called(let call)? = talk.items.last?.content else {
            Issue.record("\(talk.items)")
            return
        }
        #expect(call.status == "completed" && call.results == [.text(text: "what is in it")])
        #expect(!talk.items.contains { $0.content == .begunAnew })
        await place.profile.stop()
    }

    @Test func `two views answer one question, and the first answer counts`() async throws {
        let place = try await Place()
        let host = try place.host
        for view: ViewID in ["one", "two"] { await host.dispatch(.app(.openView), in: view) }
        try await place.ask("edit")
        let asking = try await place.talk("the question") { $0.session.status == .waits }
        let approval = try #require(asking.session.approvals.first)
        #expect(approval.call.results == [.change(path: "/a", lines: "- old\n+ new", added: 1, removed: 1)])
        await host.dispatch(Self.answer(approval, of: place.session, .once), in: "one")
        await host.dispatch(Self.answer(approval, of: place.session, .reject), in: "two")
        let talk = try await place.talk("the end") { $0.session.status == .done }
        #expect(talk.items.last?.content == .text(text: "yes"))
        #expect(await host.read { $0.notices.last?.view } == "two")
        #expect(await host.read { $0.talks.log.entries.map(\.decision.verdict) } == [.once])
        await place.profile.stop()
    }

    @Test func `a turn is stopped, also before the agent is ready`() async throws {
        let place = try await Place()
        try await place.ask("wait")
        try await place.host.dispatch(.agents(.stopAgent(session: place.session)))
        try await place.talk("the first end") { $0.session.status == .stopped }
        try await place.ask("wait")
        try await place.talk("the text") { $0.items.last?.content == .text(text: "waiting") }
        try await place.host.dispatch(.agents(.stopAgent(session: place.session)))
        try await place.talk("the second end") { $0.session.status == .stopped }
        try await place.ask("say on")
        try await place.talk("the third turn") { $0.items.last?.content == .text(text: "on") }
        await place.profile.stop()
    }

    @Test func `after the host was killed in mid-turn nobody claims to know what happened`() async throws {
        let place = try await Place()
        try await place.ask("edit")
        try await place.talk("the question") { $0.session.status == .waits }
        try await place.profile.until("the disk") { await (try place.host).isSaved }
        // What a killed process leaves. Nothing may be written while it is copied.
        try await place.host.flight.flush()
        let left = NSTemporaryDirectory() + "killed-\(UUID().uuidString)"
        try FileManager.default.copyItem(atPath: place.profile.folder, toPath: left)
        let after = Place(on: ProfilePlace(left), place.session)
        try await after.profile.start()
        let talk = try await after.talk("the session") { _ in true }
        #expect(talk.session.status == .unknown && talk.session.approvals.isEmpty)
        #expect(try await after.host.read { $0.talks.log.entries.map(\.decision.verdict) } == [.gone])
        try await after.ask("say here")
        try await after.talk("another agent") { $0.items.last?.content == .text(text: "here") }
        await after.profile.stop()
        await place.profile.stop()
    }

    @Test func `a link that leads out of the folder is asked about, whatever a policy allows`() async throws {
        let folder = URL(fileURLWithPath: NSTemporaryDirectory() + "linked-\(UUID().uuidString)")
            .resolvingSymlinksInPath()
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = FileManager.default
        try files.createDirectory(at: folder.appending(path: "project/sub"), withIntermediateDirectories: true)
        for (name, target) in [
            ("out", "/etc"), ("new", "../elsewhere/x"), ("round", "round"), ("in", "sub"), ("up", "sub/../.."),
        ] {
            try files.createSymbolicLink(
                atPath: folder.path + "/project/" + name, withDestinationPath: target)
        }
        // A link whose name ends with what joins a slash, and one to what has no name as a text.
        let project = Array((folder.path + "/project/").utf8)
        for (name, target) in [
            (Array("joined\u{D4E}".utf8), Array("/etc".utf8)), ([0xFF], Array("/etc".utf8)),
            (Array("odd".utf8), [0xFF]),
        ] {
            let words = [target, project + name].map { $0.map(CChar.init(bitPattern:)) + [0] }
            #expect(symlink(words[0], words[1]) == 0)
        }
        let place = try await Place("acp_agent.py", [], folder: folder.path + "/project")
        let host = try place.host
        await host.dispatch(.agents(.setAgentPolicy(session: place.session, kind: .edit, policy: .allow)))
        for (name, end) in [
            ("out/hosts", "/etc/hosts"), ("new", folder.path + "/elsewhere/x"),
            ("up/project2", folder.path + "/project2"),
            ("round", "?" + folder.path + "/project/round"), ("joined\u{D4E}/hosts", "/etc/hosts"),
            ("odd/hosts", "/etc/hosts"),
        ] {
            try await place.ask("edit \(folder.path)/project/\(name)")
            let talk = try await place.talk("the question about \(name)") { $0.session.status == .waits }
            let approval = try #require(talk.session.approvals.first)
            guard case .change(end, _, _, _)? = approval.call.results?.first else {
                Issue.record("\(approval.call)")
                break
            }
            await host.dispatch(Self.answer(approval, of: place.session, .reject))
            try await place.talk("the end") { $0.session.status == .done }
        }
        for name in ["in/a", "a"] {
            try await place.ask("edit \(folder.path)/project/\(name)")
            let turn = try await place.talk("the turn") { _ in true }.session.turn
            try await place.talk("the end of \(name)") { $0.session.status == .done && $0.session.turn == turn }
        }
        #expect(
            await host.read { $0.talks.log.entries.suffix(2).map(\.decision.verdict) } == [
                .allowedByPolicy, .allowedByPolicy,
            ])
        await place.profile.stop()
    }

    @Test func `two devices answer at the same instant, and one answer counts`() async throws {
        let place = try await Place()
        let host = try place.host
        for view: ViewID in ["one", "two"] { await host.dispatch(.app(.openView), in: view) }
        for turn in 1...8 {
            try await place.ask("edit")
            let asking = try await place.talk("question \(turn)") { $0.session.status == .waits }
            let approval = try #require(asking.session.approvals.first)
            let (allow, reject) = (
                Self.answer(approval, of: place.session, .once), Self.answer(approval, of: place.session, .reject)
            )
            async let one: Void = host.dispatch(allow, in: "one")
            async let two: Void = host.dispatch(reject, in: "two")
            _ = await (one, two)
            let talk = try await place.talk("the end") { $0.session.status == .done && $0.session.turn == turn }
            let verdicts = await host.read { $0.talks.log.entries.map(\.decision.verdict) }
            #expect(verdicts.count == turn)
            #expect(talk.items.last?.content == .text(text: verdicts.last == .once ? "yes" : "no"))
        }
        await place.profile.stop()
    }

    @Test func `an agent that ends while it asks leaves a question that nobody can answer`() async throws {
        let place = try await Place("faulty_agent.py", ["cut", "5"])
        try await place.ask("go")
        let talk = try await place.talk("the loss") { $0.session.status == .unknown }
        #expect(talk.session.approvals.isEmpty)
        #expect(try await place.host.read { $0.talks.log.entries.map(\.decision.verdict) } == [.gone])
        await place.profile.stop()
    }

    @Test func `an agent that is killed, or is none, is told`() async throws {
        let killed = try await Place("faulty_agent.py", ["killed"])
        try await killed.ask("go")
        let talk = try await killed.talk("the loss") { $0.session.status == .unknown }
        #expect(talk.session.end?.failure?.code == .agentEnded)
        await killed.profile.stop()
        let missing = try await Place()
        let host = try missing.host
        await host.dispatch(.agents(.addAgent(name: "none", command: ["/no/such/program"])))
        let agent = try await missing.profile.expect("it") { $0.agents.named("none")?.id }
        await host.dispatch(.agents(.newAgentSession(agent: agent, folder: "/")))
        let session = try await missing.profile.expect("its session") { state in
            state.talks.inOrder.first { $0.session.agent == agent }?.id
        }
        await host.dispatch(.agents(.askAgent(session: session, text: "go")))
        try await missing.profile.expect("the failure") { state in
            state.talks[session]?.session.end?.failure?.code == .agentUnavailable ? true : nil
        }
        await missing.profile.stop()
    }

    @Test func `a flood costs a bounded amount, and the newest is kept`() async throws {
        let place = try await Place("faulty_agent.py", ["flood", "40"])
        try await place.ask("go")
        let talk = try await place.talk("the end") { !$0.session.isInTurn }
        #expect(talk.items.reduce(0) { $0 + $1.bytes } <= AgentTalkLimits.sessionBytes)
        await place.profile.stop()
    }

    @Test(arguments: ["loads", "resumes"])
    func `an agent that can goes on with a session, and nothing stands there twice`(way: String) async throws {
        let file = NSTemporaryDirectory() + "thread-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let place = try await Place("acp_agent.py", [way, file])
        try await place.ask("say one")
        let before = try await place.talk("the turn") { $0.session.status == .done && $0.session.thread != nil }
        #expect(before.session.choosers?.map(\.kind) == [.mode, .model])
        let host = try place.host
        await host.dispatch(.agents(.chooseForAgent(session: place.session, kind: .model, option: "large")))
        try await place.talk("the model") { $0.session.choosers?.last?.current == "large" }
        await host.dispatch(.agents(.closeAgentSession(session: place.session)))
        await host.dispatch(.agents(.chooseForAgent(session: place.session, kind: .mode, option: "plan")))
        try await place.ask("recall")
        let after = try await place.talk("the next turn") { $0.session.status == .done && $0.session.turn == 2 }
        #expect(after.items.last?.content == .text(text: "say one plan large"))
        #expect(Array(after.items.prefix(before.items.count)) == before.items, "what was there is what it was")
        #expect(after.items.count == before.items.count + 2)
        await host.dispatch(.agents(.closeAgentSession(session: place.session)))
        try FileManager.default.removeItem(atPath: file)
        try await place.ask("recall")
        let anew = try await place.talk("the last turn") { $0.session.status == .done && $0.session.turn == 3 }
        #expect(anew.items.contains { $0.content == .notTakenUp })
        #expect(anew.items.last?.content == .text(text: "plan large"), "what was chosen is chosen again")
        await place.profile.stop()
    }

    @Test func `what an agent did after it was lost is merged with what is known when it goes on`() async throws {
        let file = NSTemporaryDirectory() + "thread-\(UUID().uuidString)"
        defer { for name in [file, file + ".told"] { try? FileManager.default.removeItem(atPath: name) } }
        let place = try await Place("acp_agent.py", ["loads", file])
        try await place.ask("say one")
        try await place.talk("the first turn") { $0.session.status == .done }
        try await place.ask("lose")
        let lost = try await place.talk("the loss") { $0.session.status == .unknown && $0.live.effect == nil }
        #expect(lost.items.contains { $0.content == .text(text: "One, ") })
        try await place.ask("recall")
        let after = try await place.talk("the next turn") { $0.session.status == .done && $0.session.turn == 3 }
        let texts = after.items.compactMap { if case .text(let text) = $0.content { text.text } else { nil } }
        #expect(texts == ["one", "One, two, three.", "say one lose ask small"])
        for item in lost.items {
            #expect(after[item: item.id]?.at == item.at, "what was on the screen is where it was")
        }
        await place.profile.stop()
    }

    /// The rows of pictures in the profile.
    private static func pictures(_ place: Place) async throws -> Int {
        try await place.host.profile.database.withLock { database in
            try database.first("SELECT count(*) FROM agent_pictures") { try $0[0] as Int } ?? -1
        }
    }

    private static let png =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

    @Test func `a picture goes along with a prompt, and goes when its session does`() async throws {
        let place = try await Place("acp_agent.py", ["sees"])
        let host = try place.host
        let file = NSTemporaryDirectory() + "picture-\(UUID().uuidString).png"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try #require(Data(base64Encoded: Self.png)).write(to: URL(fileURLWithPath: file))
        func attach(_ path: String) async {
            await host.dispatch(.agents(.attachToPrompt(session: place.session, name: path, bytes: 1, handle: path)))
        }
        await attach(file)
        let draft = try await place.talk("the picture") { $0.session.pictures?.count == 1 }
        #expect(draft.session.pictures?.first?.type == "image/png")
        try await place.ask("look")
        let talk = try await place.talk("the answer") { $0.session.status == .done }
        #expect(talk.items.last?.content == .text(text: "image/png 70"))
        #expect(talk.session.takesPictures == true)
        #expect(try await Self.pictures(place) == 1)
        // What is none is not taken, and nothing waits for a pipe.
        let pipe = file + ".pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        defer { unlink(pipe) }
        for other in [pipe, "/dev/zero", "/no/such/file", "/proc/self/status"] {
            await attach(other)
            try await place.profile.expect("the answer about \(other)") { state in
                state.pendingEffects.contains { if case .keepPicture = $0 { true } else { false } } ? nil : true
            }
            #expect(await host.read { $0.notices.last?.text.keys.first }?.hasPrefix("failure.file_unreadable") == true)
            let session = place.session
            #expect(await host.read { $0.talks[session]?.session.pictures } == nil)
        }
        await host.dispatch(.agents(.removeAgentSession(session: place.session)))
        try await place.profile.until("the disk") { try await Self.pictures(place) == 0 }
        await place.profile.stop()
    }

    @Test func `an agent that takes no pictures says so, and nothing else happens`() async throws {
        let place = try await Place()
        let host = try place.host
        let file = NSTemporaryDirectory() + "picture-\(UUID().uuidString).png"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try #require(Data(base64Encoded: Self.png)).write(to: URL(fileURLWithPath: file))
        await host.dispatch(.agents(.attachToPrompt(session: place.session, name: "a.png", bytes: 1, handle: file)))
        try await place.talk("the picture") { $0.session.pictures?.count == 1 }
        try await place.ask("look")
        let talk = try await place.talk("the end") { $0.session.status == .done }
        #expect(talk.session.end?.failure?.code == .agentTakesNoPictures && talk.session.takesPictures == false)
        await place.profile.stop()
    }

    @Test func `a model server is told what was said before`() async throws {
        let place = ProfilePlace()
        let pipe = Pipe()
        let server = try ChildProcess(
            program: Programs.python(), arguments: [Programs.script("model_server.py"), ""],
            output: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        let host = try await place.start()
        let url = "http://127.0.0.1:\(pipe.firstLine())"
        await host.dispatch(.agents(.addModel(name: "local", url: url, model: nil, key: nil)))
        let agent = try await place.expect("the agent") { $0.agents.inOrder.first?.id }
        await host.dispatch(.agents(.newAgentSession(agent: agent, folder: nil)))
        let session = try await place.expect("the session") { $0.talks.inOrder.first?.id }
        for (turn, text) in ["hello", "history"].enumerated() {
            await host.dispatch(.agents(.askAgent(session: session, text: text)))
            try await place.expect("turn \(turn)") { state in
                state.talks[session].flatMap { $0.session.turn == turn + 1 && !$0.session.isInTurn ? true : nil }
            }
            await host.dispatch(.agents(.closeAgentSession(session: session)))
        }
        let items = await host.read { $0.talks[session]?.items ?? [] }
        #expect(items.last?.content == .text(text: #"["hello", "Gr\u00fc\u00df dich", "history"]"#))
        #expect(!items.contains { $0.content == .begunAnew })
        await place.stop()
        await server.ended(grace: .zero)
    }

    @Test func `locking ends the agent`() async throws {
        let place = try await Place()
        try await place.profile.setPassphrase("long enough a passphrase", current: nil)
        try await place.ask("wait")
        try await place.talk("the text") { $0.items.last?.content == .text(text: "waiting") }
        let host = try place.host
        await host.dispatch(.app(.lock))
        try await place.profile.until("its end") {
            let isEmpty = await host.heldAgents.isEmpty
            return await host.read { $0.pendingEffects.byID.isEmpty } && isEmpty
        }
        await host.dispatch(.app(.unlock(passphrase: host.pass(secret: "long enough a passphrase"))))
        try await place.talk("what is known") { $0.session.status == .unknown }
        await place.profile.stop()
    }
}

extension HostedAgentsTests.Place {
    init(on profile: ProfilePlace, _ session: AgentSessionID) { (self.profile, self.session) = (profile, session) }
}
