// What an agent tells beside its answer: for a moment, or to be kept.

extension AgentDelta {
    /// Whether the agent says or does something, so that what was going on before is over.
    var goesOn: Bool {
        switch self {
        case .text, .thought, .called, .asks, .turnEnded: true
        default: false
        }
    }
}

extension AppState {
    mutating func detailed(_ text: String, _ id: AgentSessionID) {
        guard talks[id]?.session.isInTurn == true else { return }
        let words = text.withoutControls.trimmed.limited(to: AgentTalkLimits.titleBytes)
        talks[id]?.live.detail = words.isEmpty ? nil : words
    }

    /// A stranger may say any number of things, so only the first ones of a turn are kept.
    mutating func remarked(_ text: CutText, _ id: AgentSessionID, _ context: inout DispatchContext) {
        let words = CutText(text.text.withoutControls.trimmed, omitted: text.omitted ?? 0)
        let count = talks[id]?.live.remarks ?? 0
        guard !words.text.isEmpty, count < AgentTalkLimits.remarks else { return }
        talks[id]?.live.remarks = count + 1
        add(.remarked(text: words.fitted(to: AgentTalkLimits.remarkBytes)), to: id, &context)
    }
}
