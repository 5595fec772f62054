import Agents
import AppCore
import Errors

/// What happens in a conversation, one JSON object each, for scripts.
extension AgentChange {
    var json: JSONValue {
        var members = details
        members["type"] = .string(type)
        return .object(members)
    }

    private var type: String {
        switch self {
        case .send: "asked"
        case .answer(let answer): answer.isAllowed ? "allowed" : "rejected"
        case .changedUnderway: "changed"
        case .queued: "queued"
        case .refused: "not_asked"
        case .said: "text"
        case .thought: "thought"
        case .called: "tool_call"
        case .planned: "plan"
        case .asks: "request"
        case .allowedBefore: "allowed_before"
        case .withdrawn: "gone"
        case .used: "usage"
        case .lost: "connection_lost"
        case .found: "connection_back"
        case .turnEnded: "turn_ended"
        case .ended: "ended"
        }
    }

    private var details: [String: JSONValue] {
        switch self {
        case .send(let text), .queued(let text), .refused(let text, _): ["text": .string(text)]
        case .answer(let answer): ["request": .integer(Int64(answer.id.number))]
        case .said(let text), .thought(let text): Self.members(text)
        case .called(let call, _): call.json
        case .planned(let entries):
            [
                "entries": .array(
                    entries.map { .object(["content": .string($0.content), "status": .string($0.status)]) })
            ]
        case .asks(let request):
            [
                "request": .integer(Int64(request.id.number)), "tool_call": .object(request.call.json),
                "answers": .array(request.choices.map { .string($0.rawValue) }),
            ]
        case .allowedBefore(let request), .withdrawn(let request), .changedUnderway(let request):
            ["request": .integer(Int64(request.id.number))]
        case .used(let usage):
            [
                "input": usage.input, "output": usage.output, "used": usage.used, "size": usage.size,
            ].compactMapValues { $0.map { .integer(Int64($0)) } }
        case .lost, .found: [:]
        case .turnEnded(let stop):
            ["reason": .string(stop.word), "message": stop.sentence.map { .string($0) }].compactMapValues(\.self)
        case .ended(let error): error.map { ["message": .string($0.message)] } ?? [:]
        }
    }

    private static func members(_ text: AgentText) -> [String: JSONValue] {
        ["text": .string(text.text), "omitted": text.omitted > 0 ? .integer(Int64(text.omitted)) : nil]
            .compactMapValues(\.self)
    }
}

extension AgentToolCall {
    var json: [String: JSONValue] {
        [
            "id": .string(id), "title": title.map { .string($0) }, "kind": kind.map { .string($0) },
            "status": status.map { .string($0) }, "input": input.map { .string($0.text) },
            "output": output.map { .string($0.text) }, "paths": paths.map { .array($0.map { .string($0) }) },
            "results": results.map { .array($0.map(\.json)) },
        ].compactMapValues(\.self)
    }
}

extension AgentToolCall.Result {
    fileprivate var json: JSONValue {
        switch self {
        case .text(let text): .object(["text": .string(text.text)])
        case .difference(let path, let old, let new):
            .object(
                ["path": .string(path), "old": old.map { .string($0.text) }, "new": .string(new.text)]
                    .compactMapValues(\.self))
        case .other(let name): .object(["other": .string(name)])
        }
    }
}

extension AgentStop {
    /// For scripts.
    var word: String {
        switch self {
        case .done: "done"
        case .tokenLimit: "token_limit"
        case .requestLimit: "request_limit"
        case .refused: "refused"
        case .cancelled: "stopped"
        case .failed: "failed"
        case .other: "other"
        }
    }

    /// What a person is told; nil if there is nothing to say.
    var sentence: String? {
        switch self {
        case .done: nil
        case .tokenLimit: "It stopped at its limit of tokens."
        case .requestLimit: "It stopped after as many steps as it takes in one turn."
        case .refused: "It refused."
        case .cancelled: "Stopped."
        case .failed(let error): error.message
        case .other(let word): "It stopped: \(word)"
        }
    }
}
