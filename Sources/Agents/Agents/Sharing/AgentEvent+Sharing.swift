internal import AgentProtocols
internal import Errors
internal import Wire

// What an agent says, as it goes to another person, and back.

extension AgentEvent {
    /// What is sent of it: a long piece of an answer in parts. Empty for what concerns its owner alone.
    var shared: [SharedEvent] { shared(.overLink) }

    func shared(_ bounds: SharedBounds) -> [SharedEvent] {
        switch self {
        case .text(let text): text.pieces.map { SharedEvent(.text, $0.object) }
        case .reasoning(let text): text.pieces.map { SharedEvent(.reasoning, $0.object) }
        case .rolledBack(let isWhole): [SharedEvent(.rolledBack, isWhole ? ["whole": true] : [:])]
        case .toolCall(let call): [.fitting(.toolCall, bounds) { ["call": .object($0.written(call))] }]
        case .toolCallChanged(let call): [.fitting(.toolCallChanged, bounds) { ["call": .object($0.written(call))] }]
        case .plan(let steps): [.fitting(.plan, bounds) { ["steps": .array(steps.prefix($0.elements).map(\.written))] }]
        case .permission(let asked):
            [
                .fitting(.permission, bounds) {
                    [
                        "request": .count(asked.id.number), "call": .object($0.written(asked.toolCall)),
                        "options": .array(asked.options.prefix($0.elements).map(\.written)),
                    ]
                }
            ]
        case .permissionGone(let id): [SharedEvent(.permissionGone, ["request": .count(id.number)])]
        case .usage(let usage): [SharedEvent(.usage, usage.written)]
        case .mode(let name): [SharedEvent(.mode, ["name": .string(name)])]
        case .title(let name): [SharedEvent(.title, ["name": .string(name)])]
        case .detail(let words): [SharedEvent(.detail, ["text": .string(words)])]
        case .remark(let text): [SharedEvent(.remark, text.object)]
        case .other(let name): [SharedEvent(.other, ["name": .string(name)])]
        case .turnEnded(let stop): [SharedEvent(.turnEnded, stop.written)]
        case .ended(let error):
            [SharedEvent(.ended, error.map { ["code": .string($0.code.rawValue)] } ?? [:])]
        case .userText, .toolInput, .unreadable, .link, .opened, .retold, .setting, .chosen: []
        }
    }

    /// What another person's agent said; nil for what this version does not know, and for the beginning of a turn.
    init?(_ shared: SharedEvent) {
        let object = shared.object
        switch shared.kind {
        case .text: self = .text(AgentText(object))
        case .reasoning: self = .reasoning(AgentText(object))
        case .rolledBack: self = .rolledBack(whole: object.isTrue("whole"))
        case .toolCall: self = .toolCall(AgentToolCall(object["call"]?.object ?? [:]))
        case .toolCallChanged: self = .toolCallChanged(AgentToolCall(object["call"]?.object ?? [:]))
        case .plan:
            self = .plan(object.array("steps").prefix(AgentLimits.elements).map { AgentPlanEntry($0.object ?? [:]) })
        case .permission:
            guard let number = object.count("request") else { return nil }
            self = .permission(
                AgentPermission(
                    id: AgentPermission.ID(number: number),
                    toolCall: AgentToolCall(object["call"]?.object ?? [:]),
                    options: object.array("options").prefix(AgentLimits.elements).map {
                        AgentPermission.Option($0.object ?? [:])
                    }))
        case .permissionGone:
            guard let number = object.count("request") else { return nil }
            self = .permissionGone(AgentPermission.ID(number: number))
        case .usage: self = .usage(AgentUsage(object))
        case .mode: self = .mode(object.name("name"))
        case .title: self = .title(object.name("name"))
        case .detail: self = .detail(object.name("text"))
        case .remark: self = .remark(AgentText(object))
        case .other: self = .other(object.name("name"))
        case .turnEnded: self = .turnEnded(AgentStop(object))
        case .ended: self = .ended(object.string("code").map { AgentError(ownersCode: $0) })
        case .turnBegan, nil: return nil
        }
    }
}

