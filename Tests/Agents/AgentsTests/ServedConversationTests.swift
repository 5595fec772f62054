import Errors
import Testing

@testable import Agents

/// A conversation as a value: every event, also late, doubled and reordered ones.
@Suite struct ServedConversationTests {
    private func id(_ number: Int) -> AgentPermission.ID { .init(number: number) }

    private func call(_ id: String = "t", _ title: String = "Change a", input: String? = "{}", status: String? = nil)
        -> AgentToolCall
    {
        var call = AgentToolCall(id: id, title: title, status: status)
        call.input = input.map { AgentText($0) }
        return call
    }

    private func permission(
        _ number: Int, _ call: AgentToolCall, kinds: [String] = ["allow_once", "reject_once"]
    ) -> AgentPermission {
        AgentPermission(
            id: id(number), toolCall: call, options: kinds.map { .init(id: "option \($0)", name: "words", kind: $0) })
    }

    /// A conversation in its first turn.
    private func running() -> ServedConversation {
        var conversation = ServedConversation()
        #expect(conversation.ask("go") == .send("go") && conversation.status == .running)
        return conversation
    }

    @Test func `prompts wait for the turn and go out in order`() {
        var conversation = running()
        #expect(conversation.ask("two") == .queued("two") && conversation.ask("three") == .queued("three"))
        #expect(conversation.take(.turnEnded(.done), now: 1) == [.turnEnded(.done), .send("two")])
        #expect(conversation.isInTurn && conversation.queue == ["three"])
        #expect(conversation.take(.turnEnded(.done), now: 1) == [.turnEnded(.done), .send("three")])
        #expect(conversation.take(.turnEnded(.done), now: 1) == [.turnEnded(.done)])
        #expect(conversation.take(.turnEnded(.done), now: 1).isEmpty, "doubled")
        #expect(conversation.status == .done(.done))
    }

    @Test(arguments: [
        AgentStop.cancelled, .refused, .tokenLimit, .requestLimit, .other("x"), .failed(AgentError(.busy, "later")),
    ]) func `after a turn that did not end well nothing more is asked`(stop: AgentStop) {
        var conversation = running()
        _ = conversation.ask("two")
        #expect(conversation.take(.turnEnded(stop), now: 1) == [.turnEnded(stop), .refused("two", .turnFailed)])
        #expect(conversation.ask("three") == .send("three"))
    }

    @Test func `what waits is bounded`() {
        var conversation = running()
        for number in 0..<ServedConversationLimits.queued {
            let prompt = AgentPrompt("\(number)")
            #expect(conversation.ask(prompt) == .queued(prompt))
        }
        #expect(conversation.ask("more") == .refused("more", .tooMany))
        let long = AgentPrompt(String(repeating: "x", count: AgentLimits.promptBytes + 1))
        #expect(conversation.ask(long) == .refused(long, .tooLong))
        #expect(conversation.dropQueue().count == ServedConversationLimits.queued && conversation.queue.isEmpty)
    }

    @Test func `what a device that was revoked asked for and waits is not asked`() {
        var conversation = running()
        _ = conversation.ask("of one", of: "one")
        _ = conversation.ask("of another", of: "another")
        conversation.drop(of: ["one", "nobody"])
        #expect(conversation.device == nil)
        #expect(conversation.take(.turnEnded(.done), now: 1) == [.turnEnded(.done), .send("of another")])
        #expect(conversation.queue.isEmpty && conversation.device == "another")
    }

    @Test(arguments: [600_001, -600_000]) func `what nobody answers is rejected in the end`(later: Int64) throws {
        var conversation = running()
        _ = conversation.take(.permission(permission(1, call())), now: 1)
        #expect(conversation.expire(now: 600_000).isEmpty && conversation.expire(now: -500_000).isEmpty)
        let request = try #require(conversation.open.first)
        #expect(conversation.expire(now: later) == [.expired(request), .answer(request.answer(.reject))])
        #expect(conversation.open.isEmpty && conversation.status == .running)
        #expect(conversation.answer(id(1), .once) == nil)
    }

