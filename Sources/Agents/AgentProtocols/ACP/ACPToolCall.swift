package import Wire

/// A call of a tool, or what has changed about it. Nil members are unchanged.
package struct ACPToolCall: Sendable, Hashable {
    /// What a call brought about.
    package enum Content: Sendable, Hashable {
        case content(ACPContent)
        /// A change of a file. The old text is nil for a new file.
        case difference(path: String, old: String?, new: String)
        case terminal(String)
        case unknown(String)

        fileprivate init?(_ object: JSONObject) {
            switch object.string("type") {
            case "content":
                guard let content = ACPContent(object["content"]) else { return nil }
                self = .content(content)
            case "diff":
                guard let path = object.string("path"), let new = object.string("newText") else { return nil }
                self = .difference(path: path, old: object.string("oldText"), new: new)
            case "terminal":
                guard let id = object.string("terminalId") else { return nil }
                self = .terminal(id)
            case let name?: self = .unknown(name)
            case nil: return nil
            }
        }
    }

    /// A place in a file.
    package struct Location: Sendable, Hashable {
        package var path: String
        /// The first is 1.
        package var line: Int?

        package init(path: String, line: Int? = nil) { (self.path, self.line) = (path, line) }
    }

    package var id: String
    package var title: String?
    /// `read`, `edit`, `delete`, `move`, `search`, `execute`, `think`, `fetch`, `other`, or a word that is not known here.
    package var kind: String?
    /// `pending`, `in_progress`, `completed`, `failed`, or a word that is not known here.
    package var status: String?
    package var content: [Content]?
    package var locations: [Location]?
    /// What the tool was given, in its own form.
    package var input: JSONValue?
    /// What it returned, in its own form.
    package var output: JSONValue?

    /// One of our own, of which nothing else is known yet.
    package init(id: String) { self.id = id }

    package init(_ object: JSONObject) throws(AgentProtocolError) {
        guard let id = object.string("toolCallId") else {
            throw AgentProtocolError(.malformed, "a call of a tool has no id")
        }
        self.id = id
        (title, kind, status) = (object.string("title"), object.string("kind"), object.string("status"))
        if object.has("content") { content = object.array("content").compactMap(\.object).compactMap(Content.init) }
        if object.has("locations") {
            locations = object.array("locations").compactMap(\.object).compactMap { place in
                place.string("path").map { Location(path: $0, line: place.count("line")) }
            }
        }
        if object.has("rawInput") { input = object["rawInput"] }
        if object.has("rawOutput") { output = object["rawOutput"] }
    }
}

/// An agent asks whether it may (`session/request_permission`).
package struct ACPPermissionRequest: Sendable, Hashable {
    /// One answer that it takes.
    package struct Option: Sendable, Hashable {
        package var id: String
        /// The agent's own words for it.
        package var name: String
        /// `allow_once`, `allow_always`, `reject_once`, `reject_always`, or a word that is not known here.
        package var kind: String

        package init(id: String, name: String, kind: String) { (self.id, self.name, self.kind) = (id, name, kind) }
    }

    /// Answers to choose from.
    package static let optionLimit = 16

    package let sessionID: String
    package let toolCall: ACPToolCall
    package let options: [Option]

    /// Refuses a request that nobody could answer for sure: one without options, with too many, or with two of one id.
    package init(_ parameters: JSONObject) throws(AgentProtocolError) {
        try ACPMethod.sessionRequestPermission.check(parameters: parameters)
        sessionID = parameters.string("sessionId") ?? ""
        toolCall = try ACPToolCall(parameters["toolCall"]?.object ?? [:])
        let listed = parameters.array("options")
        options = listed.compactMap(\.object).compactMap { option in
            guard let id = option.string("optionId"), let name = option.string("name"),
                let kind = option.string("kind")
            else { return nil }
            return Option(id: id, name: name, kind: kind)
        }
        guard 1...Self.optionLimit ~= listed.count, options.count == listed.count,
            Set(options.map(\.id)).count == options.count
        else { throw AgentProtocolError(.malformed, "the answers to a request cannot be told apart") }
    }

    /// The parameters of a request of our own.
    package static func parameters(_ session: String, _ call: ACPToolCall, _ options: [Option]) -> JSONObject {
        let listed: [JSONValue] = options.map {
            ["optionId": .string($0.id), "name": .string($0.name), "kind": .string($0.kind)]
        }
        return ["sessionId": .string(session), "toolCall": .object(call.object), "options": .array(listed)]
    }

    /// How a client answered.
    package enum Answer: Sendable, Hashable {
        case option(String)
        /// The turn was cancelled there.
        case cancelled
        /// It could not ask anybody.
        case failed

        init(_ result: JSONValue) {
            let outcome = result.object?["outcome"]?.object
            switch (outcome?.string("outcome"), outcome?.string("optionId")) {
            case ("selected", let option?): self = .option(option)
            case ("cancelled", _): self = .cancelled
            default: self = .failed
            }
        }
    }

    /// The answer that one of the options was chosen.
    package static func selected(_ option: String) -> JSONValue {
        ["outcome": ["outcome": "selected", "optionId": .string(option)]]
    }

    /// The answer after the turn was cancelled, or nobody answered.
    package static let cancelled: JSONValue = ["outcome": ["outcome": "cancelled"]]
}
