internal import AgentProtocols
internal import Errors
internal import Wire

// What an agent says, as its supervisor keeps it for the host process: as it goes to other people, and with what concerns its owner alone.

extension AgentEvent {
    /// Empty for what no host shows.
    var supervised: [SharedEvent] {
        switch self {
        case .opened(let thread, let goesOn):
            [.own("opened", ["goes_on": .bool(goesOn)], ("thread", thread.map { .string($0) }))]
        case .retold(let parts): [.own("retold", ["parts": .array(parts.map(\.written))])]
        case .setting(let setting):
            [
                .own(
                    "setting",
                    [
                        "setting": .string(setting.kind.word), "current": .string(setting.current),
                        "options": .array(setting.options.map { ["id": .string($0.id), "name": .string($0.name)] }),
                    ])
            ]
        case .chosen(let kind, let option):
            [.own("chosen", ["setting": .string(kind.word), "option": .string(option)])]
        case .permission(let asked):
            shared(.onThisMachine).map {
                $0.adding("input", asked.input.map { $0 == .secret ? "secret" : "text" })
            }
        case .turnEnded(.failed(let error)), .ended(let error?):
            shared(.onThisMachine).map { $0.adding("message", .string(error.message)) }
        default: shared(.onThisMachine)
        }
    }

    /// Nil for what this version does not know.
    init?(supervised event: SharedEvent) {
        let object = event.object
        switch object.string("kind") {
        case "opened": self = .opened(thread: object.string("thread"), goesOn: object["goes_on"] == true)
        case "retold": self = .retold(object.array("parts").compactMap { AgentRetoldPart($0.object ?? [:]) })
        case "setting":
            guard let kind = AgentSetting.Kind(word: object.string("setting")) else { return nil }
            let options = object.array("options").map { option in
                AgentSetting.Option(
                    id: option.object?.string("id") ?? "", name: option.object?.string("name") ?? "")
            }
            self = .setting(AgentSetting(kind: kind, current: object.string("current") ?? "", options: options))
        case "chosen":
            guard let kind = AgentSetting.Kind(word: object.string("setting")) else { return nil }
            self = .chosen(kind, object.string("option") ?? "")
        default:
            guard let said = AgentEvent(event) else { return nil }
            self = said.completed(from: object)
        }
    }

    /// With what does not go to other people.
    private func completed(from object: JSONObject) -> AgentEvent {
        let message = object.string("message")
        switch self {
        case .permission(let asked):
            let input: AgentPermission.Input? =
                object.string("input").map { $0 == "secret" ? .secret : .text }
            return .permission(
                AgentPermission(id: asked.id, toolCall: asked.toolCall, options: asked.options, input: input))
        case .turnEnded(.failed(let error)):
            return .turnEnded(.failed(message.map { AgentError(error.code, $0) } ?? error))
        case .ended(let error?): return .ended(message.map { AgentError(error.code, $0) } ?? error)
        default: return self
        }
    }
}

extension SharedEvent {
    /// One of a kind that does not go to other people.
    fileprivate static func own(
        _ kind: String, _ members: JSONObject, _ more: (String, JSONValue?)...
    ) -> SharedEvent {
        var object: JSONObject = ["kind": .string(kind)]
        for member in members.members { object.append(member.name, member.value) }
        for (name, value) in more { if let value { object.append(name, value) } }
        return SharedEvent(own: object)
    }

    fileprivate func adding(_ name: String, _ value: JSONValue?) -> SharedEvent {
        guard let value else { return self }
        var object = object
        object.append(name, value)
        return SharedEvent(own: object)
    }
}

extension AgentSetting.Kind {
    /// Between the two processes.
    var word: String { self == .mode ? "mode" : "model" }

    init?(word: String?) {
        switch word {
        case "mode": self = .mode
        case "model": self = .model
        default: return nil
        }
    }
}

extension AgentRetoldPart {
    fileprivate var written: JSONValue {
        switch self {
        case .asked(let text): ["asked": .object(text.object)]
        case .said(let text): ["said": .object(text.object)]
        case .thought(let text): ["thought": .object(text.object)]
        case .called(let call): ["called": .object(call.written(.onThisMachine))]
        }
    }

    fileprivate init?(_ object: JSONObject) {
        if let text = object["asked"]?.object {
            self = .asked(AgentText(text))
        } else if let text = object["said"]?.object {
            self = .said(AgentText(text))
        } else if let text = object["thought"]?.object {
            self = .thought(AgentText(text))
        } else if let call = object["called"]?.object {
            self = .called(AgentToolCall(call))
        } else {
            return nil
        }
    }
}
