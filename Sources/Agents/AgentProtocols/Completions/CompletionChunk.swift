package import Wire

/// One event of the stream that a model server answers with, or its whole answer if it does not stream. It keeps everything that came.
package struct CompletionChunk: Sendable, Hashable {
    /// A piece of a call. ``CompletionToolCalls`` says which one it belongs to.
    package struct ToolCallDelta: Sendable, Hashable {
        /// 0 if the server does not number its calls.
        package var index: Int
        package var id: String?
        package var name: String?
        package var arguments: String
        /// Whether the server numbers its calls.
        package var isNumbered = false
    }

    /// Tokens of the whole answer.
    package struct Usage: Sendable, Hashable {
        package var input: Int
        package var output: Int
    }

    /// The text that came; empty if there is none.
    package let text: String
    /// What the model thinks aloud. Servers name it differently.
    package let reasoning: String
    package let toolCalls: [ToolCallDelta]
    /// `stop`, `length`, `tool_calls`, `content_filter`, or another word; nil while it goes on.
    package let finishReason: String?
    package let usage: Usage?
    /// What the server says went wrong in the middle of the stream.
    package let failure: String?
    /// All of it.
    package let object: JSONObject

    /// Calls of one answer.
    package static let toolCallLimit = 128

    /// Reads the data of one event. An object that says nothing of an answer, and an empty line, are chunks in which nothing comes: servers show in
    /// many ways that they are still there.
    /// - Returns: nil for `[DONE]`, which ends the stream.
    package static func read(_ data: String) throws(AgentProtocolError) -> CompletionChunk? {
        guard !data.utf8.elementsEqual("[DONE]".utf8) else { return nil }
        guard !data.utf8.allSatisfy({ $0 <= 32 }) else { return CompletionChunk([:], isWhole: false) }
        return try CompletionChunk(BoundedJSON.object(Array(data.utf8)), isWhole: false)
    }

    /// Reads the body of an answer that does not come as a stream.
    package static func whole(_ body: [UInt8]) throws(AgentProtocolError) -> CompletionChunk {
        let chunk = try CompletionChunk(BoundedJSON.object(body), isWhole: true)
        guard chunk.failure != nil || chunk.object.array("choices").first?.object?["message"]?.object != nil else {
            throw AgentProtocolError(.malformed, "an answer has no message")
        }
        return chunk
    }

    private init(_ object: JSONObject, isWhole: Bool) {
        self.object = object
        failure = CompletionRefusal.words(inEvent: object)
        usage = Self.usage(in: object["usage"]?.object ?? [:])
        // More than one answer is never asked for.
        let choice = (failure == nil ? object.array("choices").first?.object : nil) ?? [:]
        // An empty reason is none: some servers write one into every event.
        finishReason = choice.string("finish_reason").flatMap { $0.isEmpty ? nil : $0 }
        let said = choice[isWhole ? "message" : "delta"]?.object ?? [:]
        text = said.string("content") ?? ""
        // Some servers have both names, and leave one of them empty.
        let thoughts = ["reasoning_content", "reasoning"].compactMap { said.string($0) }
        reasoning = thoughts.first { !$0.isEmpty } ?? ""
        toolCalls = Self.toolCalls(in: said, isWhole: isWhole)
    }

    private static func usage(in object: JSONObject) -> Usage? {
        guard let input = object.count("prompt_tokens"), let output = object.count("completion_tokens") else {
            return nil
        }
        return Usage(input: input, output: output)
    }

    private static func toolCalls(in said: JSONObject, isWhole: Bool) -> [ToolCallDelta] {
        var calls: [ToolCallDelta] = []
        for (place, call) in said.array("tool_calls").compactMap(\.object).enumerated() {
            // Of a whole answer each element is a call of its own.
            let index = call.count("index") ?? (isWhole ? place : 0)
            guard index < toolCallLimit else { continue }
            let function = call["function"]?.object ?? [:]
            // They are a text that is JSON. Some servers write the JSON itself.
            let object = function["arguments"]?.object
            let arguments = function.string("arguments") ?? object.map { JSONValue.object($0).text } ?? ""
            calls.append(
                ToolCallDelta(
                    index: index, id: call.string("id"), name: function.string("name"), arguments: arguments,
                    isNumbered: call.count("index") != nil))
        }
        return calls
    }
}