extension SharedEvent {
    /// An event that fits into a frame: of texts as much as there is room for.
    fileprivate static func fitting(
        _ kind: Kind, _ bounds: SharedBounds, _ members: (inout SharedTexts) -> JSONObject
    ) -> SharedEvent {
        var texts = SharedTexts(left: bounds.textBytes, elements: AgentLimits.elements)
        let whole = SharedEvent(kind, members(&texts))
        guard whole.bytes.count > bounds.frameBytes - 4096 else { return whole }
        // Control characters take six bytes each, and names are many: then only the beginning goes.
        var few = SharedTexts(left: bounds.textBytes / 16, elements: 16)
        return SharedEvent(kind, members(&few))
    }
}

/// How much of an event goes.
struct SharedBounds: Sendable {
    /// Bytes of all its texts.
    let textBytes: Int
    /// Bytes of the whole event as JSON.
    let frameBytes: Int

    /// To another person.
    static let overLink = SharedBounds(textBytes: SharingLimits.textBytes, frameBytes: SharingLimits.frameBytes)
    /// To another process of this person: more than a host shows.
    static let onThisMachine = SharedBounds(textBytes: 1 << 20, frameBytes: 8 << 20)
}

/// How much of the texts of one event still goes.
private struct SharedTexts {
    var left: Int
    let elements: Int

    mutating func written(_ text: AgentText) -> JSONObject {
        let cut = AgentText(text.text, omitted: text.omitted, limit: max(left, 0))
        left -= cut.text.utf8.count
        return cut.object
    }

    mutating func written(_ call: AgentToolCall) -> JSONObject {
        var object: JSONObject = ["id": .string(call.id)]
        for (name, value) in [("title", call.title), ("kind", call.kind), ("status", call.status)] {
            if let value { object.append(name, .string(value)) }
        }
        if let input = call.input { object.append("input", .object(written(input))) }
        if let results = call.results {
            object.append("results", .array(results.prefix(elements).map { .object(written($0)) }))
        }
        if let output = call.output { object.append("output", .object(written(output))) }
        if let paths = call.paths { object.append("paths", .array(paths.prefix(elements).map { .string($0) })) }
        return object
    }

    private mutating func written(_ result: AgentToolCall.Result) -> JSONObject {
        switch result {
        case .text(let text): return ["text": .object(written(text))]
        case .difference(let path, let old, let new):
            var object: JSONObject = ["path": .string(path)]
            if let old { object.append("old", .object(written(old))) }
            object.append("new", .object(written(new)))
            return object
        case .other(let name): return ["other": .string(name)]
        }
    }
}

extension AgentText {
    var object: JSONObject {
        omitted > 0 ? ["text": .string(text), "omitted": .count(omitted)] : ["text": .string(text)]
    }

    init(_ object: JSONObject) {
        self.init(object.string("text") ?? "", omitted: object.count("omitted") ?? 0)
    }

    /// As pieces of at most ``SharingLimits/pieceBytes``.
    fileprivate var pieces: [AgentText] {
        guard text.utf8.count > SharingLimits.pieceBytes else { return [self] }
        var pieces: [AgentText] = []
        var rest = Substring(text)
        while !rest.isEmpty {
            let piece = AgentText(String(rest), limit: SharingLimits.pieceBytes).text
            // A character that is longer than a piece does not go.
            guard !piece.isEmpty else { break }
            pieces.append(AgentText(piece))
            rest = Substring(rest.unicodeScalars.dropFirst(piece.unicodeScalars.count))
        }
        let left = omitted + rest.utf8.count
        if left > 0 { pieces.append(AgentText("", omitted: left)) }
        return pieces
    }
}

extension AgentToolCall {
    func written(_ bounds: SharedBounds) -> JSONObject {
        var texts = SharedTexts(left: bounds.textBytes, elements: AgentLimits.elements)
        return texts.written(self)
    }