    @Test func `calls are known by their ids, in whatever order they come`() {
        var conversation = running()
        let begun = call(status: "pending")
        #expect(conversation.take(.toolCall(begun), now: 1) == [.called(begun, before: nil)])
        #expect(conversation.take(.toolCall(begun), now: 1).isEmpty, "doubled")
        var change = AgentToolCall(id: "t", status: "completed")
        change.results = [.text("out")]
        var done = begun
        (done.status, done.results) = ("completed", [.text("out")])
        #expect(conversation.take(.toolCallChanged(change), now: 1) == [.called(done, before: begun)])
        #expect(conversation.take(.toolCallChanged(change), now: 1).isEmpty, "doubled")
        let early = AgentToolCall(id: "unknown", status: "failed")
        #expect(conversation.take(.toolCallChanged(early), now: 1) == [.called(early, before: nil)])
    }

    @Test func `a flood of calls leaves the newest`() {
        var conversation = running()
        for number in 0..<10_000 { _ = conversation.take(.toolCall(call("\(number)")), now: 1) }
        #expect(conversation.take(.toolCall(call("9999")), now: 1).isEmpty, "known")
        #expect(conversation.take(.toolCall(call("0")), now: 1) == [.called(call("0"), before: nil)])
    }

    @Test func `a request waits for the person, once`() throws {
        var conversation = running()
        _ = conversation.take(.toolCall(call()), now: 1)
        let changes = conversation.take(.permission(permission(1, AgentToolCall(id: "t"))), now: 1)
        guard case .asks(let request)? = changes.first else {
            Issue.record("\(changes)")
            return
        }
        #expect(request.call == call(), "shown with what was told before")
        #expect(request.choices == [.once, .always, .reject] && conversation.status == .waitsForPerson)
        #expect(conversation.take(.permission(permission(1, call())), now: 1).isEmpty, "doubled")
        #expect(conversation.answer(id(1), .lasting) == nil, "not offered")
        let answered = conversation.answer(id(1), .once)
        let answer = try #require(answered)
        #expect(answer.option == "option allow_once" && answer.isAllowed)
        #expect(conversation.status == .running && conversation.answer(id(1), .once) == nil)
        #expect(conversation.take(.permission(permission(1, call())), now: 1).isEmpty, "late")
    }

    @Test(
        arguments: [
            (["allow_once", "reject_once"], [ServedChoice.once, .always, .reject], "option reject_once"),
            (["allow_always"], [.lasting, .reject], nil),
            (["allow_always", "allow_once"], [.once, .always, .reject], nil),
            (["reject_always"], [.reject], nil), (["maybe"], [.reject], nil),
        ] as [([String], [ServedChoice], String?)])
    func `every request can be rejected`(kinds: [String], choices: [ServedChoice], rejection: String?) throws {
        var conversation = running()
        _ = conversation.take(.permission(permission(1, call(), kinds: kinds)), now: 1)
        #expect(conversation.open.first?.choices == choices)
        let answered = conversation.answer(id(1), .reject)
        let answer = try #require(answered)
        #expect(answer.option == rejection && !answer.isAllowed)
    }

    @Test func `what becomes something else after it was shown is rejected`() {
        let changes: [(inout AgentToolCall) -> Void] = [
            { $0.title = "Remove a" }, { $0.kind = "execute" }, { $0.input = "{\"x\":1}" },
            { $0.results = [.difference(path: "/b", old: nil, new: "x")] }, { $0.paths = ["/b"] },
        ]
        for change in changes {
            var conversation = running()
            _ = conversation.take(.permission(permission(1, call())), now: 1)
            var changed = AgentToolCall(id: "t")
            change(&changed)
            let told = conversation.take(.toolCallChanged(changed), now: 1)
            #expect(told.count == 3 && conversation.open.isEmpty && conversation.status == .running)
            guard case .changedUnderway? = told.dropFirst().first, case .answer(let answer)? = told.last else {
                Issue.record("\(told)")
                continue
            }
            #expect(!answer.isAllowed && conversation.answer(id(1), .once) == nil)
        }
    }

    @Test func `a call that only goes on stays what was shown`() {
        var conversation = running()
        _ = conversation.take(.permission(permission(1, call())), now: 1)
        _ = conversation.take(.toolCallChanged(call(status: "in_progress")), now: 1)
        _ = conversation.take(.toolCall(call("another", "x")), now: 1)
        #expect(conversation.open.count == 1 && conversation.status == .waitsForPerson)
    }

    /// Whoever answered decides what is the same, where links and policies are known.
    @Test func `the agent is told of one request, also with always`() {
        var conversation = running()
        _ = conversation.take(.permission(permission(1, call())), now: 1)
        #expect(conversation.answer(id(1), .always)?.option == "option allow_once")
        _ = conversation.take(.permission(permission(2, call("other id"))), now: 1)
        #expect(conversation.open.map(\.id) == [id(2)])
    }

