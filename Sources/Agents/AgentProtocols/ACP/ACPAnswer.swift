package import Wire

/// Something that can be chosen in a session, as a client is told of it.
package struct ACPSetting: Sendable, Hashable {
    /// It is the id of the option and its category.
    package enum Kind: String, Sendable, Hashable, CaseIterable { case mode, model }

    package struct Option: Sendable, Hashable {
        package var id: String
        package var name: String

        package init(id: String, name: String) { (self.id, self.name) = (id, name) }
    }

    package var kind: Kind
    /// The id of what holds now.
    package var current: String
    package var options: [Option]

    package init(_ kind: Kind, current: String, options: [Option]) {
        (self.kind, self.current, self.options) = (kind, current, options)
    }

    /// As it stands among `configOptions`.
    package var option: JSONObject {
        [
            "id": .string(kind.rawValue), "name": kind == .mode ? "Mode" : "Model", "category": .string(kind.rawValue),
            "type": "select", "currentValue": .string(current),
            "options": .array(options.map { ["value": .string($0.id), "name": .string($0.name)] }),
        ]
    }

    /// As it stands as `modes` or `models`, for clients that know no options.
    fileprivate var old: JSONObject {
        let (current, all, id) =
            kind == .mode ? ("currentModeId", "availableModes", "id") : ("currentModelId", "availableModels", "modelId")
        var object: JSONObject = [:]
        object.append(current, .string(self.current))
        object.append(
            all,
            .array(
                options.map { option in
                    var entry: JSONObject = [:]
                    entry.append(id, .string(option.id))
                    entry.append("name", .string(option.name))
                    return .object(entry)
                }))
        return object
    }
}

/// What a request comes to.
package enum ACPAnswer: Sendable, Hashable {
    case done
    /// A session is open; `id` only if it is new.
    case opened(id: String?, settings: [ACPSetting])
    case sessions([Session])
    case options([ACPSetting])
    /// A turn is over, for a reason of the protocol.
    case stopped(String)

    /// A session in a list.
    package struct Session: Sendable, Hashable {
        package var id: String
        package var folder: String
        package var title: String
        /// ISO 8601.
        package var changedAt: String

        package init(id: String, folder: String, title: String, changedAt: String) {
            (self.id, self.folder, self.title, self.changedAt) = (id, folder, title, changedAt)
        }
    }

    var json: JSONValue {
        switch self {
        case .done: return [:]
        case .opened(let id, let settings):
            var object: JSONObject = [:]
            if let id { object.append("sessionId", .string(id)) }
            for setting in settings { object.append(setting.kind == .mode ? "modes" : "models", .object(setting.old)) }
            // Empty means that there may be some later: the agent says so when it is asked first.
            object.append("configOptions", .array(settings.map { .object($0.option) }))
            return .object(object)
        case .sessions(let sessions):
            let listed: [JSONValue] = sessions.map {
                [
                    "sessionId": .string($0.id), "cwd": .string($0.folder), "title": .string($0.title),
                    "updatedAt": .string($0.changedAt),
                ]
            }
            return ["sessions": .array(listed)]
        case .options(let settings): return ["configOptions": .array(settings.map { .object($0.option) })]
        case .stopped(let reason): return ["stopReason": .string(reason)]
        }
    }
}
