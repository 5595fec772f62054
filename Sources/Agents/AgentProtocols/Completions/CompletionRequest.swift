internal import Wire

/// What is asked of a model server (`POST /v1/chat/completions`), answered as a stream.
package struct CompletionRequest: Sendable, Hashable {
    /// Who said something.
    package enum Role: String, Sendable { case system, user, assistant }

    /// One message of the conversation.
    package struct Message: Sendable, Hashable {
        package var role: Role
        package var text: String
        /// Pictures that go along, each as a `data:` address.
        package var pictures: [String]

        package init(_ role: Role, _ text: String, pictures: [String] = []) {
            (self.role, self.text, self.pictures) = (role, text, pictures)
        }

        /// Bytes of all of it.
        package var bytes: Int { pictures.reduce(text.utf8.count) { $0 + $1.utf8.count } }

        /// A text alone is written as one: not every server knows parts.
        fileprivate var content: JSONValue {
            guard !pictures.isEmpty else { return .string(text) }
            let parts: [JSONValue] = pictures.map { ["type": "image_url", "image_url": ["url": .string($0)]] }
            return .array([["type": "text", "text": .string(text)]] + parts)
        }
    }

    /// Nil: the server's only one, or its usual one.
    package var model: String?
    package var messages: [Message]
    /// Whether it asks for the cost of the answer. Servers that are old and strict refuse a wish that they do not know.
    package var wantsUsage: Bool

    package init(model: String? = nil, messages: [Message], wantsUsage: Bool = true) {
        (self.model, self.messages, self.wantsUsage) = (model, messages, wantsUsage)
    }

    /// The body of the request.
    package var body: [UInt8] {
        var object: JSONObject = [:]
        if let model { object.append("model", .string(model)) }
        object.append(
            "messages",
            .array(messages.map { ["role": .string($0.role.rawValue), "content": $0.content] }))
        object.append("stream", true)
        if wantsUsage { object.append("stream_options", ["include_usage": true]) }
        var bytes: [UInt8] = []
        JSONValue.object(object).write(to: &bytes)
        return bytes
    }
}

extension [CompletionRequest.Message] {
    /// The end of a conversation, as much as fits. It begins with a question: many servers take no conversation that begins with an answer. What the
    /// system says ahead of it stays.
    package func latest(bytes limit: Int) -> [CompletionRequest.Message] {
        let system = Array(prefix { $0.role == .system })
        var (kept, bytes) = (0, system.reduce(0) { $0 + $1.bytes })
        for message in dropFirst(system.count).reversed() {
            bytes += message.bytes
            guard bytes <= limit else { break }
            kept += 1
        }
        return system + suffix(kept).drop { $0.role != .user }
    }
}
