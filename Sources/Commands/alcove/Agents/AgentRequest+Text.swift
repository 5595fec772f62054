import Agents

/// A request as a person reads it: all of it, because the answer is for all of it.
extension AgentRequest {
    func text(withAnswers: Bool) -> TerminalText {
        var lines: [TerminalText] = ["? Request \(id.number): \(call.name)"]
        if call.title == nil, call.kind == nil { lines.append("    the agent does not say what for") }
        for path in call.paths ?? [] { lines.append("    at \(path)") }
        if let input = call.input { lines += Self.lines("with", input) }
        for result in call.results ?? [] { lines += Self.lines(result) }
        if withAnswers { lines.append(answers) }
        return .joined(lines, by: "\n")
    }

    private var answers: TerminalText {
        let words: [TerminalText] = choices.map { choice in
            switch choice {
            case .once: "/allow \(id.number)"
            case .always: "/always \(id.number) (the very same again, in this conversation)"
            case .lasting:
                "/lasting \(id.number) (this agent offers no \"once\"; it decides what it will not ask about any more)"
            case .reject: "/reject \(id.number)"
            }
        }
        return "  Answer: " + .joined(words, by: "  or  ")
    }

    private static func lines(_ result: AgentToolCall.Result) -> [TerminalText] {
        switch result {
        case .text(let text): lines("text", text)
        case .difference(let path, let old, let new): difference(path, old, new)
        case .other(let name): ["    and something that cannot be shown here: \(name)"]
        }
    }

    private static func lines(_ word: TerminalText, _ text: AgentText) -> [TerminalText] {
        ["    \(word) \(.text(text.text, margin: "      "))"] + omission(text)
    }

    /// What is taken out, then what is put in. Lines that stay as they are at both ends are counted.
    private static func difference(_ path: String, _ old: AgentText?, _ new: AgentText) -> [TerminalText] {
        let before = old.map { split($0.text) } ?? []
        let after = split(new.text)
        let same = zip(before, after).prefix { $0 == $1 }.count
        let rest = zip(before.dropFirst(same).reversed(), after.dropFirst(same).reversed()).prefix { $0 == $1 }.count
        var lines: [TerminalText] = [old == nil ? "    new file \(path)" : "    change of \(path)"]
        if same > 0 { lines.append("      \(same) lines as before") }
        lines += before.dropFirst(same).dropLast(rest).map { "      - \(.text($0))" }
        lines += after.dropFirst(same).dropLast(rest).map { "      + \(.text($0))" }
        if rest > 0 { lines.append("      \(rest) lines as before") }
        return lines + (old.map(omission) ?? []) + omission(new)
    }

    private static func split(_ text: String) -> [String] {
        text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static func omission(_ text: AgentText) -> [TerminalText] {
        text.omitted > 0 ? ["    ! \(text.omitted) bytes more of it are NOT shown"] : []
    }
}

extension AgentToolCall {
    /// What it is called: its title, and what kind it is.
    var name: String {
        let kind = kind.map { "[\($0)]" }
        return [title ?? "a tool", kind].compactMap(\.self).joined(separator: " ")
    }
}
