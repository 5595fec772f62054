import AppCore

// What happens with requests without asking.

extension AgentChat {
    func set(_ kind: AgentPolicies.Kind, _ policy: AgentPolicy) async {
        do {
            try await host.change(agents: .setAgentPolicy(session: id, kind: kind, policy: policy))
            // What is shown of it next is what was set.
            await step()
            screen.tell("\(kind.rawValue): \(policy.rawValue)")
        } catch { screen.complain("\(error.explanation)") }
    }
}

extension AgentPolicies {
    /// - Parameter words: those of `--policy`, such as `read=allow`; the last one of a kind counts.
    init(named words: [String]) throws {
        self.init()
        for word in words {
            let parts = word.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let kind = Kind(rawValue: parts[0]), let policy = AgentPolicy(rawValue: parts[1])
            else {
                throw UsageError("--policy takes read, edit, execute or fetch, =, and ask, allow or reject: read=allow")
            }
            self[kind] = policy
        }
    }

    /// What is set for each kind of request.
    var text: TerminalText {
        let lines: [TerminalText] = Kind.allCases.map { "    \($0.rawValue): \(self[$0].rawValue)" }
        return .joined(["/policy KIND ask|allow|reject sets one:"] + lines, by: "\n")
    }

    /// What a new session has from the one before; nil if it asks about everything.
    /// - Parameter hint: how that is changed here.
    func inherited(hint: TerminalText?) -> TerminalText? {
        let set = Kind.allCases.filter { self[$0] != .ask }
        guard !set.isEmpty else { return nil }
        let words: [TerminalText] = set.map { "\($0.rawValue): \(self[$0].rawValue)" }
        return "As in your last session with it here, without asking: " + .joined(words, by: ", ")
            + (hint.map { "  (" + $0 + ")" } ?? "")
    }
}
