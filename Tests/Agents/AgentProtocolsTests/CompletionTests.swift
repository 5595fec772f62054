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
        #expect(try chunk(#"{"choices":[{"delta":{},"finish_reason":"length"}]}"#).finishReason == "length")
        let usage = try chunk(#"{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}"#)
            .usage
        #expect(usage?.input == 3 && usage?.output == 4)
        #expect(try chunk(#"{"error":{"message":"overloaded","type":"x"}}"#).failure == "overloaded")
        #expect(try chunk(#"{"error":"overloaded"}"#).failure == "overloaded")
        for text in ["", "{}", "[]", "nonsense", #"{"choices":{}}"#] {
            #expect(throws: AgentProtocolError.self, "\(text)") { try CompletionChunk.read(text) }
        }
    }

    @Test func `pieces of calls belong together by their index`() throws {
        let texts = [
            #"{"index":0,"id":"a","function":{"name":"read","arguments":""}}"#,
            #"{"index":1,"id":"a","function":{"name":"write","arguments":"{"}}"#,
            #"{"index":0,"function":{"arguments":"{}"}}"#, #"{"index":2,"function":{"name":"x"}}"#, #"{"index":9999}"#,
        ]
        let chunk = try #require(
            try CompletionChunk.read(#"{"choices":[{"delta":{"tool_calls":[\#(texts.joined(separator: ","))]}}]}"#))
        var calls = CompletionToolCalls(prefix: "call-7")
        let found = chunk.toolCalls.map { calls.add($0) }
        #expect(found.map(\.id) == ["a", "a'", "a", "call-7-2"])
        #expect(found.map(\.began) == ["read", "write", nil, "x"])
    }
}