    init(_ object: JSONObject) {
        self.init(id: object.string("id") ?? "", title: object.string("title"), status: object.optionalName("status"))
        kind = object.optionalName("kind")
        input = object["input"]?.object.map { AgentText($0) }
        output = object["output"]?.object.map { AgentText($0) }
        if object.has("results") {
            results = object.array("results").prefix(AgentLimits.elements).map { Result($0.object ?? [:]) }
        }
        if object.has("paths") {
            paths = object.array("paths").prefix(AgentLimits.elements).compactMap { $0.string.map(AgentText.name) }
        }
    }
}

extension AgentToolCall.Result {
    fileprivate init(_ object: JSONObject) {
        if let new = object["new"]?.object {
            let old = object["old"]?.object.map { AgentText($0) }
            self = .difference(path: object.name("path"), old: old, new: AgentText(new))
        } else if let text = object["text"]?.object {
            self = .text(AgentText(text))
        } else {
            self = .other(object.name("other"))
        }
    }
}

extension AgentPlanEntry {
    fileprivate var written: JSONValue {
        ["content": .string(content), "priority": .string(priority), "status": .string(status)]
    }

    fileprivate init(_ object: JSONObject) {
        self.init(
            content: object.name("content"), priority: object.name("priority"), status: object.name("status"))
    }
}

extension AgentPermission.Option {
    fileprivate var written: JSONValue { ["id": .string(id), "name": .string(name), "kind": .string(kind)] }

    fileprivate init(_ object: JSONObject) {
        self.init(id: object.name("id"), name: object.name("name"), kind: object.name("kind"))
    }
}

extension AgentUsage {
    fileprivate var written: JSONObject {
        var object = JSONObject()
        for (name, value) in [("input", input), ("output", output), ("used", used), ("size", size)] {
            if let value { object.append(name, .count(max(value, 0))) }
        }
        return object
    }

    fileprivate init(_ object: JSONObject) {
        self.init(
            input: object.count("input"), output: object.count("output"), used: object.count("used"),
            size: object.count("size"))
    }
}

extension AgentStop {
    private static let words: [(AgentStop, String)] = [
        (.done, "done"), (.tokenLimit, "token_limit"), (.requestLimit, "request_limit"), (.refused, "refused"),
        (.cancelled, "cancelled"),
    ]

    fileprivate var written: JSONObject {
        switch self {
        case .failed(let error): ["reason": "failed", "code": .string(error.code.rawValue)]
        case .other(let name): ["reason": "other", "name": .string(name)]
        default: ["reason": .string(Self.words.first { $0.0 == self }?.1 ?? "other")]
        }
    }

    fileprivate init(_ object: JSONObject) {
        let reason = object.name("reason")
        if reason == "failed" {
            self = .failed(AgentError(ownersCode: object.string("code") ?? ""))
        } else {
            self = Self.words.first { $0.1 == reason }?.0 ?? .other(object.string("name").map(AgentText.name) ?? reason)
        }
    }
}

extension AgentError {
    /// What the owner's side said. Only the code comes: the words may name what is none of the member's business.
    init(ownersCode: String) {
        let code = AgentErrorCode(rawValue: ownersCode) ?? .ended
        let words =
            switch code {
            case .cannotStart: "it cannot be started on its owner's machine"
            case .ended, .notRunning: "it ended on its owner's machine"
            case .silent: "it does not answer on its owner's machine"
            case .notUnderstood, .otherVersion: "its owner's machine does not understand it"
            case .refused: "it refused"
            case .noPictures: "it takes no pictures"
            case .unauthorized, .otherKey: "its owner has to sign in with it first"
            case .unreachable: "its owner's machine does not reach it"
            case .busy: "it is busy"
            case .tooLarge: "it was asked too much at once"
            case .gone: "the request is not open any more"
            }
        self.init(code, words)
    }
}

extension JSONObject {
    fileprivate func name(_ member: String) -> String { AgentText.name(string(member) ?? "") }
    fileprivate func optionalName(_ member: String) -> String? { string(member).map(AgentText.name) }
}

extension JSONValue {
    static func count(_ number: Int) -> JSONValue { .number(String(number)) }
}
