import AgentProtocols
import AppCore
import Wire

// Calls of tools and questions in the words of the Agent Client Protocol, for an editor.

extension AgentCall {
    /// The call as it is known.
    /// - Parameter id: what it is called towards the editor.
    func toolCall(_ id: String) -> ACPToolCall {
        var call = ACPToolCall(id: id)
        call.title = title ?? kind ?? "A tool"
        call.kind = kind.map { Self.kinds.contains($0) ? $0 : "other" }
        call.status = status.flatMap { Self.statuses.contains($0) ? $0 : nil }
        call.content = results?.map(\.content)
        // Other ones are no places in files.
        call.locations = paths?.filter { $0.hasPrefix("/") }.map { ACPToolCall.Location(path: $0) }
        call.input = input?.value
        call.output = output?.value
        return call
    }

    /// The call as a person is asked about it. What it is given stands in its content: an editor may fold away what is "raw", and a person allows
    /// what they see. Editors read texts as Markdown, which can hide things, so all of it stands in fences.
    func askedCall(_ id: String) -> ACPToolCall {
        var call = toolCall(id)
        call.title = call.title?.withControlsShown
        var content: [ACPToolCall.Content] = []
        if let input { content.append(Self.shown("It is given:", input.whole)) }
        content += results?.map(\.asked) ?? []
        // Editors take locations for places to follow an agent to, and do not show them in a question.
        for path in paths ?? [] { content.append(Self.shown("At:", path)) }
        if !isWhole { content.append(.content(ACPContent(text: "This is not all of what it would do."))) }
        call.content = content
        return call
    }

    fileprivate static func shown(_ name: String, _ text: String) -> ACPToolCall.Content {
        .content(ACPContent(text: "\(name)\n\(ACPPrompt.fenced(text.withControlsShown))"))
    }

    private static let kinds: Set = [
        "read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other",
    ]
    private static let statuses: Set = ["pending", "in_progress", "completed", "failed"]
}

extension AgentCall.Result {
    fileprivate var content: ACPToolCall.Content {
        switch self {
        case .text(let text): .content(ACPContent(text: text.whole))
        case .change(let path, let lines, _, _):
            LineChange(lines)?.content(of: path) ?? .content(ACPContent(text: "change of \(path)\n\(lines.whole)"))
        case .difference(let path, let old, let new):
            .difference(path: path, old: old?.whole, new: new.whole)
        case .other(let name): .content(ACPContent(text: "[\(name)]"))
        }
    }

    /// As a person is asked about it.
    fileprivate var asked: ACPToolCall.Content {
        switch (self, content) {
        case (_, .difference(let path, let old, let new)):
            .difference(path: path, old: old?.withControlsShown, new: new.withControlsShown)
        case (.text(let text), _): AgentCall.shown("It shows:", text.whole)
        case (.change(let path, let lines, _, _), _): AgentCall.shown("A change:", "\(path)\n\(lines.whole)")
        case (.difference, _): content
        case (.other(let name), _): AgentCall.shown("Something that cannot be shown:", name)
        }
    }
}

/// Both texts of a change, as far as it shows them: lines that stay and are not shown are missing in both.
private struct LineChange {
    private var old: [Substring] = []
    private var new: [Substring] = []

    /// Nil if some of it is left out, or it is none.
    init?(_ lines: CutText) {
        guard lines.omitted == nil else { return nil }
        for line in lines.text.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.dropFirst(2)
            switch line.prefix(2) {
            case "- ": old.append(text)
            case "+ ": new.append(text)
            case "  ":
                old.append(text)
                new.append(text)
            case "@@":
                old.append(line)
                new.append(line)
            default: return nil
            }
        }
    }

    func content(of path: String) -> ACPToolCall.Content {
        .difference(
            path: path, old: old.isEmpty ? nil : old.joined(separator: "\n") + "\n",
            new: new.isEmpty ? "" : new.joined(separator: "\n") + "\n")
    }
}

extension CutText {
    /// With what says that something is missing.
    fileprivate var whole: String { omitted.map { "\(text)\n… (\($0) bytes more are not shown)" } ?? text }

    /// The JSON that it is, else the text.
    fileprivate var value: Wire.JSONValue { (try? Wire.JSONValue(text.utf8)) ?? .string(whole) }
}

extension AgentPlanStep {
    var planEntry: ACPPlanEntry {
        let known: Set = ["pending", "in_progress", "completed"]
        return ACPPlanEntry(content: content, priority: "medium", status: known.contains(status) ? status : "pending")
    }
}

extension AgentChoice {
    /// The answer as an editor offers it.
    var option: ACPPermissionRequest.Option {
        switch self {
        case .once: .init(id: rawValue, name: "Allow once", kind: "allow_once")
        case .always: .init(id: rawValue, name: "Allow exactly this, in this session", kind: "allow_always")
        case .lasting:
            .init(id: rawValue, name: "Allow, and let the agent decide what it asks again", kind: "allow_always")
        case .reject: .init(id: rawValue, name: "Reject", kind: "reject_once")
        }
    }
}
