import Agents
import Errors
import Foundation
import Testing

/// Servers of the chat completions API that keep to it in their own way.
@Suite struct CompletionsServersTests {
    private static func said(_ text: String) -> String { #"data: {"choices":[{"delta":{"content":"\#(text)"}}]}"# }
    private static let stop = #"data: {"choices":[{"delta":{},"finish_reason":"stop"}]}"#

    // MARK: What is said before

    @Test(arguments: [(8 << 20, 1), (1, 8 << 20)])
    func `a conversation that is too long is cut before a question`(_ prompt: Int, _ answer: Int) async throws {
        let long = AgentSaid(
            prompt: String(repeating: "q", count: prompt), answer: String(repeating: "a", count: answer))
        try await ModelServer.run(said: [long, AgentSaid(prompt: "c", answer: "d")]) { agent async throws in
            #expect(try await Agent.turn(of: agent, "history").text == #"["c", "d", "history"]"#)
        }
    }

    @Test(arguments: ["tools", "raw 99 \(stop)\n\n", "raw 99 data: [DONE]\n\n"])
    func `a turn without an answer is left out, and so is its question`(_ prompt: String) async throws {
        try await ModelServer.run(said: [AgentSaid(prompt: "lost", answer: "")]) { agent async throws in
            #expect(try await Agent.turn(of: agent, prompt).failure == nil)
            #expect(try await Agent.turn(of: agent, "history").text == #"["history"]"#)
        }
    }

    @Test func `a turn that was stopped before its first word is left out, too`() async throws {
        try await ModelServer.run { agent async throws in
            try await agent.prompt("hush")
            await agent.cancel()
            #expect(await Agent.rest(of: agent).last == .turnEnded(.cancelled))
            #expect(try await Agent.turn(of: agent, "history").text == #"["history"]"#)
        }
    }

    // MARK: Streams

    private static let streams: [(String, [AgentEvent])] = [
        // What says nothing of an answer.
        (
            "data: {\"type\":\"ping\"}\n\ndata:\n\ndata: \n\ndata: {\"choices\":{}}\n\n\(said("a"))\n\n\(stop)\n\n",
            [.text("a"), .turnEnded(.done)]
        ),
        // What is no object counts still.
        (
            "data: [1]\n\n\(said("a"))\n\n\(stop)\n\n",
            [.unreadable("the message is no JSON object"), .text("a"), .turnEnded(.done)]
        ),
        // The end of the last event is missing.
        ("\(said("a"))\n\n\(stop)\n", [.text("a"), .turnEnded(.done)]),
        ("\(said("a"))\n\n\(stop)", [.text("a"), .turnEnded(.done)]),
        ("\(said("a"))\r\n\r\n\(stop)\r", [.text("a"), .turnEnded(.done)]),
        ("\(said("a"))\n\ndata: [DONE]", [.text("a"), .turnEnded(.done)]),
        ("\(said("a"))\n\n\(stop)\n\ndata: {\"cho", [.text("a"), .turnEnded(.done)]),
        // Thoughts have two names.
        (
            "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"\",\"reasoning\":\"hm\"}}]}\n\n\(stop)\n\n",
            [.reasoning("hm"), .turnEnded(.done)]
        ),
    ]

    @Test(arguments: streams)
    func `a stream is understood as servers write it`(_ stream: String, _ expected: [AgentEvent]) async throws {
        try await ModelServer.run { agent async throws in
            for size in [7, 9999] {
                #expect(try await Agent.turn(of: agent, "raw \(size) \(stream)") == expected, "in pieces of \(size)")
            }
        }
    }

    @Test(arguments: [
        "data: {\"choices\":[{\"delta\":{\"content\":\"half\"},\"finish_reason\":\"\"}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"content\":\"half\"},\"finish_reason\":null}]}\n\n",
        "\(said("half"))\n\ndata: {\"cho",
    ])
    func `without a reason to end an answer has broken off`(_ stream: String) async throws {
        try await ModelServer.run { agent async throws in
            let events = try await Agent.turn(of: agent, "raw 9999 \(stream)")
            #expect(events.text == "half" && events.count == 2 && events.failure == .unreachable)
        }
    }

    private static let failures: [(String, [AgentEvent])] = [
        ("error: {\"code\":500,\"message\":\"no memory\",\"type\":\"server_error\"}\n\n", [.remark("no memory")]),
        ("error: {\"message\":\"no memory\"}", [.remark("no memory")]),
        ("error: no memory\n\n", [.remark("no memory")]),
        ("event: error\ndata: {\"detail\":\"no memory\"}\n\n", [.remark("no memory")]), ("error: {}\n\n", []),
        ("data: {\"object\":\"error\",\"message\":\"no memory\"}\n\n", [.remark("no memory")]),
    ]

    @Test(arguments: failures)
    func `a failure in the middle is told as servers write it`(_ stream: String, _ told: [AgentEvent]) async throws {
        try await ModelServer.run { agent async throws in
            for size in [3, 9999] {
                let events = try await Agent.turn(of: agent, "raw \(size) \(Self.said("half"))\n\n\(stream)")
                #expect(Array(events.dropLast()) == [.text("half")] + told && events.failure == .refused)
            }
        }
    }

    @Test(arguments: [1, 5, 9999])
    func `thoughts in the text are told as thoughts, and do not come back`(_ size: Int) async throws {
        let answer = "<think>\\nit is <b>\\n</think>\\n\\nGrüß <think>dich</think>"
        let pieces = [answer.prefix(4), answer.dropFirst(4).prefix(30), answer.dropFirst(34)].map {
            Self.said(String($0))
        }
        let stream = (pieces + [Self.stop]).joined(separator: "\n\n")
        try await ModelServer.run { agent async throws in
            let prompt = "raw \(size) \(stream)"
            let events = try await Agent.turn(of: agent, prompt)
            var thoughts = ""
            for case .reasoning(let piece) in events { thoughts += piece.text }
            #expect(thoughts == "\nit is <b>\n" && events.text == "Grüß <think>dich</think>")
            let told = try JSONDecoder().decode(
                [String].self, from: Data(try await Agent.turn(of: agent, "history").text.utf8))
            #expect(told == [prompt, "Grüß <think>dich</think>", "history"])
        }
    }

    // MARK: Other answers

    private static let replies: [(String, [AgentEvent])] = [
        (
            #"{"choices":[{"message":{"content":"all"},"finish_reason":"length"}],"usage":{"prompt_tokens":3,"completion_tokens":4}}"#,
            [.text("all"), .usage(AgentUsage(input: 3, output: 4)), .turnEnded(.tokenLimit)]
        ),
        (
            #"{"choices":[{"message":{"content":"<think>hm</think> all"}}]}"#,
            [.reasoning("hm"), .text("all"), .turnEnded(.done)]
        ),
    ]

    @Test(arguments: replies)
    func `an answer that does not stream is one`(_ body: String, _ expected: [AgentEvent]) async throws {
        try await ModelServer.run { agent async throws in
            for type in ["application/json", "Application/JSON; charset=utf-8"] {
                #expect(try await Agent.turn(of: agent, "reply 200 \(type)\n\(body)") == expected)
            }
            #expect(try await Agent.turn(of: agent, "history").text.contains(#", "all", "#))
        }
    }

    @Test(arguments: [
        (#"{"error":{"message":"no model"}}"#, "no model"), (#"{"detail":"no model"}"#, "no model"), ("{}", ""),
    ])
    func `what is no answer is none, and says why`(_ body: String, _ words: String) async throws {
        try await ModelServer.run { agent async throws in
            let events = try await Agent.turn(of: agent, "reply 200 application/json\n\(body)")
            let told: [AgentEvent] = words.isEmpty ? [] : [.remark(AgentText(words))]
            #expect(Array(events.dropLast()) == told && events.failure == .notUnderstood)
        }
    }

    // MARK: Refusals

    private static let refusals: [(String, String, String)] = [
        ("application/json", #"{"error":{"message":"why"}}"#, "why"), ("application/json", #"{"detail":"why"}"#, "why"),
        ("application/json", #"{"detail":[{"msg":"why","loc":["body"]},{"msg":"so"}]}"#, "why; so"),
        ("application/json", #"{"object":"error","message":"why"}"#, "why"),
        ("text/html", #"{"message":"why"}"#, "why"), ("text/plain", "why\u{1b}\n not", "why not"),
        ("text/html", "why", ""),
        ("text/plain", "<html>why", ""), ("application/json", "{", ""), ("application/octet-stream", "why", "why"),
    ]

    @Test(arguments: refusals)
    func `a server says why it refuses`(_ type: String, _ body: String, _ words: String) async throws {
        let told: [AgentEvent] = words.isEmpty ? [] : [.remark(AgentText(words))]
        try await ModelServer.run { agent async throws in
            let events = try await Agent.turn(of: agent, "reply 500 \(type)\n\(body)")
            #expect(Array(events.dropLast()) == told && events.failure == .refused)
        }
    }

    @Test func `of a long text the beginning is told`() async throws {
        let text = String(repeating: "ab ", count: 999) + "end"
        try await ModelServer.run { agent async throws in
            let events = try await Agent.turn(of: agent, "reply 500 text/plain\n\(text)")
            #expect(events.first == .remark(AgentText(text, limit: 512)) && events.failure == .refused)
        }
    }

    @Test(arguments: ["application/json\n{\"detail\":\"not sesame\"}", "text/plain\nnot sesame"])
    func `no refusal repeats the key`(_ reply: String) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data("sesame\n".utf8).write(to: URL(filePath: file))
        try await ModelServer.run(["key"], keyFile: file) { agent async throws in
            #expect(try await Agent.turn(of: agent, "reply 500 \(reply)").count == 1)
            // Also where it is behind what is told.
            let long = "reply 500 text/plain\n\(String(repeating: "a", count: 508)) sesame"
            #expect(try await Agent.turn(of: agent, long).count == 1)
        }
    }

    @Test(arguments: [400, 422])
    func `a server that knows no wish for the cost is asked once more without it, and then never with it`(
        _ status: Int
    ) async throws {
        try await ModelServer.run(["old \(status)"]) { agent async throws in
            for count in ["2", "3"] {
                let events = try await Agent.turn(of: agent, "asked")
                #expect(events.text == count && events.last == .turnEnded(.done))
                #expect(!events.contains { if case .remark = $0 { true } else { false } })
            }
        }
    }

    @Test func `a server that refuses for another reason is asked with it the next time`() async throws {
        try await ModelServer.run { agent async throws in
            let refusal = try await Agent.turn(of: agent, "reply 400 text/plain\nsomething about stream_options")
            #expect(refusal.contains(.remark("no stream")) && refusal.failure == .refused)
            // The strict server takes no request without it.
            #expect(try await Agent.turn(of: agent, "hello").last == .turnEnded(.done))
        }
    }
}
