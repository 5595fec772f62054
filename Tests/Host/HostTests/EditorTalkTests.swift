import AgentProtocols
import Foundation
import Testing
import Wire

@testable import AppCore
@testable import Host

/// What an editor is told of a session, step by step.
@Suite struct EditorTalkTests {
    /// A session that something happens in.
    struct Played {
        var talk = AgentTalk(
            AgentSession(
                id: "s", agent: "a", agentName: "helper", folder: "/a", createdAt: Timestamp(milliseconds: 1),
                changedAt: Timestamp(milliseconds: 1)))
        private var now = Timestamp(milliseconds: 1)

        mutating func tick() -> Timestamp {
            now = now.advanced(byMilliseconds: 1)
            return now
        }

        mutating func asked(_ text: String) {
            talk.session.turn += 1
            talk.session.status = .running
            talk.session.end = nil
            _ = talk.add(.prompt(text: text), at: tick())
        }

        mutating func said(_ text: String, isThought: Bool = false) {
            _ = talk.add(CutText(text), isThought: isThought, at: tick())
        }

        mutating func called(_ call: AgentCall) { _ = talk.take(call, isWhole: false, at: tick()) }

        @discardableResult
        mutating func asks(
            _ call: AgentCall, _ kinds: [String] = ["allow_once", "reject_once"], input: AgentApproval.Input? = nil
        )
            -> AgentApproval
        {
            called(call)
            let approval = AgentApproval(
                id: talk.session.number(), request: 1, call: talk.merged(call),
                options: kinds.map { .init(id: $0, kind: $0) }, input: input, at: tick())
            talk.session.approvals.append(approval)
            talk.session.status = .waits
            return approval
        }

        mutating func ends(_ reason: AgentTurnEnd.Reason, _ failure: Failure? = nil) {
            talk.session.approvals = []
            talk.session.status = reason == .stopped ? .stopped : .done
            talk.session.end = AgentTurnEnd(reason, failure)
        }

        /// What somebody hears who knows the rest.
        func part(for editor: EditorTalk) -> AgentTalk { talk.part(from: editor.last, since: editor.changedAt) }
    }

    private func look(_ editor: inout EditorTalk, _ played: Played) -> [EditorTalk.Step] {
        editor.take(played.part(for: editor))
    }

    private func told(_ kind: ACPUpdate.Kind) -> EditorTalk.Step { .tell(ACPUpdate(kind)) }

