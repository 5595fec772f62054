package import Wire

/// What was said in a session (`history`), as far as it is understood.
package struct GatewayHistory: Sendable, Hashable {
    /// One message.
    package struct Message: Sendable, Hashable {
        /// `user`, `assistant`, `tool`, or another word.
        package var role: String
        package var content: String
        /// The call of a tool that this is about.
        package var tool: Tool?
        /// All of it.
        package let object: JSONObject

        /// A message of our own.
        package init(role: String, content: String, tool: Tool? = nil) {
            (self.role, self.content, self.tool) = (role, content, tool)
            var object: JSONObject = ["role": .string(role), "content": .string(content)]
            if let tool {
                object.append("tool_data", ["id": .string(tool.id), "name": .string(tool.name), "input": tool.input])
            }
            self.object = object
        }

        init?(_ value: JSONValue) {
            guard let object = value.object, let role = object.string("role") else { return nil }
            (self.role, self.object) = (role, object)
            content = object.string("content") ?? ""
            if let data = object["tool_data"]?.object, let id = data.string("id") {
                tool = Tool(id: id, name: data.string("name") ?? "", input: data["input"] ?? .null)
            }
        }
    }

    /// A call of a tool.
    package struct Tool: Sendable, Hashable {
        package var id: String
        package var name: String
        /// Any JSON.
        package var input: JSONValue

        package init(id: String, name: String, input: JSONValue) {
            (self.id, self.name, self.input) = (id, name, input)
        }
    }

    /// A session of the gateway's. Only Alcove's own says what it is about.
    package struct Listed: Sendable, Hashable {
        package var id: String
        package var title: String

        package init(id: String, title: String) { (self.id, self.title) = (id, title) }
    }

    /// Sessions of a gateway that are read.
    private static let mostSessions = 256

    package let session: String
    package let messages: [Message]
    /// All that the gateway has; empty if it does not say.
    package let sessions: [Listed]
    /// What the gateway calls itself; empty if it does not say.
    package let serverName: String
    /// Whether a turn is under way; nil if the gateway does not say.
    package let isProcessing: Bool?
    /// Whether the last message has what was said of it until now, so that what is told next goes on behind it. Alcove's own gateway says so.
    package let isComplete: Bool
    /// Whether the last turn was broken off by an end of the gateway.
    package let wasInterrupted: Bool

    /// Messages that are not understood are left out; the event has them.
    package init?(_ event: GatewayEvent) {
        guard event.kind == .history || event.kind == .compactedHistory else { return nil }
        session = event.string("session_id")
        messages = event.object.array("messages").compactMap(Message.init)
        // A gateway may have any number, and each title has to be looked for.
        let titles = event.object["session_titles"]?.object?.members.prefix(Self.mostSessions)
        let known = Dictionary(
            titles?.map { ($0.name, $0.value.string ?? "") } ?? [], uniquingKeysWith: { one, _ in one })
        sessions = event.object.array("all_sessions").prefix(Self.mostSessions).compactMap(\.string).map {
            Listed(id: $0, title: known[$0] ?? "")
        }
        serverName = event.object.string("server_name") ?? ""
        let activity = event.object["activity"]?.object
        isProcessing = activity?["is_processing"].map { $0 == true }
        isComplete = activity?.isTrue("partial_included") ?? false
        wasInterrupted = event.object.isTrue("was_interrupted")
    }

    /// The event that a gateway of ours tells.
    package static func event(
        id: UInt64, session: String, messages: [Message], isProcessing: Bool, sessions: [Listed], version: String,
        models: [String] = [], model: String? = nil
    ) -> GatewayEvent {
        var titles: JSONObject = [:]
        for session in sessions { titles.append(session.id, .string(session.title)) }
        return GatewayEvent(
            .history,
            [
                "id": JSONValue(id), "session_id": .string(session),
                "messages": .array(messages.map { .object($0.object) }),
                "all_sessions": sessions.isEmpty ? nil : .array(sessions.map { .string($0.id) }),
                "session_titles": sessions.isEmpty ? nil : .object(titles),
                "available_models": models.isEmpty ? nil : .array(models.map { .string($0) }),
                "provider_model": model.map { .string($0) },
                "server_name": "alcove", "server_version": .string(version),
                "activity": ["is_processing": .bool(isProcessing), "partial_included": true],
            ])
    }

    /// The event that a gateway of ours tells of a session of which nothing was left out for being old.
    package static func compacted(id: UInt64, session: String, messages: [Message]) -> GatewayEvent {
        GatewayEvent(
            .compactedHistory,
            [
                "id": JSONValue(id), "session_id": .string(session),
                "messages": .array(messages.map { .object($0.object) }),
                "compacted_total": 0, "compacted_visible": 0, "compacted_remaining": 0,
            ])
    }
}

extension JSONValue {
    /// What a tool was given, as it is shown: a text as it is, anything else as JSON; empty for nothing.
    package var givenText: String {
        switch self {
        case .null: ""
        case .string(let words): words
        case .bool, .number, .array, .object: text
        }
    }
}
