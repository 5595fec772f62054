import AgentProtocols
import Testing
import Wire

@Suite struct CompletionTests {
    @Test func `a request asks for a stream with its cost`() throws {
        let request = CompletionRequest(model: "m", messages: [.init(.system, "be short"), .init(.user, "a\"\n")])
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"model":"m","messages":[{"role":"system","content":"be short"},{"role":"user","content":"a\"\n"}],"#
                + #""stream":true,"stream_options":{"include_usage":true}}"#)
        #expect(!String(decoding: CompletionRequest(messages: []).body, as: UTF8.self).contains("model"))
        let plain = CompletionRequest(messages: [], wantsUsage: false)
        #expect(String(decoding: plain.body, as: UTF8.self) == #"{"messages":[],"stream":true}"#)
    }

    @Test(arguments: [
        (100, "s-q-a-r-b-t"), (10, "s-q-a-r-b-t"), (9, "s-r-b-t"), (8, "s-r-b-t"), (5, "s-t"), (4, "s-t"),
    ])
    func `a conversation is cut before a question, and what the system says stays`(_ limit: Int, _ kept: String) {
        let all: [CompletionRequest.Message] = [
            .init(.system, "s"), .init(.user, "q"), .init(.assistant, "a"), .init(.user, "r"),
            .init(.assistant, "b", pictures: ["1234"]), .init(.user, "t"),
        ]
        #expect(all.latest(bytes: limit).map(\.text).joined(separator: "-") == kept)
    }

    @Test func `the end is no chunk`() throws {
        #expect(try CompletionChunk.read("[DONE]") == nil)
    }

    @Test func `each chunk says one thing and keeps all`() throws {
        func chunk(_ text: String) throws -> CompletionChunk {
            let chunk = try #require(try CompletionChunk.read(text))
            #expect(JSONValue.object(chunk.object).text == text)
            return chunk
        }
        #expect(
            try chunk(#"{"choices":[{"index":0,"delta":{"role":"assistant","content":null}}],"newer":1.0}"#).text == "")
        #expect(try chunk(#"{"choices":[{"delta":{"content":"é"},"finish_reason":null}]}"#).text == "é")
        #expect(try chunk(#"{"choices":[{"delta":{"reasoning_content":"hm"}}]}"#).reasoning == "hm")
        #expect(try chunk(#"{"choices":[{"delta":{"reasoning":"hm"}}]}"#).reasoning == "hm")
        #expect(try chunk(#"{"choices":[{"delta":{"reasoning_content":"","reasoning":"hm"}}]}"#).reasoning == "hm")
        #expect(try chunk(#"{"choices":[{"delta":{},"finish_reason":"length"}]}"#).finishReason == "length")
        let usage = try chunk(#"{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}"#)
            .usage
        #expect(usage?.input == 3 && usage?.output == 4)
        #expect(try chunk(#"{"error":{"message":"overloaded","type":"x"}}"#).failure == "overloaded")
        #expect(try chunk(#"{"error":"overloaded"}"#).failure == "overloaded")
        #expect(try chunk(#"{"object":"error","message":"overloaded","code":40}"#).failure == "overloaded")
    }

    @Test(arguments: [
        "{}", #"{"type":"ping"}"#, #"{"choices":{}}"#, #"{"choices":[]}"#, #"{"choices":[{"finish_reason":""}]}"#,
        #"{"choices":[{"delta":null,"finish_reason":null}]}"#, #"{"message":"still here"}"#, #"{"error":null}"#,
    ])
    func `an object that says nothing of an answer is no trouble`(_ text: String) throws {
        let chunk = try #require(try CompletionChunk.read(text))
        #expect(JSONValue.object(chunk.object).text == text)
        #expect(chunk.text.isEmpty && chunk.reasoning.isEmpty && chunk.toolCalls.isEmpty)
        #expect(chunk.finishReason == nil && chunk.usage == nil && chunk.failure == nil)
    }

    @Test(arguments: ["", " ", "\n\n"]) func `an empty event says nothing`(_ text: String) throws {
        let chunk = try #require(try CompletionChunk.read(text))
        #expect(chunk.object.members.isEmpty && chunk.text.isEmpty && chunk.finishReason == nil)
    }

    @Test(arguments: ["[]", "nonsense", "1", "null", #"{"choices":[{"#, #"{"a":1,"a":2}"#])
    func `what is no object cannot be read`(_ text: String) {
        #expect(throws: AgentProtocolError.self) { try CompletionChunk.read(text) }
    }

    @Test func `an answer that does not stream says all at once`() throws {
        let message =
            #"{"content":"é","reasoning":"hm","tool_calls":[{"function":{"name":"f"}},{"function":{"arguments":{"a":1}}}]}"#
        let body =
            #"{"choices":[{"message":\#(message),"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":4}}"#
        let chunk = try CompletionChunk.whole(Array(body.utf8))
        #expect(chunk.text == "é" && chunk.reasoning == "hm" && chunk.finishReason == "stop")
        #expect(chunk.usage?.input == 3 && chunk.usage?.output == 4)
        #expect(chunk.toolCalls.map(\.index) == [0, 1] && chunk.toolCalls.map(\.arguments) == ["", #"{"a":1}"#])
        // A server that repeats its answer in the last event of a stream does not say it twice.
        #expect(try CompletionChunk.read(body)?.text == "")
        for text in ["", "[]", "{}", #"{"choices":[{"delta":{"content":"x"}}]}"#] {
            #expect(throws: AgentProtocolError.self, "\(text)") { try CompletionChunk.whole(Array(text.utf8)) }
        }
    }
}
