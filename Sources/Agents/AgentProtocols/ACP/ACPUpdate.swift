package import Wire

/// What an agent tells of a session (`session/update`). It keeps everything that came; ``kind`` is what is understood of it.
package struct ACPUpdate: Sendable, Hashable {
    /// The kinds of version 1.
    package enum Kind: Sendable, Hashable {
        case userText(ACPContent)
        case agentText(ACPContent)
        case thought(ACPContent)
        /// A call that begins. One with an id that is known replaces it.
        case toolCall(ACPToolCall)
        /// Changes of a call; what is nil stays as it was.
        case toolCallChanged(ACPToolCall)
        /// The whole plan, which replaces the one before.
        case plan([ACPPlanEntry])
        case commands([JSONObject])
        case mode(String)
        case configOptions([JSONObject])
        /// A title for the session; nil: unchanged.
        case info(title: String?)
        /// Tokens that are taken of the context window, and its size.
        case usage(used: Int, size: Int)
        /// One that this version does not know.
        case unknown(String)
    }

    package let kind: Kind
    /// All of it.
    package let object: JSONObject

    package init(_ object: JSONObject) throws(AgentProtocolError) {
        guard let name = object.string("sessionUpdate") else {
            throw AgentProtocolError(.malformed, "an update does not say what it is")
        }
        guard let kind = try Self.kind(name, object) else {
            throw AgentProtocolError(.malformed, "an update lacks what its kind must have")
        }
        (self.kind, self.object) = (kind, object)
    }

    private static func kind(_ name: String, _ object: JSONObject) throws(AgentProtocolError) -> Kind? {
        func objects(_ member: String) -> [JSONObject]? {
            if case .array(let elements)? = object[member] { elements.compactMap(\.object) } else { nil }
        }
        switch name {
        case "user_message_chunk": return ACPContent(object["content"]).map { .userText($0) }
        case "agent_message_chunk": return ACPContent(object["content"]).map { .agentText($0) }
        case "agent_thought_chunk": return ACPContent(object["content"]).map { .thought($0) }
        case "tool_call": return object.string("title") == nil ? nil : .toolCall(try ACPToolCall(object))
        case "tool_call_update": return .toolCallChanged(try ACPToolCall(object))
        case "plan": return objects("entries").map { .plan($0.compactMap(ACPPlanEntry.init)) }
        case "available_commands_update": return objects("availableCommands").map { .commands($0) }
        case "current_mode_update": return object.string("currentModeId").map { .mode($0) }
        case "config_option_update": return objects("configOptions").map { .configOptions($0) }
        case "session_info_update": return .info(title: object.string("title"))
        case "usage_update":
            guard let used = object.count("used"), let size = object.count("size") else { return nil }
            return .usage(used: used, size: size)
        default: return .unknown(name)
        }
    }
}

/// A step of an agent's plan.
package struct ACPPlanEntry: Sendable, Hashable {
    package var content: String
    /// `high`, `medium`, `low`, or another word.
    package var priority: String
    /// `pending`, `in_progress`, `completed`, or another word.
    package var status: String

    init?(_ object: JSONObject) {
        guard let content = object.string("content") else { return nil }
        self.content = content
        priority = object.string("priority") ?? "medium"
        status = object.string("status") ?? "pending"
    }
}

/// One piece of content (`ContentBlock`).
package struct ACPContent: Sendable, Hashable {
    /// The kinds of version 1.
    package enum Kind: Sendable, Hashable {
        case text(String)
        /// Base64, which nobody has looked at.
        case image(mimeType: String, base64: String)
        case audio(mimeType: String, base64: String)
        /// Something that is elsewhere. It is never fetched for being named.
        case link(uri: String, name: String)
        /// Something that came along.
        case resource(uri: String, text: String?)
        case unknown(String)
    }

    package let kind: Kind
    /// All of it.
    package let object: JSONObject

    /// Nil if it is none, or lacks what its kind must have.
    package init?(_ value: JSONValue?) {
        guard let object = value?.object, let name = object.string("type"), let kind = Self.kind(name, object) else {
            return nil
        }
        (self.kind, self.object) = (kind, object)
    }

    /// Text of our own.
    package init(text: String) {
        (kind, object) = (.text(text), ["type": "text", "text": .string(text)])
    }

    /// The words, if it is a text.
    package var text: String? { if case .text(let text) = kind { text } else { nil } }

    /// A picture of our own.
    package init(image type: String, base64: String) {
        kind = .image(mimeType: type, base64: base64)
        object = ["type": "image", "mimeType": .string(type), "data": .string(base64)]
    }

    private static func kind(_ name: String, _ object: JSONObject) -> Kind? {
        switch name {
        case "text": return object.string("text").map { .text($0) }
        case "image", "audio":
            guard let type = object.string("mimeType"), let data = object.string("data") else { return nil }
            return name == "image" ? .image(mimeType: type, base64: data) : .audio(mimeType: type, base64: data)
        case "resource_link":
            guard let uri = object.string("uri") else { return nil }
            return .link(uri: uri, name: object.string("name") ?? uri)
        case "resource":
            guard let resource = object["resource"]?.object, let uri = resource.string("uri") else { return nil }
            return .resource(uri: uri, text: resource.string("text"))
        default: return .unknown(name)
        }
    }
}
