import Errors
import Foundation
import Peers
import Testing

@testable import Agents

/// Agents that break, lie or ask for too much.
@Suite struct AgentFaultTests {
    @Test(arguments: [("killed", "was ended by signal 9"), ("status", "ended with status 7")])
    func `an agent that ends says how`(fault: String, words: String) async throws {
        try await Agent.acp("faulty_agent.py", [fault]) { agent in
            try await agent.start()
            let events = try await Agent.turn(of: agent, "go")
            guard case .ended(let error?)? = events.last else {
                Issue.record("\(events)")
                return
            }
            #expect(error.code == .ended && error.message.hasSuffix(words))
            if fault == "status" { #expect(await agent.log.contains("the reason is here")) }
            #expect(await agent.events.next() == nil)
            await #expect(throws: AgentError.self) { try await agent.prompt("again") }
        }
    }

    @Test func `an agent that ends after any message of a turn has said what it said, and nothing can be allowed`()
        async throws
    {
        /// The turn of an agent that ends after so many messages, without what was withdrawn, and the last request.
        func turn(_ messages: Int) async throws -> [AgentEvent] {
            var events: [AgentEvent] = []
            try await Agent.acp("faulty_agent.py", ["cut", "\(messages)"]) { agent in
                try await agent.start()
                events = try await Agent.turn(of: agent, "go")
                for case .permission(let asked) in events {
                    #expect(events.contains(.permissionGone(asked.id)) || events.failure == .ended)
                    await #expect(throws: AgentError.self) { try await agent.answer(asked.id, option: "yes") }
                }
            }
            return events.filter { if case .permissionGone = $0 { false } else { true } }
        }
        let whole = try await turn(1000)
        #expect(whole.count == 11 && whole.last == .turnEnded(.done))
        for messages in 0...10 {
            let events = try await turn(messages)
            #expect(Array(events.dropLast()) == Array(whole.prefix(messages)), "after \(messages)")
            #expect(events.failure == .ended)
        }
    }

    @Test func `an agent that goes on after its turn was cancelled is ended, with all that it started`() async throws {
        try await Agent.acp("faulty_agent.py", ["hung"], grace: .milliseconds(200)) { agent in
            try await agent.start()
            try await agent.prompt("go")
            guard case .text(let said)? = await agent.events.next(), let child = Int(said.text) else {
                Issue.record("it did not say what it started")
                return
            }
            #expect(!isGone(child))
            await agent.cancel()
            #expect(await Agent.rest(of: agent).failure == .silent)
            await agent.stop()
            for _ in 0..<600 where !isGone(child) { try await Task.sleep(for: .milliseconds(100)) }
            #expect(isGone(child))
        }
    }

    /// Whether a process has ended, also if nobody has asked about its end.
    private func isGone(_ process: Int) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return true }
        return status.contains(") Z ")
    }

    @Test func `an agent that does not answer is given up`() async throws {
        try await Agent.acp("faulty_agent.py", ["silent"], patience: .seconds(1)) { agent in
            await #expect(throws: AgentError.self) { try await agent.start() }
            #expect(await Agent.rest(of: agent).failure == .silent)
        }
    }

    @Test(arguments: [("version", AgentErrorCode.otherVersion), ("locked", .unauthorized)])
    func `an agent that cannot be used says why`(fault: String, code: AgentErrorCode) async throws {
        try await Agent.acp("faulty_agent.py", [fault]) { agent in
            do throws(AgentError) {
                try await agent.start()
                Issue.record("it started")
            } catch {
                #expect(error.code == code)
            }
        }
    }

    @Test(arguments: [["no such program"], ["/etc/passwd"], []]) func `what is no program does not start`(
        words: [String]
    ) async throws {
        try await Agent.run(ACPAgent(AgentProgram(words, folder: "/"))) { agent in
            do throws(AgentError) {
                try await agent.start()
                Issue.record("it started")
            } catch {
                #expect(error.code == .cannotStart)
            }
        }
    }

    @Test func `without the programs that limit an agent none is started, and it is said what to install`() throws {
        #expect(try AgentProgram.bounds().isEmpty == false)
        #expect {
            _ = try AgentProgram.bounds(tools: "/nowhere")
        } throws: { error in
            (error as? AgentError)?.code == .cannotStart
                && (error as? AgentError)?.message.hasSuffix("install util-linux") == true
        }
    }

    #if os(Linux)
    @Test func `a program that its sandbox does not show is not started, and it is said what to add`() throws {
        let place = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path + "/wall-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: place) }
        for folder in ["programs", "work"] {
            try FileManager.default.createDirectory(
                atPath: "\(place)/\(folder)", withIntermediateDirectories: true)
        }
        let program = "\(place)/programs/agent"
        try FileManager.default.copyItem(atPath: "/usr/bin/true", toPath: program)
        try FileManager.default.createSymbolicLink(atPath: "\(place)/work/agent", withDestinationPath: program)
        func command(_ name: String, readable: [String] = []) throws -> [String] {
            let wall = AgentWall(network: false, readable: readable)
            return try AgentProgram([name], folder: "\(place)/work", sandbox: wall).command()
        }
        for name in [program, "\(place)/work/agent"] {
            #expect {
                _ = try command(name)
            } throws: { error in
                (error as? AgentError)?.message
                    == "the sandbox does not show \(program): add the agent again with --readable \"\(place)/programs\""
            }
            #expect(try command(name, readable: ["\(place)/programs"]).last == name)
        }
    }
    #endif

    @Test func `a flood waits for its reader`() async throws {
        try await Agent.acp("faulty_agent.py", ["flood", "100"]) { agent in
            try await agent.start()
            try await agent.prompt("go")
            var (count, most, isOver) = (0, 0, false)
            while !isOver, let event = await agent.events.next() {
                switch event {
                case .text(let text): count += text.text.utf8.count
                case .turnEnded, .ended: isOver = true
                default: break
                }
                most = max(most, agent.events.heldBytes)
            }
            #expect(count == 100 << 18)
            // The mark, and the event that went beyond it.
            #expect(most <= AgentEvents.highWater + 1 << 19)
        }
    }

    @Test func `a long output is cut and counted`() async throws {
        try await Agent.acp("faulty_agent.py", ["output"]) { agent in
            try await agent.start()
            guard case .toolCallChanged(let call)? = try await Agent.turn(of: agent, "go").first,
                case .text(let text)? = call.results?.first
            else {
                Issue.record("there is no output")
                return
            }
            #expect(text.text.utf8.count == AgentLimits.textBytes && text.omitted == 10 << 20 - AgentLimits.textBytes)
        }
    }

    @Test func `lines that are none are passed over`() async throws {
        try await Agent.acp("faulty_agent.py", ["malformed"]) { agent in
            try await agent.start()
            let events = try await Agent.turn(of: agent, "go")
            #expect(events.text == "still here" && events.last == .turnEnded(.done))
            let passedOver = events.count { if case .unreadable = $0 { true } else { false } }
            // A line of a log, half an object, too deep, too long, half an update, a forged answer.
            #expect(passedOver == 6)
        }
    }

    @Test func `who asks something that cannot be read hears so, and so does the person`() async throws {
        try await Agent.acp("faulty_agent.py", ["unreadable"]) { agent in
            try await agent.start()
            let events = try await Agent.turn(of: agent, "go")
            #expect(events.text == "ask-1:-32700;ask-2:-32700;ask-3:-32700;" && events.last == .turnEnded(.done))
            #expect(events.count { if case .remark = $0 { true } else { false } } == 3)
        }
    }

    @Test func `what an agent does in sessions of its own is passed over`() async throws {
        try await Agent.acp("faulty_agent.py", ["children"]) { agent in
            try await agent.start()
            let events = try await Agent.turn(of: agent, "go")
            #expect(events.text == "still here" && events.last == .turnEnded(.done))
        }
    }

    @Test func `an agent that says only nonsense is ended`() async throws {
        try await Agent.acp("faulty_agent.py", ["nonsense"]) { agent in
            try await agent.start()
            let events = try await Agent.turn(of: agent, "go")
            #expect(events.failure == .notUnderstood && events.count == AgentLimits.unreadable + 1)
        }
    }

    @Test func `only requests of this turn can be allowed`() async throws {
        try await Agent.acp("faulty_agent.py", ["asks"]) { agent in
            try await agent.start()
            try await agent.prompt("go")
            var (asked, said, gone) = ([AgentPermission](), "", [AgentPermission.ID]())
            while asked.count < 2 || said.components(separatedBy: ";").count < 6, let event = await agent.events.next()
            {
                switch event {
                case .permission(let request): asked.append(request)
                case .permissionGone(let id): gone.append(id)
                case .text(let text): said += text.text
                default: break
                }
            }
            #expect(asked.map(\.toolCall.id) == ["t1", "t3"])
            #expect(said == "ask-1:cancelled;ask-2:cancelled;f:-32601;t:-32601;ask-1:-32800;")
            #expect(gone == [asked[0].id])
            await #expect(throws: AgentError.self) { try await agent.answer(asked[0].id, option: "yes") }
            try await agent.answer(asked[1].id, option: "yes")
            let rest = await Agent.rest(of: agent)
            #expect(rest.text == "ask-3:yes;" && rest.last == .turnEnded(.done))
            // The turn ended while one was open: nobody can allow it any more.
            guard case .permission(let last) = rest.first(where: { if case .permission = $0 { true } else { false } })
            else {
                Issue.record("\(rest)")
                return
            }
            #expect(rest.contains(.permissionGone(last.id)))
            await #expect(throws: AgentError.self) { try await agent.answer(last.id, option: "yes") }
        }
    }

    @Test func `what an agent wants to be allowed after it was cancelled is rejected, and nobody is asked`()
        async throws
    {
        try await Agent.acp("faulty_agent.py", ["late"]) { agent in
            try await agent.start()
            try await agent.prompt("go")
            #expect(await agent.events.next() == .text("waiting;"))
            await agent.cancel()
            let events = await Agent.rest(of: agent)
            #expect(events.text == "ask-1:cancelled;" && events.last == .turnEnded(.cancelled))
            #expect(!events.contains { if case .permission = $0 { true } else { false } })
        }
    }

    @Test func `what comes right behind the answer that opens the session belongs to it`() async throws {
        try await Agent.acp("faulty_agent.py", ["eager"]) { agent in
            try await agent.start()
            #expect(await agent.events.next() == .text("early"))
        }
    }

    @Test func `an error of the agent ends the turn alone, and its words stay with it`() async throws {
        try await Agent.acp("faulty_agent.py", ["error"]) { agent in
            try await agent.start()
            for _ in 0..<2 {
                let events = try await Agent.turn(of: agent, "go")
                guard case .turnEnded(.failed(let error))? = events.last else {
                    Issue.record("\(events)")
                    return
                }
                #expect(error.code == .refused && !error.message.contains("secret"))
                #expect(events.contains(.remark("secret details")), "it may say what a person can do")
            }
        }
    }
}
