// Agents in the words that a person reads.

extension AgentTalk {
    /// How it stands.
    package var statusWords: Words {
        switch session.shownStatus {
        case .ready: return "agent.ready"
        case .running where live.isStopping: return "agent.stopping"
        case .running where live.effect != nil && !live.isStarted: return "agent.starting"
        case .running: return "agent.running"
        case .waits: return "agent.waits"
        case .done: return session.end?.words ?? "agent.done"
        case .stopped: return "agent.stopped"
        case .unknown: return .key("agent.unknown", ["since": .time(session.unknownSince ?? session.changedAt)])
        }
    }
}

extension AgentTurnEnd {
    package var words: Words {
        switch reason {
        case .done: "agent.done"
        case .tokenLimit: "agent.done.token_limit"
        case .requestLimit: "agent.done.request_limit"
        case .refused: "agent.done.refused"
        case .stopped: "agent.stopped"
        case .failed: "agent.done.failed"
        case .other: "agent.done.other"
        }
    }
}

extension AgentSession {
    /// How it stands, as far as is known: while the connection to an agent of somebody else is down, that is nothing.
    package var shownStatus: Status { isInTurn && unknownSince != nil ? .unknown : status }

    package var titleWords: Words {
        guard title.isEmpty else { return .said(title) }
        return summary.map { .key("agent.summary", ["name": .words($0.of)]) } ?? "agent.untitled"
    }
}

extension Agent {
    /// The command as a shell would take it, or the address and the model; empty for one of somebody else.
    package var placeText: String { place.text }

    var kindWords: Words {
        switch place {
        case .program(_, nil, _): "agent_settings.program"
        case .program(_, let sandbox?, _):
            sandbox.network ? "agent_settings.program.network" : "agent_settings.program.confined"
        case .member(_, _, let readOnly): readOnly ? "agent_settings.member.reading" : "agent_settings.member"
        case .modelServer(_, _, let key): key == nil ? "agent_settings.server" : "agent_settings.server.key"
        case .gateway(_, let fingerprint, _):
            fingerprint == nil ? "agent_settings.gateway" : "agent_settings.gateway.pinned"
        }
    }
}

extension AgentCall {
    package var titleWords: Words {
        let name = (title ?? "").withControlsShown
        return name.isEmpty ? kindWords : .said(name)
    }

    private var kindWords: Words {
        let known = ["read", "edit", "delete", "move", "search", "execute", "think", "fetch"]
        return kind.flatMap { known.contains($0) ? .key("agent.call.\($0)") : nil } ?? "agent.call"
    }

    var isUnderWay: Bool { status == "in_progress" || status == "pending" || status == nil }

    var statusWords: Words {
        switch status {
        case "pending", nil: "agent.call.pending"
        case "completed": "agent.call.completed"
        case "failed": "agent.call.failed"
        default: "agent.call.in_progress"
        }
    }

    /// What the person is asked.
    var questionWords: Words {
        switch kind {
        case "read", "search": "approval.read"
        case "edit": "approval.edit"
        case "delete": "approval.delete"
        case "move": "approval.move"
        case "execute": "approval.execute"
        case "fetch": "approval.fetch"
        default: "approval"
        }
    }
}

extension AgentPlanStep {
    var statusWords: Words {
        switch status {
        case "completed": "agent.plan.completed"
        case "in_progress": "agent.plan.in_progress"
        default: "agent.plan.pending"
        }
    }
}

extension AgentVerdict {
    package var words: Words { .key("verdict.\(rawValue)") }
}

extension [AgentPicture] {
    /// What they are called.
    var words: Words? { Words(listing: map(\.nameWords)) }
}

extension AgentPicture {
    /// What it is called. One that came over a link has no name.
    var nameWords: Words { name.isEmpty ? "agent.picture" : .said(name) }
}

extension CutText {
    /// That something is left out; nil if nothing is.
    var omittedWords: Words? { omitted.map { .key("agent.omitted", ["bytes": .bytes(Int64($0))]) } }
}

extension String {
    /// A word as a shell would take it.
    var shellWord: String {
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
                true
            default: "-_./:=@%+,".utf8.contains(byte)
            }
        }
        return isPlain && !isEmpty
            ? self : "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// The last part of a path.
    var lastPlace: String { split(separator: "/").last.map(String.init) ?? self }
}

extension Agent.Place {
    /// Where it is, as a person wrote it.
    package var text: String {
        switch self {
        case .program(let command, _, _): command.map(\.shellWord).joined(separator: " ")
        case .modelServer(let url, let model, _): [url, model].compactMap(\.self).joined(separator: ", ")
        case .gateway(let url, _, _): url
        case .member: ""
        }
    }
}
