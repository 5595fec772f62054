import AppCore
import Foundation
import Peers
import Testing

@testable import Host

/// An agent of one machine that a member of the circle uses from another one, over a real link on loopback.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SharedAgentTests {
    /// Ada has an agent; Ben is in her circle.
    final class Pair {
        let hosts: TwoHosts
        let project: String

        init(_ script: String = "acp_agent.py", _ arguments: [String] = [], sandbox: AgentSandbox? = nil) async throws {
            hosts = try await TwoHosts()
            project = hosts.folder + "/project"
            try FileManager.default.createDirectory(atPath: project, withIntermediateDirectories: true)
            try await hosts.meet()
            try await hosts.trust()
            let command = [try Programs.python().path, Programs.script(script)] + arguments
            await hosts.ada.dispatch(.agents(.addAgent(name: "helper", command: command, sandbox: sandbox)))
        }

        func share(readOnly: Bool = false, ownerDecides: Bool = false) async throws {
            let agent = try await hosts.expect(hosts.ada, "the agent") { $0.agents.named("helper")?.id }
            let room = try await hosts.expect(hosts.ada, "the room") { $0.rooms.first?.id }
            await hosts.ada.dispatch(
                .agents(
                    .shareAgent(
                        agent: agent, room: room, folder: project, readOnly: readOnly, ownerDecides: ownerDecides)))
        }

        /// Ben begins a session with the agent of Ada's.
        func begin() async throws -> AgentSessionID {
            let agent = try await hosts.expect(hosts.ben, "the offer") { $0.agents.inOrder.first }
            #expect(agent.name == "helper@Ada" && agent.place.member != nil)
            await hosts.ben.dispatch(.agents(.newAgentSession(agent: agent.id, folder: nil)))
            return try await hosts.expect(hosts.ben, "the session") { $0.talks.inOrder.first?.id }
        }

        func ask(_ session: AgentSessionID, _ text: String) async {
            await hosts.ben.dispatch(.agents(.askAgent(session: session, text: text)))
        }

        @discardableResult
        func ben(_ session: AgentSessionID, _ what: String, _ look: @escaping @Sendable (AgentTalk) -> Bool)
            async throws
            -> AgentTalk
        {
            try await hosts.expect(hosts.ben, what) { state in state.talks[session].flatMap { look($0) ? $0 : nil } }
        }

        @discardableResult
        func ada(_ what: String, _ look: @escaping @Sendable (AgentTalk) -> Bool) async throws -> AgentTalk {
            try await hosts.expect(hosts.ada, what) { state in
                state.talks.inOrder.first { $0.session.guest != nil && look($0) }
            }
        }

        func answer(_ host: AppHost, _ talk: AgentTalk, _ choice: AgentChoice) async throws {
            await host.dispatch(try SharedAgentTests.answer(talk, choice))
        }

        func sever() async throws {
            let room = try await hosts.expect(hosts.ada, "the room") { $0.rooms.first?.id }
            await hosts.ada.sever(room)
        }
    }

    fileprivate static func answer(_ talk: AgentTalk, _ choice: AgentChoice) throws -> Action {
        let approval = try #require(talk.session.approvals.first)
        return .agents(.answerAgent(session: talk.id, approval: approval.id, of: approval.of, choice: choice))
    }

    private static func said(_ talk: AgentTalk) -> String {
        talk.items.reduce(into: "") { all, item in if case .text(let text) = item.content { all += text.text } }
    }

    @Test func `a member asks, and hears everything that the agent says, in the folder that was shared`() async throws {
        let pair = try await Pair()
        try await pair.share()
        let session = try await pair.begin()
        await pair.ask(session, "say one two three")
        let talk = try await pair.ben(session, "the answer") { $0.session.status == .done }
        #expect(Self.said(talk) == "onetwothree")
        #expect(talk.items.contains { $0.content == .thought(text: "hm") })
        await pair.ask(session, "where")
        let place = try await pair.ben(session, "the folder") { $0.session.turn == 2 && $0.session.status == .done }
        #expect(Self.said(place).contains(pair.project))
        // The owner sees the same, and cannot ask in it.
        let owned = try await pair.ada("the session") { $0.session.turn == 2 && $0.session.status == .done }
        #expect(owned.items.map(\.content) == place.items.map(\.content))
        await pair.hosts.ada.dispatch(.agents(.askAgent(session: owned.id, text: "say no")))
        #expect(await pair.hosts.ada.read { $0.talks[owned.id]?.session.turn } == 2)
        await pair.hosts.stop()
    }

    @Test(arguments: [true, false]) func `pictures go over the link, to an agent that takes them`(
        sees: Bool
    ) async throws {
        let pair = try await Pair("acp_agent.py", sees ? ["sees"] : [])
        try await pair.share()
        let session = try await pair.begin()
        let file = pair.hosts.folder + "/picture.gif"
        try Data(Array("GIF89a".utf8) + [UInt8](repeating: 7, count: 1_500_000)).write(to: URL(fileURLWithPath: file))
        await pair.hosts.ben.dispatch(
            .agents(.attachToPrompt(session: session, name: "picture.gif", bytes: 1_500_006, handle: file)))
        try await pair.ben(session, "the picture") { $0.session.pictures?.count == 1 }
        await pair.ask(session, "look")
        let talk = try await pair.ben(session, "the answer") { $0.session.status == .done }
        if sees {
            #expect(Self.said(talk) == "image/gif 1500006")
            let owned = try await pair.ada("the session") { $0.session.status == .done }
            guard case .prompt("look", let pictures?)? = owned.items.first?.content else {
                Issue.record("\(owned.items)")
                return
            }
            #expect(pictures.map(\.bytes) == [1_500_006])
        } else {
            #expect(talk.session.end?.failure?.code == .agentTakesNoPictures)
        }
        await pair.hosts.stop()
    }

    @Test(arguments: [true, false]) func `a request appears on both sides, and the first answer counts`(
        isMember: Bool
    ) async throws {
        let pair = try await Pair()
        try await pair.share()
        let session = try await pair.begin()
        await pair.ask(session, "edit")
        let theirs = try await pair.ben(session, "the question") { $0.session.status == .waits }
        let ours = try await pair.ada("the question") { $0.session.status == .waits }
        #expect(theirs.session.approvals.first?.call.results == ours.session.approvals.first?.call.results)
        if isMember {
            // The change is of /a, which is not in the folder: only the owner allows that, and the member is not offered it.
            #expect(theirs.session.approvals.first?.choices == [.reject])
            #expect(ours.session.approvals.first?.choices == [.once, .always, .reject])
            try await pair.answer(pair.hosts.ben, theirs, .once)
            for talk in [
                try await pair.ada("still open") { _ in true }, try await pair.ben(session, "too") { _ in true },
            ] {
                #expect(talk.session.status == .waits)
            }
        }
        try await pair.answer(pair.hosts.ada, ours, .once)
        let talk = try await pair.ben(session, "the end") { $0.session.status == .done }
        #expect(Self.said(talk) == "yes" && talk.session.approvals.isEmpty)
        #expect(await pair.hosts.ada.read { $0.talks.log.entries.map(\.decision.verdict) } == [.once])
        await pair.hosts.stop()
    }

    @Test func `owner and member answer at once, and one answer counts`() async throws {
        let pair = try await Pair()
        try await pair.share()
        let session = try await pair.begin()
        for round in 1...8 {
            await pair.ask(session, "edit \(pair.project)/a")
            let theirs = try await pair.ben(session, "the question") { $0.session.status == .waits }
            let ours = try await pair.ada("the question") { $0.session.status == .waits }
            let (before, isAllowed) = (Self.said(theirs), round.isMultiple(of: 2))
            let member = try Self.answer(theirs, isAllowed ? .once : .reject)
            let owner = try Self.answer(ours, isAllowed ? .reject : .once)
            let (ada, ben) = (pair.hosts.ada, pair.hosts.ben)
            async let one: Void = ben.dispatch(member)
            async let other: Void = ada.dispatch(owner)
            _ = await (one, other)
            let talk = try await pair.ben(session, "the end") { $0.session.turn == round && $0.session.status == .done }
            let verdicts = await pair.hosts.ada.read { $0.talks.log.entries.map(\.decision.verdict) }
            #expect(verdicts.count == round, "each question has one answer")
            let wasAllowed = [.once, .onceByMember].contains(try #require(verdicts.last))
            #expect(Self.said(talk) == before + (wasAllowed ? "yes" : "no"))
        }
        await pair.hosts.stop()
    }

    @Test func `what a member rejects is rejected`() async throws {
        let pair = try await Pair()
        try await pair.share()
        let session = try await pair.begin()
        await pair.ask(session, "edit")
        let theirs = try await pair.ben(session, "the question") { $0.session.status == .waits }
        try await pair.answer(pair.hosts.ben, theirs, .reject)
        let talk = try await pair.ben(session, "the end") { !$0.session.isInTurn }
        #expect(Self.said(talk) == "no")
        #expect(await pair.hosts.ada.read { $0.talks.log.entries.map(\.decision.verdict) } == [.rejectedByMember])
        await pair.hosts.stop()
    }

    @Test func `the link breaks in the middle of a turn: it is unknown, and then goes on exactly`() async throws {
        let pair = try await Pair()
        try await pair.share()
        let session = try await pair.begin()
        await pair.ask(session, "edit")
        let asking = try await pair.ben(session, "the question") { $0.session.status == .waits }
        try await pair.sever()
        try await pair.ben(session, "not to know") { $0.session.shownStatus == .unknown }
        // The owner answers meanwhile or after; the agent goes on without the member.
        let ours = try await pair.ada("the question") { $0.session.status == .waits }
        try await pair.answer(pair.hosts.ada, ours, .reject)
        try await pair.ada("the end") { !$0.session.isInTurn }
        let talk = try await pair.ben(session, "the end") { !$0.session.isInTurn && $0.session.unknownSince == nil }
        #expect(Self.said(talk) == "no")
        #expect(talk.items.count { if case .called = $0.content { true } else { false } } == 1)
        #expect(asking.session.turn == talk.session.turn)
        await pair.ask(session, "say on")
        let next = try await pair.ben(session, "the next turn") { $0.session.turn == 2 && $0.session.status == .done }
        #expect(Self.said(next) == "noon" && !next.items.contains { $0.content == .begunAnew })
        await pair.hosts.stop()
    }

    @Test func `the member's process ends in the middle of a turn, and the next one goes on`() async throws {
        let pair = try await Pair()
        try await pair.share()
        let session = try await pair.begin()
        await pair.ask(session, "edit")
        try await pair.ben(session, "the question") { $0.session.status == .waits }
        await pair.hosts.ben.stop()
        pair.hosts.ben = try await TwoHosts.host(pair.hosts.folder + "/ben", pair.hosts.url)
        let before = try await pair.ben(session, "the session") { _ in true }
        #expect(before.session.isInTurn)
        let ours = try await pair.ada("the question") { $0.session.status == .waits }
        try await pair.answer(pair.hosts.ada, ours, .once)
        let talk = try await pair.ben(session, "the end") { $0.session.status == .done }
        #expect(Self.said(talk) == "yes")
        #expect(talk.items.count { if case .called = $0.content { true } else { false } } == 1)
        await pair.hosts.stop()
    }

    @Test func `the owner's process ends in the middle of a turn: nobody claims to know what happened`() async throws {
        let pair = try await Pair()
        try await pair.share()
        let session = try await pair.begin()
        await pair.ask(session, "say one")
        try await pair.ben(session, "the first turn") { $0.session.status == .done }
        await pair.ask(session, "edit")
        try await pair.ben(session, "the question") { $0.session.status == .waits }
        await pair.hosts.ada.stop()
        pair.hosts.ada = try await TwoHosts.host(pair.hosts.folder + "/ada", pair.hosts.url)
        let talk = try await pair.ben(session, "not to know") { $0.session.status == .unknown }
        #expect(talk.session.approvals.isEmpty)
        await pair.ask(session, "say two")
        let next = try await pair.ben(session, "the next turn") { $0.session.turn == 3 && $0.session.status == .done }
        #expect(Self.said(next) == "onetwo" && next.items.contains { $0.content == .begunAnew })
        await pair.hosts.stop()
    }

    @Test func `with a read-only share every change is rejected, and the program cannot write`() async throws {
        let python = try Programs.python().path
        let roots = [python, Programs.script("acp_agent.py")].map { String($0.prefix { $0 != " " }) }
        let readable = Set(
            roots.map { URL(fileURLWithPath: $0).deletingLastPathComponent().deletingLastPathComponent().path })
        let pair = try await Pair(sandbox: AgentSandbox(network: false, readable: readable.sorted()))
        try await pair.share(readOnly: true)
        let session = try await pair.begin()
        try Data("secret".utf8).write(to: URL(fileURLWithPath: pair.project + "/a.txt"))
        await pair.ask(session, "read \(pair.project)/a.txt")
        let read = try await pair.ben(session, "what is in it") { !$0.session.isInTurn && $0.session.turn == 1 }
        #expect(Self.said(read) == "secret", "\(read.session.end as Any)")
        await pair.ask(session, "write \(pair.project)/b.txt")
        let written = try await pair.ben(session, "an error") { $0.session.status == .done && $0.session.turn == 2 }
        #expect(Self.said(written).hasSuffix("OSError"))
        #expect(!FileManager.default.fileExists(atPath: pair.project + "/b.txt"))
        await pair.ask(session, "edit")
        let edited = try await pair.ben(session, "the rejection") { !$0.session.isInTurn && $0.session.turn == 3 }
        #expect(Self.said(edited).hasSuffix("no"))
        #expect(await pair.hosts.ada.read { $0.talks.log.entries.last?.decision.verdict } == .rejectedByPolicy)
        await pair.hosts.stop()
    }

    @Test func `after unsharing nothing goes, and the agent is gone on the other side`() async throws {
        let pair = try await Pair()
        try await pair.share()
        let session = try await pair.begin()
        await pair.ask(session, "wait")
        try await pair.ben(session, "the text") { Self.said($0) == "waiting" }
        let agent = try await pair.hosts.expect(pair.hosts.ada, "the agent") { $0.agents.named("helper")?.id }
        await pair.hosts.ada.dispatch(.agents(.unshareAgent(agent: agent, room: nil)))
        try await pair.hosts.expect(pair.hosts.ben, "it gone") { $0.agents.byID.isEmpty ? true : nil }
        let talk = try await pair.ben(session, "the loss") { !$0.session.isInTurn }
        #expect(talk.session.status == .unknown)
        let owned = try await pair.ada("the end") { $0.live.effect == nil }
        #expect(!owned.session.isInTurn)
        await pair.hosts.stop()
    }

    @Test func `revoking the trust ends every share`() async throws {
        let pair = try await Pair()
        try await pair.share()
        let session = try await pair.begin()
        await pair.ask(session, "wait")
        try await pair.ben(session, "the text") { Self.said($0) == "waiting" }
        let room = try await pair.hosts.expect(pair.hosts.ada, "the room") { $0.rooms.first?.id }
        await pair.hosts.ada.dispatch(.circle(.revokeTrust(room: room, reason: nil)))
        try await pair.hosts.expect(pair.hosts.ben, "it gone") { $0.agents.byID.isEmpty ? true : nil }
        #expect(await pair.hosts.ada.read { $0.agents.inOrder.allSatisfy(\.shares.isEmpty) })
        try await pair.ada("the end") { $0.live.effect == nil }
        await pair.hosts.stop()
    }
}
