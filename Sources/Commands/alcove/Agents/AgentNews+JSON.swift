import AppCore
import Catalogues
import Foundation
import Host

/// What is new in a session, one JSON object each, for scripts.
extension AgentNews {
    var json: JSONValue {
        var members = details
        members["type"] = .string(type)
        return .object(members)
    }

    private var type: String {
        switch self {
        case .asked: "asked"
        case .queued: "queued"
        case .held: "not_asked"
        case .said: "text"
        case .thought: "thought"
        case .called: "tool_call"
        case .planned: "plan"
        case .asks: "request"
        case .decided(_, let decision): decision.verdict.type
        case .used: "usage"
        case .remark: "note"
        case .logged: "log"
        case .silent: "connection_lost"
        case .heardAgain: "connection_back"
        case .turnEnded: "turn_ended"
        case .lost: "ended"
        }
    }

    private var details: [String: JSONValue] {
        switch self {
        case .asked(let text), .queued(let text), .held(let text): ["text": .string(text)]
        case .said(let text), .thought(let text), .logged(let text): text.members
        case .called(let call, _, _): call.json
        case .planned(let steps):
            ["entries": .array(steps.map { .object(["content": .string($0.content), "status": .string($0.status)]) })]
        case .asks(let question):
            [
                "request": .integer(Int64(question.number)), "tool_call": .object(question.approval.call.json),
                "answers": .array(question.approval.choices.map { .string($0.rawValue) }),
                "wants": question.approval.input.map { .string($0.rawValue) },
            ].compactMapValues(\.self)
        case .decided(let number, _): ["request": .integer(Int64(number))]
        case .used(let tokens, let size):
            ["used": .integer(Int64(tokens)), "size": size.map { .integer(Int64($0)) }].compactMapValues(\.self)
        case .remark(let words): ["text": .string(words.english)]
        case .silent(let since): ["unknown_since": .string(WrittenTime.text(since.milliseconds, zone: .gmt))]
        case .heardAgain: [:]
        case .turnEnded(let end):
            ["reason": .string(end.reason.rawValue), "message": end.sentence.map { .string($0) }]
                .compactMapValues(\.self)
        case .lost(let since, let failure):
            [
                "message": failure.map { .string($0.explanation) },
                "unknown_since": .string(WrittenTime.text(since.milliseconds, zone: .gmt)),
            ].compactMapValues(\.self)
        }
    }
}

extension AgentVerdict {
    fileprivate var type: String {
        switch self {
        case .once, .always, .lasting, .allowedByPolicy, .onceByMember: "allowed"
        case .reject, .rejectedByPolicy, .rejectedByMember, .expired: "rejected"
        case .given: "given"
        case .before: "allowed_before"
        case .changed: "changed"
        case .gone: "gone"
        }
    }
}

extension CutText {
    fileprivate var members: [String: JSONValue] {
        ["text": .string(text), "omitted": omitted.map { .integer(Int64($0)) }].compactMapValues(\.self)
    }
}

extension AgentCall {
    fileprivate var json: [String: JSONValue] {
        [
            "id": .string(id), "title": title.map { .string($0) }, "kind": kind.map { .string($0) },
            "status": status.map { .string($0) }, "input": input.map { .string($0.text) },
            "output": output.map { .string($0.text) }, "paths": paths.map { .array($0.map { .string($0) }) },
            "results": results.map { .array($0.map(\.json)) },
        ].compactMapValues(\.self)
    }
}

extension AgentCall.Result {
    fileprivate var json: JSONValue {
        switch self {
        case .text(let text): .object(text.members)
        case .change(let path, let lines, _, _), .difference(let path, _, let lines):
            .object(["path": .string(path), "change": .string(lines.text)])
        case .other(let name): .object(["other": .string(name)])
        }
    }
}