    @Test func `what the editor asked is not told to it, and what comes of it is`() {
        var played = Played()
        var editor = EditorTalk(played.talk, tells: false)
        editor.ask("\n do it \n")
        #expect(look(&editor, played) == [])
        played.asked(" do it")
        played.talk.session.title = "do it"
        played.said("hm", isThought: true)
        played.said("One")
        #expect(
            look(&editor, played) == [
                told(.thought(ACPContent(text: "hm"))), told(.agentText(ACPContent(text: "One"))),
                told(.info(title: "do it")),
            ])
        played.said(", two")
        played.talk.session.plan = [AgentPlanStep(content: "Read", status: "begun")]
        (played.talk.live.tokens, played.talk.live.window) = (5, 100)
        #expect(
            look(&editor, played) == [
                told(.agentText(ACPContent(text: ", two"))),
                told(.plan([ACPPlanEntry(content: "Read", priority: "medium", status: "pending")])),
                told(.usage(used: 5, size: 100)),
            ])
        played.ends(.done)
        #expect(look(&editor, played) == [.end(.stopped("end_turn"))] && !editor.isAsking)
        played.asked("from the page")
        #expect(look(&editor, played) == [told(.userText(ACPContent(text: "from the page")))])
    }

    @Test(arguments: [
        (AgentTurnEnd.Reason.done, "end_turn"), (.tokenLimit, "max_tokens"), (.requestLimit, "max_turn_requests"),
        (.refused, "refusal"), (.stopped, "cancelled"), (.other, "end_turn"),
    ]) func `a turn ends for a reason of the protocol`(reason: AgentTurnEnd.Reason, word: String) {
        var played = Played()
        var editor = EditorTalk(played.talk, tells: false)
        editor.ask("x")
        played.asked("x")
        played.ends(reason)
        #expect(look(&editor, played) == [.end(.stopped(word))])
    }

    @Test func `a turn that failed, and an agent that was lost, end in words`() {
        for isLost in [false, true] {
            var played = Played()
            var editor = EditorTalk(played.talk, tells: false)
            editor.ask("x")
            played.asked("x")
            played.ends(.failed, Failure(.agentEnded, "helper ended"))
            if isLost { played.talk.session.status = .unknown }
            let words = isLost ? "helper ended; what it did after that is not known" : "helper ended"
            #expect(look(&editor, played) == [.end(.failed(words))])
        }
    }

    @Test func `a prompt waits behind another turn, and is held, withdrawn or asked`() {
        var played = Played()
        played.asked("first")
        var editor = EditorTalk(played.talk, tells: false)
        editor.ask("second")
        played.talk.session.queue = [QueuedPrompt(id: 9, text: "second")]
        #expect(look(&editor, played) == [])
        var (held, withdrawn, asked) = (editor, editor, editor)
        #expect(held.cancel(in: played.talk.session) == 9, "it is withdrawn, and the turn of others goes on")
        let waiting = played
        played.talk.session.queue[0].isHeld = true
        #expect(look(&held, played) == [.end(.held(9))])
        played = waiting
        played.talk.session.queue = []
        #expect(look(&withdrawn, played) == [.end(.stopped("cancelled"))])
        played.asked("second")
        #expect(look(&asked, played) == [] && asked.cancel(in: played.talk.session) == nil)
        played.ends(.done)
        #expect(look(&asked, played) == [.end(.stopped("end_turn"))])
    }

    @Test func `a call has a name of its own, and only its changes are told`() throws {
        var played = Played()
        var editor = EditorTalk(played.talk, tells: false)
        played.asked("x")
        played.called(
            AgentCall(id: "1", title: "Read", kind: "taste", status: "odd", input: #"{"a":[1]}"#, paths: ["/a", "b"]))
        guard case .tell(let update)? = look(&editor, played).last, case .toolCall(let call) = update.kind else {
            return #expect(Bool(false))
        }
        #expect(
            call.title == "Read" && call.kind == "other" && call.status == nil && call.locations?.map(\.path) == ["/a"])
        #expect(call.input?.text == #"{"a":[1]}"#)
        played.called(AgentCall(id: "1", status: "completed"))
        guard case .tell(let change)? = look(&editor, played).last, case .toolCallChanged(let changed) = change.kind
        else {
            return #expect(Bool(false))
        }
        #expect(changed.object == ["toolCallId": .string(call.id), "status": "completed"])
        played.ends(.done)
        played.asked("y")
        played.called(AgentCall(id: "1", title: "Again"))
        guard case .tell(let other)? = look(&editor, played).last, case .toolCall(let second) = other.kind else {
            return #expect(Bool(false))
        }
        #expect(second.id != call.id, "the agent used its id again")
    }

    private static let texts: [(old: String?, new: String, shownOld: String?, shownNew: String)] = [
        (nil, "one\ntwo\n", nil, "one\ntwo\n"), ("old\n", "new\n", "old\n", "new\n"), ("a\n", "", "a\n", ""),
        (
            (1...20).map { "\($0)\n" }.joined(), (1...20).map { $0 == 10 ? "x\n" : "\($0)\n" }.joined(),
            "@@ 7 @@\n7\n8\n9\n10\n11\n12\n13\n", "@@ 7 @@\n7\n8\n9\nx\n11\n12\n13\n"
        ),
    ]

    @Test(arguments: texts) func `a change is shown as both texts, where they differ`(
        old: String?, new: String, shownOld: String?, shownNew: String
    ) {
        let call = AgentCall(
            id: "1", results: [.difference(path: "/a", old: old.map { CutText($0) }, new: CutText(new))])
        #expect(
            call.fitted.toolCall("c").content == [.difference(path: "/a", old: shownOld, new: shownNew)])
    }

    @Test func `a change that is cut is shown as a text that says so`() {
        let call = AgentCall(
            id: "1", results: [.change(path: "/a", lines: CutText("+ x", omitted: 7), added: 9, removed: 0)])
        guard case .content(let content)? = call.toolCall("c").content?.first else { return #expect(Bool(false)) }
        #expect(content.text == "change of /a\n+ x\n… (7 bytes more are not shown)")
    }

    @Test func `the editor is asked with all that is shown, and hears when it is decided elsewhere`() throws {
        var played = Played()
        var editor = EditorTalk(played.talk, tells: false)
        played.asked("x")
        let call = AgentCall(
            id: "1", title: "List files", kind: "execute", input: #"{"command":"rm -r ."}"#, paths: ["b"])
        let approval = played.asks(call)
        let steps = look(&editor, played)
        guard case .ask(approval, let asked, let options)? = steps.last else { return #expect(Bool(false)) }
        #expect(options.map(\.id) == ["once", "always", "reject"])
        #expect(options.map(\.kind) == ["allow_once", "allow_always", "reject_once"])
        let shown = asked.content?.compactMap { if case .content(let content) = $0 { content.text } else { nil } }
        #expect(shown == ["It is given:\n```\n{\"command\":\"rm -r .\"}\n```", "At:\n```\nb\n```"])
        guard case .tell(let update)? = steps.dropLast().last, case .toolCall(let told) = update.kind else {
            return #expect(Bool(false))
        }
        #expect(told.id == asked.id)
        played.talk.session.approvals = []
        #expect(look(&editor, played) == [.withdraw(approval: approval.id)])
        #expect(look(&editor, played) == [])
    }

    @Test func `nothing of what is asked hides behind Markdown, or behind characters that nobody sees`() throws {
        let call = AgentCall(
            id: "1", title: "Run\u{202E}", kind: "execute", input: "echo '<!--'; rm -rf ~ '-->' ```",
            results: [.text(text: "<!-- \u{200B}"), .difference(path: "/a", old: "a\u{2066}", new: "b\tc\n")],
            paths: ["<!--"]
        )
        let asked = call.askedCall("c")
        #expect(asked.title == "Run⟨U+202E⟩")
        #expect(
            asked.content == [
                .content(ACPContent(text: "It is given:\n````\necho '<!--'; rm -rf ~ '-->' ```\n````")),
                .content(ACPContent(text: "It shows:\n```\n<!-- ⟨U+200B⟩\n```")),
                .difference(path: "/a", old: "a⟨U+2066⟩", new: "b\tc\n"),
                .content(ACPContent(text: "At:\n```\n<!--\n```")),
            ])
    }

    @Test func `what the editor cancelled ends so, also if the agent was lost`() {
        var played = Played()
        var editor = EditorTalk(played.talk, tells: false)
        editor.ask("x")
        played.asked("x")
        _ = look(&editor, played)
        #expect(editor.cancel(in: played.talk.session) == nil && editor.isCancelled)
        played.ends(.failed, Failure(.agentSilent, "helper went on"))
        played.talk.session.status = .unknown
        let steps = look(&editor, played)
        #expect(steps.last == .end(.stopped("cancelled")) && steps.count == 2, "and why is said: \(steps)")
    }

    @Test func `a prompt that was seen waiting, and is gone, was withdrawn`() {
        var played = Played()
        played.asked("first")
        var editor = EditorTalk(played.talk, tells: false)
        editor.ask("second")
        var now = played.talk.session
        now.queue = [QueuedPrompt(id: 9, text: "second")]
        editor.noteQueued(in: now)
        #expect(look(&editor, played) == [.end(.stopped("cancelled"))])
    }

    @Test
    func `of a call that is not whole nothing is allowed for longer than once, and an agent without "once" says so`() {
        for (call, kinds, expected) in [
            (AgentCall(id: "1", title: "x"), ["allow_once", "allow_always"], ["once", "reject"]),
            (AgentCall(id: "1", title: "x", input: "{}"), ["allow_always"], ["lasting", "reject"]),
            (AgentCall(id: "1", title: "x", input: "{}"), ["later"], ["reject"]),
        ] {
            var played = Played()
            var editor = EditorTalk(played.talk, tells: false)
            played.asked("x")
            played.asks(call, kinds)
            guard case .ask(_, let asked, let options)? = look(&editor, played).last else {
                return #expect(Bool(false))
            }
            #expect(options.map(\.id) == expected)
            let warns =
                asked.content?.contains(.content(ACPContent(text: "This is not all of what it would do."))) == true
            #expect(warns == (call.input == nil))
        }
    }

    @Test func `a password is not asked for in an editor`() {
        var played = Played()
        var editor = EditorTalk(played.talk, tells: false)
        played.asked("x")
        played.asks(AgentCall(id: "1", title: "sudo"), [], input: .secret)
        let steps = look(&editor, played)
        #expect(!steps.contains { if case .ask = $0 { true } else { false } })
        guard case .tell(let update)? = steps.last, case .agentText(let content) = update.kind else {
            return #expect(Bool(false))
        }
        #expect(content.text?.contains("`alcove agent chat helper --session s`") == true)
    }

    @Test func `a session is told from its beginning, or not at all`() {
        var played = Played()
        played.asked("one")
        played.said("1")
        played.ends(.done)
        played.asked("two")
        played.called(AgentCall(id: "c", title: "Read", status: "completed"))
        played.said("2")
        let approval = played.asks(AgentCall(id: "d", title: "Edit", kind: "edit", input: "{}"))
        played.talk.session.plan = [AgentPlanStep(content: "p", status: "completed")]
        played.talk.session.forgotten = 3
        var silent = EditorTalk(played.talk, tells: false)
        guard case .ask(approval, _, _)? = silent.open(played.talk, tells: false).last else {
            return #expect(Bool(false), "what waits is asked")
        }
        var editor = EditorTalk(played.talk, tells: true)
        let names = editor.open(played.talk, tells: true).map { step -> String in
            switch step {
            case .tell(let update): update.object.string("sessionUpdate") ?? ""
            case .ask: "ask"
            case .withdraw, .end: "other"
            }
        }
        #expect(
            names == [
                "agent_message_chunk", "user_message_chunk", "agent_message_chunk", "user_message_chunk", "tool_call",
                "agent_message_chunk", "tool_call", "ask", "plan",
            ])
        #expect(look(&editor, played) == [])
    }

    @Test func `what can be chosen is told when it is known, and when it changes`() {
        var played = Played()
        var editor = EditorTalk(played.talk, tells: false)
        let options = [AgentChooser.Option(id: "ask", name: "Ask"), AgentChooser.Option(id: "plan", name: "Plan")]
        played.talk.session.choosers = [AgentChooser(kind: .mode, current: "ask", options: options)]
        #expect(
            look(&editor, played) == [
                told(.configOptions(played.talk.session.settings.map(\.option))), told(.mode("ask")),
            ])
        played.talk.session.choosers?[0].current = "plan"
        #expect(look(&editor, played).last == told(.mode("plan")))
        #expect(look(&editor, played) == [])
    }

    @Test func `a session that is longer than what is remembered is followed`() {
        var played = Played()
        for turn in 1...300 {
            played.asked("\(turn)")
            played.said("answer")
            played.ends(.done)
        }
        var silent = EditorTalk(played.talk, tells: false)
        var editor = EditorTalk(played.talk, tells: true)
        let steps = editor.open(played.talk, tells: true)
        #expect(steps.count == 600)
        played.asked("more")
        #expect(look(&editor, played) == [told(.userText(ACPContent(text: "more")))])
        #expect(look(&silent, played) == [told(.userText(ACPContent(text: "more")))])
    }
}
