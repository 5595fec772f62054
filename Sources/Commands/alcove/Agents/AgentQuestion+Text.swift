import AppCore
import Host

/// A question as a person reads it: all of it, because the answer is for all of it.
extension AgentQuestion {
    func text(withAnswers: Bool) -> TerminalText {
        let text = approval.call.text(
            asked: number, choices: withAnswers ? approval.choices : nil, input: approval.input)
        let names =
            withAnswers ? approval.choices.compactMap { choice in approval.name(of: choice).map { (choice, $0) } } : []
        return .joined([text] + names.map { "    the agent calls \($0.rawValue): \($1)" }, by: "\n")
    }
}

extension AgentCall {
    /// What an agent asks whether it may do.
    /// - Parameters:
    ///   - number: by which the request is answered.
    ///   - choices: how it can be answered; nil: by nobody.
    func text(asked number: Int, choices: [AgentChoice]?, input wanted: AgentApproval.Input? = nil) -> TerminalText {
        var lines: [TerminalText] = [
            wanted == nil ? "? Request \(number): \(name)" : "? Request \(number): a tool wants to be given something"
        ]
        if title == nil, kind == nil, wanted == nil { lines.append("    the agent does not say what for") }
        for path in paths ?? [] { lines.append("    at \(path)") }
        if let input { lines += Self.lines("with", input) }
        for result in results ?? [] { lines += Self.lines(result) }
        if !isWhole, wanted == nil { lines.append("    ! this is not all of what it would do") }
        if choices != nil, let wanted {
            let hidden: TerminalText = wanted == .secret ? " (not shown)" : ""
            lines.append("  Answer: /give \(number), then a line\(hidden)  or  /reject \(number), which ends the turn")
        } else if let choices {
            if choices == [.reject] { lines.append("    ! here it can only be rejected") }
            lines.append(Self.answers(number, choices))
        }
        return .joined(lines, by: "\n")
    }

    private static func answers(_ number: Int, _ choices: [AgentChoice]) -> TerminalText {
        let words: [TerminalText] = choices.map { choice in
            switch choice {
            case .once: "/allow \(number)"
            case .always: "/always \(number) (the very same again, in this session)"
            case .lasting:
                "/lasting \(number) (this agent offers no \"once\"; it decides what it will not ask about any more)"
            case .reject: "/reject \(number)"
            }
        }
        return "  Answer: " + .joined(words, by: "  or  ")
    }

    private static func lines(_ result: AgentCall.Result) -> [TerminalText] {
        switch result {
        case .text(let text): lines("text", text)
        case .change(let path, let text, _, _), .difference(let path, _, let text):
            ["    change of \(path)", "      \(.text(text.text, margin: "      "))"] + omission(text)
        case .other(let name): ["    and something that cannot be shown here: \(name)"]
        }
    }

    private static func lines(_ word: TerminalText, _ text: CutText) -> [TerminalText] {
        ["    \(word) \(.text(text.text, margin: "      "))"] + omission(text)
    }

    private static func omission(_ text: CutText) -> [TerminalText] {
        text.omitted.map { ["    ! \($0) bytes more of it are NOT shown"] } ?? []
    }
}

extension AgentCall {
    /// What it is called: its title, and what kind it is.
    var name: String {
        let kind = kind.map { "[\($0)]" }
        return [title ?? "a tool", kind].compactMap(\.self).joined(separator: " ")
    }
}
