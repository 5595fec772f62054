package import Wire

/// One event of the stream that a model server answers with. It keeps everything that came.
package struct CompletionChunk: Sendable, Hashable {
    /// A piece of a call; pieces of one index belong together, and only the first one has id and name.
    package struct ToolCallDelta: Sendable, Hashable {
        package var index: Int
        package var id: String?
        package var name: String?
        package var arguments: String
    }

    /// Tokens of the whole answer.
    package struct Usage: Sendable, Hashable {
        package var input: Int
        package var output: Int
    }

    /// The text that came; empty if there is none.
    package var text = ""
    /// What the model thinks aloud. Servers name it differently.
    package var reasoning = ""
    package var toolCalls: [ToolCallDelta] = []
    /// `stop`, `length`, `tool_calls`, `content_filter`, or another word; nil while it goes on.
    package var finishReason: String?
    package var usage: Usage?
    /// What the server says went wrong in the middle of the stream.
    package var failure: String?
    /// All of it.
    package let object: JSONObject

    /// Calls of one answer.
    package static let toolCallLimit = 128

    /// Reads the data of one event.
    /// - Returns: nil for `[DONE]`, which ends the stream.
    package static func read(_ data: String) throws(AgentProtocolError) -> CompletionChunk? {
        data.utf8.elementsEqual("[DONE]".utf8) ? nil : try CompletionChunk(BoundedJSON.object(Array(data.utf8)))
    }

    private init(_ object: JSONObject) throws(AgentProtocolError) {
        self.object = object
        failure = Self.failure(in: object)
        if let usage = object["usage"]?.object,
            let input = usage.count("prompt_tokens"), let output = usage.count("completion_tokens")
        {
            self.usage = Usage(input: input, output: output)
        }
        guard failure == nil else { return }
        guard case .array(let choices)? = object["choices"] else {
            throw AgentProtocolError(.malformed, "an event has no choices")
        }
        // More than one answer is never asked for.
        guard let choice = choices.first?.object else { return }
        finishReason = choice.string("finish_reason")
        guard let delta = choice["delta"]?.object else { return }
        text = delta.string("content") ?? ""
        reasoning = delta.string("reasoning_content") ?? delta.string("reasoning") ?? ""
        toolCalls = delta.array("tool_calls").compactMap(\.object).compactMap { call in
            guard let index = call.count("index"), index < Self.toolCallLimit else { return nil }
            let function = call["function"]?.object ?? [:]
            return ToolCallDelta(
                index: index, id: call.string("id"), name: function.string("name"),
                arguments: function.string("arguments") ?? "")
        }
    }

    /// The words of a server that answers with an error, in an event or as a whole body; nil if it is none.
    package static func failure(in object: JSONObject) -> String? {
        switch object["error"] {
        case .string(let text)?: text
        case .object(let error)?: error.string("message") ?? "unknown"
        default: nil
        }
    }
}