    @Test func `what is equal as a text may be another request`() {
        var (composed, decomposed) = (call(), call())
        (composed.paths, decomposed.paths) = (["/p/\u{E9}"], ["/p/e\u{301}"])
        #expect(ServedRequest.Substance(composed) != ServedRequest.Substance(decomposed))
        #expect(ServedRequest.Substance(composed) == ServedRequest.Substance(composed))
    }

    @Test func `what is not shown as a whole is never allowed for always`() {
        var cut = call()
        cut.input = AgentText("abcdef", limit: 3)
        var hidden = call()
        hidden.results = [.other("terminal")]
        var many = call()
        many.paths = Array(repeating: "/a", count: AgentLimits.elements)
        for call in [cut, hidden, many, AgentToolCall(id: "t", title: "Trust me")] {
            var conversation = running()
            _ = conversation.take(.permission(permission(1, call)), now: 1)
            #expect(conversation.open.first?.choices == [.once, .reject])
        }
    }

    @Test func `requests go with their turn, with the agent, and when they are withdrawn`() {
        for (event, status) in [
            (AgentEvent.permissionGone(id(1)), ServedConversation.Status.running),
            (.turnEnded(.done), .done(.done)), (.ended(nil), .unknown(since: 7)),
        ] {
            var conversation = running()
            _ = conversation.take(.permission(permission(1, call())), now: 1)
            let told = conversation.take(event, now: 7)
            guard case .withdrawn? = told.first else {
                Issue.record("\(told)")
                continue
            }
            #expect(conversation.status == status && conversation.answer(id(1), .once) == nil)
        }
    }

    @Test func `outside of a turn nobody is asked`() {
        var conversation = ServedConversation()
        guard case .answer(let answer)? = conversation.take(.permission(permission(1, call())), now: 1).first else {
            Issue.record("asked")
            return
        }
        #expect(!answer.isAllowed && conversation.open.isEmpty && conversation.status == .ready)
    }

    @Test func `after the end in a turn it is not known what happened`() {
        let error = AgentError(.ended, "it ended")
        var conversation = running()
        _ = conversation.ask("two")
        #expect(conversation.take(.ended(error), now: 9) == [.refused("two", .turnFailed), .ended(error)])
        #expect(conversation.status == .unknown(since: 9) && conversation.isOver)
        for event: AgentEvent in [.text("late"), .turnEnded(.done), .ended(nil), .toolCall(call())] {
            #expect(conversation.take(event, now: 10).isEmpty)
        }
        #expect(conversation.ask("three") == .refused("three", .over))
        var idle = ServedConversation()
        _ = idle.take(.ended(nil), now: 1)
        #expect(idle.status == .ended)
    }

    @Test func `a prompt that does not reach the agent ends its turn`() {
        var conversation = running()
        let error = AgentError(.busy, "it is at work")
        #expect(conversation.promptFailed(error) == [.turnEnded(.failed(error))] && !conversation.isInTurn)
        #expect(conversation.promptFailed(error).isEmpty)
    }

    @Test func `any events in any order leave a conversation that can be gone on with`() {
        var random = SystemRandomNumberGenerator()
        let events: [AgentEvent] = [
            .text("a"), .reasoning("b"), .userText("c"), .toolCall(call()), .toolCallChanged(call(status: "failed")),
            .toolCallChanged(call("t", "other")), .toolInput(id: "t", "x"), .plan([]), .permissionGone(id(1)),
            .usage(AgentUsage()), .mode("m"), .title("t"), .other("o"), .unreadable("u"), .turnEnded(.done),
            .turnEnded(.cancelled),
        ]
        for _ in 0..<200 {
            var conversation = ServedConversation()
            for number in 1...50 {
                if Bool.random(using: &random) { _ = conversation.ask("p") }
                if Bool.random(using: &random) {
                    _ = conversation.take(.permission(permission(number, call())), now: 1)
                }
                _ = events.randomElement(using: &random).map { conversation.take($0, now: 1) }
                #expect(conversation.isInTurn || conversation.open.isEmpty)
                #expect((conversation.status == .waitsForPerson) == !conversation.open.isEmpty)
                if let request = conversation.open.randomElement(using: &random), Bool.random(using: &random) {
                    #expect(conversation.answer(request.id, .once) != nil)
                }
            }
        }
    }
}
